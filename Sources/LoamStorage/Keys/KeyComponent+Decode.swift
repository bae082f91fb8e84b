import Foundation

/// Bytes back into values. Decoding is strict: bytes that ``append(_:to:)`` cannot have written throw
/// `StorageError.damagedKey`. That a string is in the normal form is not examined.
extension KeyComponent {
    /// Reads the component that begins at `offset`, and moves `offset` to its end.
    ///
    /// - Returns: the value, `.null` for nil; Swift's nil where the key does not give the value back: it was cut,
    ///   or normalized (a string that is not ASCII or not in exact form, a Decimal, a zero, NaN). Of canonically
    ///   equivalent strings, one of which is ASCII ("K" and the Kelvin sign), the ASCII one is given back.
    /// - Throws: `damagedKey` where the bytes are none that an append has written; `offset` may have moved then.
    package func decode(_ key: RawSpan, at offset: inout Int) throws -> Value? {
        try key.withUnsafeBytes { key in
            let start = offset
            offset = try end(in: key, from: start)
            return try value(in: UnsafeRawBufferPointer(rebasing: key[start..<offset]))
        }
    }

    /// As ``decode(_:at:)`` for a component of strings, without making one: its UTF-8 is appended to `text`.
    package func decodeText(_ key: RawSpan, at offset: inout Int, into text: inout [UInt8]) throws -> DecodedText {
        try key.withUnsafeBytes { key in
            let start = offset
            offset = try end(in: key, from: start)
            let component = UnsafeRawBufferPointer(rebasing: key[start..<offset])
            guard component[0] ^ mask != 0 else {
                guard component.count == 1 else { throw damaged("nil is not padded with zeros") }
                return .null
            }
            return try appendText(component, to: &text)
        }
    }

    /// The end of the component that begins at `offset`. It looks at the tag and at the end, not at what lies between.
    ///
    /// - Throws: `damagedKey` where there is no component, its tag is none, or it has no end.
    package func skip(_ key: RawSpan, from offset: Int) throws -> Int {
        try key.withUnsafeBytes { try end(in: $0, from: offset) }
    }

    /// Whether the component that begins at `offset` was cut to its share.
    ///
    /// - Throws: `damagedKey` where there is no component, its tag is none, or it has no end.
    package func isCut(_ key: RawSpan, at offset: Int) throws -> Bool {
        try key.withUnsafeBytes { key in
            let end = try end(in: key, from: offset)
            return isCut(UnsafeRawBufferPointer(rebasing: key[offset..<end]))
        }
    }
}

extension KeyComponent {
    private var mask: UInt8 { inverts ? 0xFF : 0x00 }

    private func damaged(_ what: String) -> StorageError { StorageError(.damagedKey(what)) }

    private func end(in key: UnsafeRawBufferPointer, from start: Int) throws -> Int {
        guard start >= 0, start < key.count else { throw damaged("a component is missing") }
        let tag = key[start] ^ mask
        guard tag <= 1 else { throw damaged("a component's tag is neither nil nor a value") }
        if tag == 0 && !isOptional { throw damaged("a component that is not optional is nil") }
        if let width = fixedWidth {
            guard key.count - start >= width else { throw damaged("a component is too short") }
            return start + width
        }
        if tag == 0 { return start + 1 }
        let limit = min(key.count - start, share) + start
        var index = start + 1
        while index < limit {
            if key[index] == mask { return index + 1 }
            index += 1
        }
        guard limit - start == share else { throw damaged("a component has no end") }
        return limit
    }

    /// A variable component is cut when it fills its share and no terminator ends it.
    private func isCut(_ component: UnsafeRawBufferPointer) -> Bool {
        kind.isVariable && component.count > 1 && component[component.count - 1] != mask
    }

    private func value(in component: UnsafeRawBufferPointer) throws -> Value? {
        if component[0] ^ mask == 0 {
            guard component.allSatisfy({ $0 == mask }) else { throw damaged("nil is not padded with zeros") }
            return .null
        }
        if kind.isVariable { return try variable(component) }
        let body = UnsafeRawBufferPointer(rebasing: component[1...])
        if kind == .uuid { return .uuid(uuid(body)) }
        let bits = body.reduce(0 as UInt64) { $0 << 8 | UInt64($1 ^ mask) }
        switch kind {
        case .bool:
            guard bits <= 1 else { throw damaged("a Bool is neither 0 nor 1") }
            return .bool(bits == 1)
        case .int8, .int16, .int32, .int64:
            let shift = 64 - UInt64(body.count) * 8
            return .int(Int64(bitPattern: (bits ^ 1 << (63 - shift)) << shift) >> shift)
        case .float:
            guard let value = KeyScalars.float(UInt32(truncatingIfNeeded: bits)) else { throw unusualNumber }
            return value == 0 || value.isNaN ? nil : .float(value)
        case .double, .date:
            guard let value = KeyScalars.double(bits) else { throw unusualNumber }
            if value == 0 || value.isNaN { return nil }
            return kind == .double ? .double(value) : .date(Date(timeIntervalSinceReferenceDate: value))
        default:
            return .uint(bits)
        }
    }

