/// A strict JSON parser (RFC 8259) for one text in memory.
///
/// Numbers keep their text, so that no digit is lost; a name may stand twice in an object and the reader decides.
/// Anything that is not JSON throws; nothing traps, and nesting deeper than ``depthLimit`` is refused.
package struct JSONParser {
    package static let depthLimit = 256

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// Parses a text that holds exactly one value. Cost: the text's length.
    ///
    /// - Throws: ``JSONSyntaxError`` with the offset, also for nesting deeper than ``depthLimit``.
    package static func parse(_ text: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        let result: Result<JSONValue, JSONSyntaxError> = text.withUnsafeBufferPointer { bytes in
            var parser = JSONParser(bytes: bytes)
            do throws(JSONSyntaxError) {
                return .success(try parser.document())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Parses a string that holds exactly one value. O(length).
    ///
    /// - Throws: ``JSONSyntaxError``, as the form that takes bytes.
    package static func parse(_ text: String) throws(JSONSyntaxError) -> JSONValue {
        try parse(Array(text.utf8))
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    private mutating func document() throws(JSONSyntaxError) -> JSONValue {
        let value = try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw failure("something follows the value") }
        return value
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        guard depth < Self.depthLimit else { throw failure("values are nested too deeply") }
        skipSpace()
        guard let byte = peek() else { throw failure("a value is missing") }
        switch byte {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", value: .bool(true))
        case UInt8(ascii: "f"): return try word("false", value: .bool(false))
        case UInt8(ascii: "n"): return try word("null", value: .null)
        default: return .number(try number())
        }
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        position += 1
        var members: [JSONValue.Member] = []
        skipSpace()
        if take("}") { return .object(members) }
        while true {
            skipSpace()
            guard peek() == UInt8(ascii: "\"") else { throw failure("a member's name is missing") }
            let name = try string()
            skipSpace()
            guard take(":") else { throw failure("':' is missing") }
            members.append(.init(name, value: try value(depth: depth + 1)))
            skipSpace()
            if take("}") { return .object(members) }
            guard take(",") else { throw failure("',' or '}' is missing") }
        }
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        position += 1
        var values: [JSONValue] = []
        skipSpace()
        if take("]") { return .array(values) }
        while true {
            values.append(try value(depth: depth + 1))
            skipSpace()
            if take("]") { return .array(values) }
            guard take(",") else { throw failure("',' or ']' is missing") }
        }
    }

    private mutating func word(_ word: String, value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        guard bytes[position...].starts(with: word.utf8) else { throw failure("no value begins like this") }
        position += word.utf8.count
        return value
    }

    private mutating func number() throws(JSONSyntaxError) -> String {
        let start = position
        _ = take("-")
        let hasZero = peek() == 0x30
        guard let count = digits(), count == 1 || !hasZero else {
            position = start
            throw failure("no value begins like this")
        }
        if take("."), digits() == nil { throw failure("a digit is missing") }
        if take("e") || take("E") {
            if !take("-") { _ = take("+") }
            if digits() == nil { throw failure("a digit is missing") }
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        position += 1
        let start = position
        while let byte = peek(), byte != 0x22, byte != 0x5C, byte >= 0x20 { position += 1 }
        if peek() == 0x22 {
            let text = try decode(bytes[start..<position])
            position += 1
            return text
        }
        return try escapedString(from: start)
    }

    private mutating func escapedString(from start: Int) throws(JSONSyntaxError) -> String {
        var text = Array(bytes[start..<position])
        while let byte = peek() {
            position += 1
            switch byte {
            case 0x22: return try decode(text)
            case 0x5C: try escape(into: &text)
            case 0..<0x20: throw failure("a control character stands in a string")
            default: text.append(byte)
            }
        }
        throw failure("a string does not end")
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONSyntaxError) {
        guard let byte = peek() else { throw failure("a string does not end") }
        position += 1
        switch byte {
        case 0x22, 0x5C, 0x2F: text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: Character(try scalar()).utf8)
        default: throw failure("an escape is unknown")
        }
    }

    /// The scalar of a `\u` escape, of two where the first is half of a surrogate pair.
    private mutating func scalar() throws(JSONSyntaxError) -> Unicode.Scalar {
        var code = try codeUnit()
        if (0xD800..<0xDC00).contains(code), take("\\"), take("u") {
            let low = try codeUnit()
            guard (0xDC00..<0xE000).contains(low) else { throw failure("a surrogate stands alone") }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw failure("a surrogate stands alone") }
        return scalar
    }

    private mutating func codeUnit() throws(JSONSyntaxError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("an escape is cut short")
            }
            code = code << 4 | UInt32(digit)
            position += 1
        }
        return code
    }

    private func decode(_ utf8: some Sequence<UInt8>) throws(JSONSyntaxError) -> String {
        guard let text = String(validating: utf8, as: UTF8.self) else { throw failure("a string is not UTF-8") }
        return text
    }

    /// The number of digits here; nil for none.
    private mutating func digits() -> Int? {
        let start = position
        while let byte = peek(), (0x30...0x39).contains(byte) { position += 1 }
        return position > start ? position - start : nil
    }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D { position += 1 }
    }

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    private func failure(_ reason: String) -> JSONSyntaxError {
        JSONSyntaxError(offset: position, reason: reason)
    }
}
