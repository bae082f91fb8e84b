import Foundation

/// Values into bytes. Each call appends one whole component, tag included, and allocates nothing unless a string has to
/// be normalized. Those of variable width say whether the key is *exact*, which it is unless it was cut.
extension KeyComponent {
    /// Appends a value, or nil.
    ///
    /// - Returns: whether the key holds the whole value.
    /// - Throws: `StorageError.typeMismatch` for a value of another type or out of range, `missingValue` for nil where
    ///   the component is not optional.
    @discardableResult
    package func append(_ value: Value, to key: inout [UInt8]) throws -> Bool {
        try withUnsafeTemporaryAllocation(byteCount: share, alignment: 8) { scratch in
            guard let start = scratch.baseAddress else { return true }
            let (count, isExact) = try write(value, at: start)
            let bytes = UnsafeRawBufferPointer(start: start, count: count)
            // Most keys of queries are this one component.
            if key.isEmpty { key = Array(bytes) } else { key.append(contentsOf: bytes) }
            return isExact
        }
    }

    /// Appends a value, or nil, to a buffer that is used again.
    ///
    /// - Returns: whether the key holds the whole value.
    /// - Throws: as the form that takes an array; nothing is appended then.
    @discardableResult
    package func append(_ value: Value, to key: inout KeyBuffer) throws -> Bool {
        var isExact = true
        try key.write(atMost: share) { start in
            let (count, whole) = try write(value, at: start)
            isExact = whole
            return count
        }
        return isExact
    }

    /// Appends a value that is copied bit by bit, or nil.
    ///
    /// - Returns: whether the key holds the whole value.
    /// - Throws: as the form that takes a value, and `damagedRecord` for a text that is none.
    func append(_ value: UnboxedValue, to key: inout KeyBuffer) throws -> Bool {
        switch (value.kind, kind) {
        case (.null, _):
            try appendNull(to: &key)
            return true
        case (.string, .string), (.url, .url), (.data, .data):
            return try append(stored: value.text, isPlain: value.isPlain, to: &key)
        default: return try append(value.boxed(), to: &key)
        }
    }

    /// Appends nil.
    ///
    /// - Throws: `missingValue` where the component is not optional; nothing is appended then.
    package func appendNull(to key: inout KeyBuffer) throws {
        guard isOptional else { throw StorageError(.missingValue) }
        key.write(atMost: share) { writeNull(at: $0) }
    }

    /// Appends an integer or a Bool (0 or 1).
    ///
    /// - Parameters:
    ///   - bits: of the number, extended to 64: a signed one in two's complement.
    ///   - width: of the number's type, which the component's has all numbers of.
    /// - Throws: `StorageError.typeMismatch` when the component is not one of integers of this width or a larger one.
    @inline(__always)
    package func append(bits: UInt64, ofWidth width: UInt8, to key: inout KeyBuffer) throws {
        try key.write(atMost: share) { try write(bits: bits, ofWidth: width, at: $0) }
    }

    /// Appends a value that is neither an integer nor a Bool from the bytes that a record holds for it: little endian
    /// for numbers, UUID and Data raw, UTF-8 for strings and URLs, a decimal's parts.
    ///
    /// - Parameter isPlain: the record's flag that a string is ASCII without CR; trusted.
    /// - Returns: whether the key holds the whole value.
    /// - Throws: `StorageError.damagedRecord` when the bytes are not a value of the type.
    @discardableResult
    @inline(__always)
    package func append(
        stored bytes: UnsafeRawBufferPointer, isPlain: Bool = false, to key: inout KeyBuffer
    ) throws -> Bool {
        var isExact = true
        try key.write(atMost: share) { start in
            let (count, whole) = try write(stored: bytes, isPlain: isPlain, at: start)
            isExact = whole
            return count
        }
        return isExact
    }
}

// MARK: - Writing at an address with room for `share` bytes