    private var unusualNumber: StorageError { damaged("a number is not in normal form") }

    private func uuid(_ body: UnsafeRawBufferPointer) -> UUID {
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { for index in $0.indices { $0[index] = body[index] ^ mask } }
        return UUID(uuid: bytes)
    }

    private func variable(_ component: UnsafeRawBufferPointer) throws -> Value? {
        if let text = plainText(component) { return .string(text) }
        let isCut = isCut(component)
        var content: [UInt8] = []
        try appendContent(of: component, isCut: isCut, to: &content)
        if kind == .decimal && !isCut && !DecimalKey.isValid(content) { throw damaged("a Decimal has no such key") }
        if isCut { return nil }
        switch kind {
        case .data: return .data(Data(content))
        case .url:
            // A URL that Foundation would write in another way is not given back.
            let url = URL(string: String(decoding: content, as: UTF8.self))
            return url.flatMap { $0.absoluteString.utf8.elementsEqual(content) ? .url($0) : nil }
        case .string where form == .exact && content.withUnsafeBytes(StringForms.isASCII):
            return .string(String(decoding: content, as: UTF8.self))
        default: return nil
        }
    }

    /// The value of most strings: ASCII without an escape, whole, in exact form and ascending; else nil.
    private func plainText(_ component: UnsafeRawBufferPointer) -> String? {
        guard kind == .string, form == .exact, !inverts, component.count > 1, component[component.count - 1] == 0
        else { return nil }
        let content = UnsafeRawBufferPointer(rebasing: component[1..<component.count - 1])
        for byte in content where byte < 2 || byte >= 0x80 { return nil }
        return String(decoding: content, as: UTF8.self)
    }

    private func appendText(_ component: UnsafeRawBufferPointer, to text: inout [UInt8]) throws -> DecodedText {
        let start = text.count
        let isCut = isCut(component)
        try appendContent(of: component, isCut: isCut, to: &text)
        let (isASCII, isPlain) = text.withUnsafeBytes { text in
            let content = UnsafeRawBufferPointer(rebasing: text[start...])
            return (StringForms.isASCII(content), PlainText.isPlain(content))
        }
        if form == .exact && isASCII && !isCut { return .text(isPlain: isPlain) }
        text.removeLast(text.count - start)
        return .unknown
    }

    /// Appends what a component of variable width holds, and checks that text is text.
    private func appendContent(
        of component: UnsafeRawBufferPointer, isCut: Bool, to content: inout [UInt8]
    ) throws {
        let start = content.count
        let behind = isCut ? hashesCut ? Self.hashWidth : 0 : 1
        let end = max(1, component.count - behind)
        try appendUnescaped(UnsafeRawBufferPointer(rebasing: component[1..<end]), isCut: isCut, to: &content)
        guard kind == .string && !form.isCollated || kind == .url else { return }
        let isText = content.withUnsafeBytes { isUTF8(UnsafeRawBufferPointer(rebasing: $0[start...]), isCut: isCut) }
        guard isText else { throw damaged("text is not UTF-8") }
    }

    private func appendUnescaped(
        _ bytes: UnsafeRawBufferPointer, isCut: Bool, to content: inout [UInt8]
    ) throws {
        var isEscape = false
        var index = 0
        while index < bytes.count {
            let byte = bytes[index] ^ mask
            index += 1
            if isEscape {
                guard byte == 1 || byte == 2 else { throw damaged("an escape means nothing") }
                content.append(byte - 1)
                isEscape = false
            } else if byte == 1 {
                isEscape = true
            } else {
                content.append(byte)
            }
        }
        guard !isEscape || isCut else { throw damaged("an escape is incomplete") }
    }

    /// A cut text may end inside a character: up to three bytes at its end are then not looked at.
    private func isUTF8(_ content: UnsafeRawBufferPointer, isCut: Bool) -> Bool {
        if StringForms.isUTF8(content) { return true }
        guard isCut, let lead = content.suffix(3).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return false }
        let needed = content[lead] >= 0xF0 ? 4 : content[lead] >= 0xE0 ? 3 : content[lead] >= 0xC0 ? 2 : 1
        return content.count - lead < needed
            && StringForms.isUTF8(UnsafeRawBufferPointer(rebasing: content[..<lead]))
    }
}

/// What a key holds of a string.
package enum DecodedText: Hashable, Sendable {
    case null
    /// `isPlain` says that it is ASCII without CR.
    case text(isPlain: Bool)
    /// The key does not give the string back.
    case unknown
}
