// Integers as bytes of a file: every load, store and append of them goes through here. Loads and stores are unaligned.

extension UnsafeRawPointer {
    /// A little-endian integer at an offset; the caller has checked that its bytes are there.
    @inline(__always)
    func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, as: Number.Type = Number.self
    ) -> Number {
        Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    /// A big-endian integer at an offset; the caller has checked that its bytes are there.
    @inline(__always)
    func bigEndian<Number: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, as: Number.Type = Number.self
    ) -> Number {
        Number(bigEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
}

extension UnsafeRawBufferPointer {
    /// A little-endian integer at an offset; the caller has checked that its bytes are there.
    @inline(__always)
    func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, as: Number.Type = Number.self
    ) -> Number {
        Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    /// A big-endian integer at an offset; the caller has checked that its bytes are there.
    @inline(__always)
    func bigEndian<Number: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, as: Number.Type = Number.self
    ) -> Number {
        Number(bigEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
}

extension RawSpan {
    /// A little-endian integer at an offset that the caller has checked: `offset + size <= byteCount`.
    @inline(__always)
    func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, as: Number.Type = Number.self
    ) -> Number {
        Number(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: Number.self))
    }
}

extension UnsafeMutableRawPointer {
    /// Writes an integer little endian at an offset; the caller has checked that there is room.
    @inline(__always)
    func store<Number: FixedWidthInteger & BitwiseCopyable>(littleEndian number: Number, at offset: Int) {
        storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
    }

    /// Writes an integer big endian at an offset; the caller has checked that there is room.
    @inline(__always)
    func store<Number: FixedWidthInteger & BitwiseCopyable>(bigEndian number: Number, at offset: Int) {
        storeBytes(of: number.bigEndian, toByteOffset: offset, as: Number.self)
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Writes an integer little endian at an offset; the caller has checked that there is room.
    @inline(__always)
    func store<Number: FixedWidthInteger & BitwiseCopyable>(littleEndian number: Number, at offset: Int) {
        storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
    }
}

extension [UInt8] {
    /// The bytes of an integer, big endian.
    init(bigEndian number: some FixedWidthInteger) {
        self = Swift.withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// The bytes of an integer, little endian.
    init(littleEndian number: some FixedWidthInteger) {
        self = Swift.withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    package mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    mutating func append(littleEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