extension KeyComponent {
    func write(_ value: Value, at start: UnsafeMutableRawPointer) throws -> (count: Int, isExact: Bool) {
        switch (kind, value) {
        case (_, .null):
            guard isOptional else { throw StorageError(.missingValue) }
            return (writeNull(at: start), true)
        case (.bool, .bool(let value)): return (write(value ? 1 : 0 as UInt8, at: start), true)
        case (.float, .float(let value)): return (write(KeyScalars.bits(value), at: start), true)
        case (.double, .double(let value)): return (write(KeyScalars.bits(value), at: start), true)
        case (.date, .date(let value)): return (write(KeyScalars.bits(value.seconds), at: start), true)
        case (.uuid, .uuid(let value)):
            return (withUnsafeBytes(of: value.uuid) { write(raw: $0, at: start) }, true)
        case (.decimal, .decimal(let value)):
            return DecimalKey.bytes(of: value).withUnsafeBytes { write(content: $0, at: start) }
        case (.string, .string(let value)):
            return StringForms.withBytes(of: value, form: form) { write(content: $0, at: start) }
        case (.url, .url(let value)):
            var text = value.absoluteString
            return text.withUTF8 { write(content: UnsafeRawBufferPointer($0), at: start) }
        case (.data, .data(let value)):
            return value.withUnsafeBytes { write(content: $0, at: start) }
        default:
            return (try write(integer: value, at: start), true)
        }
    }

    @inline(__always)
    private func write(
        stored bytes: UnsafeRawBufferPointer, isPlain: Bool, at start: UnsafeMutableRawPointer
    ) throws -> (count: Int, isExact: Bool) {
        switch kind {
        case .string:
            if isPlain && (form == .exact || form == .diacriticFolded) { return write(content: bytes, at: start) }
            return try StringForms.withBytes(ofUTF8: bytes, form: form) { write(content: $0, at: start) }
        case .double, .date:
            return (write(KeyScalars.bits(Double(bitPattern: try load(bytes))), at: start), true)
        case .float: return (write(KeyScalars.bits(Float(bitPattern: try load(bytes))), at: start), true)
        case .uuid:
            guard bytes.count == 16 else { throw StorageError(.damagedRecord("a value has the wrong width")) }
            return (write(raw: bytes, at: start), true)
        case .data: return write(content: bytes, at: start)
        case .url:
            guard isPlain || StringForms.isUTF8(bytes) else { throw StorageError(.damagedRecord("a URL is not UTF-8")) }
            return write(content: bytes, at: start)
        case .decimal: return try write(decimal: bytes, at: start)
        case .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64:
            throw StorageError(.typeMismatch(expected: "\(type)", found: "bytes"))
        }
    }

    @inline(never)
    private func write(
        decimal bytes: UnsafeRawBufferPointer, at start: UnsafeMutableRawPointer
    ) throws -> (count: Int, isExact: Bool) {
        guard let parts = DecimalParts(bytes: RawSpan(_unsafeBytes: bytes)) else {
            throw StorageError(.damagedRecord("a decimal is none"))
        }
        return DecimalKey.withBytes(of: parts) { write(content: $0, at: start) }
    }

    @inline(__always)
    private func write(bits: UInt64, ofWidth width: UInt8, at start: UnsafeMutableRawPointer) throws -> Int {
        switch kind {
        case .int64 where width <= 8: return write(KeyScalars.bits(Int64(bitPattern: bits)), at: start)
        case .uint64 where width <= 8: return write(bits, at: start)
        case .int32 where width <= 4: return write(KeyScalars.bits(Int32(truncatingIfNeeded: bits)), at: start)
        case .int16 where width <= 2: return write(KeyScalars.bits(Int16(truncatingIfNeeded: bits)), at: start)
        case .int8 where width <= 1: return write(KeyScalars.bits(Int8(truncatingIfNeeded: bits)), at: start)
        case .uint32 where width <= 4: return write(UInt32(truncatingIfNeeded: bits), at: start)
        case .uint16 where width <= 2: return write(UInt16(truncatingIfNeeded: bits), at: start)
        case .uint8 where width <= 1, .bool where width <= 1: return write(UInt8(truncatingIfNeeded: bits), at: start)
        default: throw StorageError(.typeMismatch(expected: "\(type)", found: "an integer of \(width) bytes"))
        }
    }

    @inline(__always)
    private func load<I: FixedWidthInteger & BitwiseCopyable>(_ bytes: UnsafeRawBufferPointer) throws -> I {
        guard bytes.count == MemoryLayout<I>.size else {
            throw StorageError(.damagedRecord("a value has the wrong width"))
        }
        return bytes.littleEndian(at: 0)
    }

