/// A JSON value as it was written: numbers keep their digits, objects their order.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The number's text, which follows the JSON grammar.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: JSONValue

        package init(_ name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The first member of this name; nil where there is none, or where this is not an object.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    package var array: [JSONValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// The number, when it is a whole one that the type holds.
    package func integer<I: FixedWidthInteger>(as type: I.Type = I.self) -> I? {
        guard case .number(let text) = self else { return nil }
        return I(text)
    }
}

/// Where and why a text is not JSON.
package struct JSONSyntaxError: Error, Hashable, Sendable {
    /// The number of bytes before the error.
    package var offset: Int
    /// What was wrong, as the end of a sentence.
    package var reason: String
}

/// What the JSON of this library looks like: no spaces, members in the order given.
package enum JSONText {
    /// Appends a string in quotes. Escaped is what JSON demands, and what steers a terminal or turns the direction of
    /// writing; the rest is UTF-8.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for position in 0..<utf8.count where needsEscape(utf8, at: position) {
                guard position >= start else { continue }
                bytes.append(contentsOf: utf8[start..<position])
                start = position + appendEscape(utf8, at: position, to: &bytes)
            }
            bytes.append(contentsOf: utf8[start...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// The text of a JSON document with the same escapes where another encoder left the characters as they are; it
    /// reads back as the same values. O(length).
    package static func escaped(_ document: [UInt8]) -> [UInt8] {
        document.withUnsafeBufferPointer { utf8 in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(utf8.count)
            var position = 0
            while position < utf8.count {
                if utf8[position] == 0x7F || utf8[position] >= 0xC2 && steeringCharacter(utf8, at: position) != nil {
                    position += appendEscape(utf8, at: position, to: &bytes)
                } else {
                    bytes.append(utf8[position])
                    position += 1
                }
            }
            return bytes
        }
    }

    /// Appends the shortest decimal that reads back as the number; NaN and the infinities as the strings `"NaN"`,
    /// `"Infinity"` and `"-Infinity"`, which JSON has no numbers for.
    package static func append(_ number: Double, to bytes: inout [UInt8]) {
        if number.isFinite {
            bytes.append(contentsOf: number.description.utf8)
        } else {
            append(number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity", to: &bytes)
        }
    }

    package static func append(_ number: Float, to bytes: inout [UInt8]) {
        if number.isFinite {
            bytes.append(contentsOf: number.description.utf8)
        } else {
            append(Double(number), to: &bytes)
        }
    }

    package static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        var digits: [UInt8] = []
        var rest = number.magnitude
        repeat {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            digits.append(0x30 + UInt8(truncatingIfNeeded: digit))
            rest = quotient
        } while rest > 0
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        bytes.append(contentsOf: digits.reversed())
    }

    /// The text of a value, without spaces.
    package static func bytes(of json: JSONValue) -> [UInt8] {
        var bytes: [UInt8] = []
        append(json, to: &bytes)
        return bytes
    }

    private static func append(_ json: JSONValue, to bytes: inout [UInt8]) {
        switch json {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let text): bytes.append(contentsOf: text.utf8)
        case .string(let text): append(text, to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (position, value) in values.enumerated() {
                if position > 0 { bytes.append(UInt8(ascii: ",")) }
                append(value, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (position, member) in members.enumerated() {
                if position > 0 { bytes.append(UInt8(ascii: ",")) }
                append(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                append(member.value, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func needsEscape(_ utf8: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
        let byte = utf8[position]
        if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F { return true }
        return byte >= 0xC2 && steeringCharacter(utf8, at: position) != nil
    }

    /// The character that begins here, and its bytes, where it is delete's kin: a C1 control, a mark or an override of
    /// the direction of writing, a line or paragraph separator, a byte order mark.
    private static func steeringCharacter(
        _ utf8: UnsafeBufferPointer<UInt8>, at position: Int
    ) -> (code: UInt16, byteCount: Int)? {
        guard position + 1 < utf8.count else { return nil }
        let second = utf8[position + 1]
        switch utf8[position] {
        case 0xC2: return second < 0xA0 ? (UInt16(second), 2) : nil
        case 0xD8: return second == 0x9C ? (0x61C, 2) : nil
        case 0xE2, 0xEF:
            guard position + 2 < utf8.count else { return nil }
            let code =
                UInt16(utf8[position] & 0x0F) << 12 | UInt16(second & 0x3F) << 6 | UInt16(utf8[position + 2] & 0x3F)
            switch code {
            case 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: return (code, 3)
            default: return nil
            }
        default: return nil
        }
    }

    /// Appends the escape of the character here; returns how many bytes it replaces.
    private static func appendEscape(
        _ utf8: UnsafeBufferPointer<UInt8>, at position: Int, to bytes: inout [UInt8]
    ) -> Int {
        let byte = utf8[position]
        let short: Unicode.Scalar? =
            switch byte {
            case 0x22: "\""
            case 0x5C: "\\"
            case 0x08: "b"
            case 0x0C: "f"
            case 0x0A: "n"
            case 0x0D: "r"
            case 0x09: "t"
            default: nil
            }
        bytes.append(0x5C)
        if let short {
            bytes.append(UInt8(ascii: short))
            return 1
        }
        let (code, byteCount) = steeringCharacter(utf8, at: position) ?? (UInt16(byte), 1)
        bytes.append(UInt8(ascii: "u"))
        for shift: UInt16 in [12, 8, 4, 0] { bytes.append(hex(UInt8(truncatingIfNeeded: code >> shift) & 15)) }
        return byteCount
    }

    private static func hex(_ digit: UInt8) -> UInt8 { digit < 10 ? 0x30 + digit : 0x61 + digit - 10 }
}
