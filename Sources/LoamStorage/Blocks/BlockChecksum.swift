/// The checksum of a block.
enum BlockChecksum {
    /// Over the index id, the separator and every byte of the block behind the checksum itself. About 0.3 ns a byte.
    static func sum(of block: UnsafeRawBufferPointer, separator: UnsafeRawBufferPointer, id: IndexID) -> UInt64 {
        let seed = Checksum.hash64(separator, seed: UInt64(id))
        return Checksum.hash64(UnsafeRawBufferPointer(rebasing: block.dropFirst(BlockFormat.countAt)), seed: seed)
    }

    /// - Throws: `damagedBlock` when the checksum is not the block's.
    static func verify(
        _ block: UnsafeRawBufferPointer, separator: UnsafeRawBufferPointer, id: IndexID
    ) throws(StorageError) {
        guard let base = block.baseAddress, block.count >= BlockFormat.headerCount,
            base.u64(BlockFormat.checksumAt) == sum(of: block, separator: separator, id: id)
        else { throw BlockFormat.damaged("its checksum is wrong") }
    }
}
