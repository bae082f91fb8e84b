/// Walks the bytes of a value that has lists in it; every bound is checked.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var offset: Int
    private let damage: @Sendable (String) -> StorageError.Kind

    /// - Parameter damage: what is thrown where the bytes end too early.
    init(_ bytes: ArraySlice<UInt8>, damage: @escaping @Sendable (String) -> StorageError.Kind) {
        self.bytes = bytes
        self.damage = damage
        offset = bytes.startIndex
    }

    var isAtEnd: Bool { offset == bytes.endIndex }

    /// A number, little endian.
    mutating func integer<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type = T.self) throws -> T {
        let end = try end(behind: MemoryLayout<T>.size)
        defer { offset = end }
        return bytes[offset..<end].withUnsafeBytes { $0.littleEndian(at: 0) }
    }

    mutating func byte() throws -> UInt8 { try integer() }

    /// Bytes behind their number, which has four.
    mutating func list() throws -> [UInt8] {
        // First: the end counts from behind it.
        let count = Int(try integer(UInt32.self))
        let end = try end(behind: count)
        defer { offset = end }
        return Array(bytes[offset..<end])
    }

    private func end(behind count: Int) throws -> Int {
        guard bytes.endIndex - offset >= count else { throw StorageError(damage("it ends too early")) }
        return offset + count
    }
}

extension [UInt8] {
    mutating func append(list: some Collection<UInt8>) {
        append(littleEndian: UInt32(list.count))
        append(contentsOf: list)
    }
}
