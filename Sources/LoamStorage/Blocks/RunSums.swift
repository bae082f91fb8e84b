/// What a run of blocks holds: a value of `counters`, four numbers of eight bytes, little endian.
package struct RunSums: Hashable, Sendable {
    package var entries = 0
    package var inexact = 0
    package var blocks = 0
    /// Bytes of blocks and separators.
    package var bytes = 0

    static let byteCount = 32

    static func += (left: inout RunSums, right: RunSums) {
        left.entries &+= right.entries
        left.inexact &+= right.inexact
        left.blocks &+= right.blocks
        left.bytes &+= right.bytes
    }

    static prefix func - (sums: RunSums) -> RunSums {
        RunSums(entries: -sums.entries, inexact: -sums.inexact, blocks: -sums.blocks, bytes: -sums.bytes)
    }

    /// Whether a run can hold this much.
    var isPossible: Bool { entries >= 0 && inexact >= 0 && blocks >= 0 && bytes >= 0 && inexact <= entries }

    /// - Throws: `inconsistent` for a value of another size, or numbers that no run can have.
    init(bytes value: UnsafeRawBufferPointer) throws(StorageError) {
        guard let base = value.baseAddress, value.count == Self.byteCount else { throw Self.wrong }
        let numbers = (base.u64(0), base.u64(8), base.u64(16), base.u64(24))
        // Below 2^48 sums of any number of runs stay far from overflow.
        guard numbers.0 | numbers.1 | numbers.2 | numbers.3 < 1 << 48 else { throw Self.wrong }
        entries = Int(truncatingIfNeeded: numbers.0)
        inexact = Int(truncatingIfNeeded: numbers.1)
        blocks = Int(truncatingIfNeeded: numbers.2)
        bytes = Int(truncatingIfNeeded: numbers.3)
        guard isPossible else { throw Self.wrong }
    }

    init(entries: Int = 0, inexact: Int = 0, blocks: Int = 0, bytes: Int = 0) {
        self.entries = entries
        self.inexact = inexact
        self.blocks = blocks
        self.bytes = bytes
    }

    /// The sums of one block, by its header.
    init(block: UnsafeRawBufferPointer, separatorCount: Int) throws(StorageError) {
        guard let base = block.baseAddress, block.count >= BlockFormat.headerCount else {
            throw BlockFormat.damaged("its size is wrong")
        }
        self.init(
            entries: base.u16(BlockFormat.countAt), inexact: base.u16(BlockFormat.inexactCountAt), blocks: 1,
            bytes: block.count + separatorCount)
    }

    func append(to value: inout ByteBuffer) {
        for number in [entries, inexact, blocks, bytes] { value.append(littleEndian: Int64(number)) }
    }

    static var wrong: StorageError { StorageError(.inconsistent("the sums of an index are wrong")) }
}
