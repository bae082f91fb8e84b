import Foundation

/// Values inside composite ones, without anything taken from the heap. What the bytes hold beside the value is not
/// examined, and a number's width is not either.
extension CompositeReader {
    /// The value that fills the bytes.
    ///
    /// - Throws: `damagedRecord` where there is none.
    static func unboxed(_ bytes: RawSpan) throws -> UnboxedValue {
        var reader = CompositeReader(bytes)
        let value = try reader.unboxed()
        guard reader.offset == bytes.byteCount else { throw damaged("bytes follow a composite value") }
        return value
    }

    /// Whether the elements of the array that fills the bytes hold one for which the closure returns true.
    ///
    /// - Throws: `damagedRecord` where there is no array.
    static func contains(in bytes: RawSpan, where body: (UnboxedValue) throws -> Bool) throws -> Bool {
        var reader = CompositeReader(bytes)
        for _ in 0..<(try reader.enterArray()) {
            if try body(reader.unboxed()) { return true }
        }
        return false
    }

    mutating func unboxed() throws -> UnboxedValue {
        let start = offset
        let tag = try readTag()
        switch tag {
        case .null: return .null
        case .false: return .bool(false)
        case .true: return .bool(true)
        case .int8: return .int(Int64(try read(Int8.self)))
        case .int16: return .int(Int64(try read(Int16.self)))
        case .int32: return .int(Int64(try read(Int32.self)))
        case .int64: return .int(try read(Int64.self))
        case .uint8: return .uint(UInt64(try read(UInt8.self)))
        case .uint16: return .uint(UInt64(try read(UInt16.self)))
        case .uint32: return .uint(UInt64(try read(UInt32.self)))
        case .uint64: return .uint(try read(UInt64.self))
        case .float: return .float(Float(bitPattern: try read(UInt32.self)))
        case .double: return .double(Double(bitPattern: try read(UInt64.self)))
        case .date: return .date(Double(bitPattern: try read(UInt64.self)))
        case .uuid:
            let range = try take(16)
            return bytes.extracting(unchecked: range).withUnsafeBytes { $0.baseAddress.map(UnboxedValue.uuid) ?? .null }
        case .array, .dictionary, .structure:
            _ = try readLengthAndBytes()
            return bytes.extracting(unchecked: start..<offset).withUnsafeBytes { .composite($0) }
        case .decimal, .plainString, .string, .url, .data:
            let range = try readLengthAndBytes()
            return try Self.text(tag, bytes.extracting(unchecked: range))
        }
    }

    private static func text(_ tag: CompositeTag, _ content: RawSpan) throws -> UnboxedValue {
        if tag == .decimal {
            guard let parts = DecimalParts(bytes: content) else { throw damaged("a decimal is none") }
            return .decimal(parts)
        }
        let kind: UnboxedValue.Kind = tag == .url ? .url : tag == .data ? .data : .string
        // The bytes lie in the record, which outlives the value.
        return content.withUnsafeBytes { .text(kind, $0, isPlain: tag == .plainString) }
    }
}