    private func write(integer value: Value, at start: UnsafeMutableRawPointer) throws -> Int {
        switch kind {
        case .int8: write(KeyScalars.bits(try integer(value) as Int8), at: start)
        case .int16: write(KeyScalars.bits(try integer(value) as Int16), at: start)
        case .int32: write(KeyScalars.bits(try integer(value) as Int32), at: start)
        case .int64: write(KeyScalars.bits(try integer(value) as Int64), at: start)
        case .uint8: write(try integer(value) as UInt8, at: start)
        case .uint16: write(try integer(value) as UInt16, at: start)
        case .uint32: write(try integer(value) as UInt32, at: start)
        case .uint64: write(try integer(value) as UInt64, at: start)
        default: throw mismatch(value)
        }
    }

    private func integer<I: FixedWidthInteger>(_ value: Value) throws -> I {
        let exact: I? =
            switch value {
            case .int(let value): I(exactly: value)
            case .uint(let value): I(exactly: value)
            default: nil
            }
        guard let exact else { throw mismatch(value) }
        return exact
    }

    private func mismatch(_ value: Value) -> StorageError {
        StorageError(.typeMismatch(expected: "\(type)", found: value.kindName))
    }

    func writeNull(at start: UnsafeMutableRawPointer) -> Int {
        let width = fixedWidth ?? 1
        start.initializeMemory(as: UInt8.self, repeating: inverts ? 0xFF : 0x00, count: width)
        return width
    }

    @inline(__always)
    private func write<I: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ bits: I, at start: UnsafeMutableRawPointer
    ) -> Int {
        start.storeBytes(of: valueTag, as: UInt8.self)
        start.store(bigEndian: inverts ? ~bits : bits, at: 1)
        return MemoryLayout<I>.size &+ 1
    }

    private func write(raw bytes: UnsafeRawBufferPointer, at start: UnsafeMutableRawPointer) -> Int {
        start.storeBytes(of: 0x01, as: UInt8.self)
        UnsafeMutableRawBufferPointer(start: start + 1, count: bytes.count).copyMemory(from: bytes)
        if inverts { invert(start, count: bytes.count &+ 1) }
        return bytes.count &+ 1
    }

    /// Content, escaped, with its terminator, or cut to the share.
    @inline(__always)
    private func write(
        content: UnsafeRawBufferPointer, at start: UnsafeMutableRawPointer
    ) -> (count: Int, isExact: Bool) {
        start.storeBytes(of: 0x01, as: UInt8.self)
        var end = 1
        var isExact = true
        for index in 0..<content.count {
            let byte = content[index]
            guard end < share else {
                isExact = false
                break
            }
            if byte > 1 {
                start.storeBytes(of: byte, toByteOffset: end, as: UInt8.self)
                end &+= 1
            } else {
                start.storeBytes(of: 0x01, toByteOffset: end, as: UInt8.self)
                end &+= 1
                guard end < share else {
                    isExact = false
                    break
                }
                start.storeBytes(of: byte &+ 1, toByteOffset: end, as: UInt8.self)
                end &+= 1
            }
        }
        if isExact && end < share {
            start.storeBytes(of: 0x00, toByteOffset: end, as: UInt8.self)
            end &+= 1
        } else {
            isExact = false
            if hashesCut { write(hashOf: content, at: start + orderedShare) }
        }
        if inverts { invert(start, count: end) }
        return (end, isExact)
    }

    /// Writes the hash of the content that is cut. No terminator follows, which shows that the component is cut.
    @inline(never)
    private func write(hashOf content: UnsafeRawBufferPointer, at start: UnsafeMutableRawPointer) {
        let hash = Checksum.hash64(content)
        for offset in 0..<Self.hashWidth {
            let byte = UInt8(truncatingIfNeeded: hash >> UInt64(56 - 8 * offset))
            start.storeBytes(of: max(byte, 1), toByteOffset: offset, as: UInt8.self)
        }
    }

    private func invert(_ start: UnsafeMutableRawPointer, count: Int) {
        for offset in 0..<count {
            start.storeBytes(
                of: ~start.load(fromByteOffset: offset, as: UInt8.self), toByteOffset: offset, as: UInt8.self)
        }
    }
}
