/// A block as it lies in the file, its outline checked.
///
/// Making one costs some 20 ns and checks every offset that the header alone determines; front-compressed entries and
/// included columns are checked as they are read. The checksum is not looked at. The memory is the caller's: a view
/// never outlives the closure that lends the bytes.
struct BlockView {
    let base: UnsafeRawPointer
    let byteCount: Int
    let shape: BlockShape
    let count: Int
    let inexactCount: Int
    let prefixCount: Int
    let isCompressed: Bool
    let rowIDWidth: Int
    let rowIDBase: RowID
    let rowIDsStart: Int
    /// Where the inexact bits lie, if there are any.
    let inexactStart: Int
    /// The bytes of a suffix in a block of fixed stride.
    let suffixCount: Int
    /// The table of restarts in a front-compressed block.
    let restartsStart: Int
    let restartCount: Int
    /// The first suffix or front-compressed entry.
    let entriesStart: Int
    let entriesEnd: Int

    init(_ bytes: UnsafeRawBufferPointer, shape: BlockShape) throws(StorageError) {
        guard let base = bytes.baseAddress, bytes.count >= BlockFormat.headerCount, bytes.count <= Int(UInt16.max)
        else {
            throw BlockFormat.damaged("its size is wrong")
        }
        self.base = base
        self.byteCount = bytes.count
        self.shape = shape
        count = base.u16(BlockFormat.countAt)
        inexactCount = base.u16(BlockFormat.inexactCountAt)
        prefixCount = base.u16(BlockFormat.prefixCountAt)
        let flags = base.load(fromByteOffset: BlockFormat.flagsAt, as: UInt8.self)
        isCompressed = flags & BlockFormat.compressedFlag != 0
        rowIDWidth = Int(base.load(fromByteOffset: BlockFormat.rowIDWidthAt, as: UInt8.self))
        rowIDBase = base.u64(BlockFormat.rowIDBaseAt)
        guard count > 0, inexactCount <= count, prefixCount <= BlockFormat.maximumKey,
            flags & ~BlockFormat.compressedFlag == 0, (1...8).contains(rowIDWidth)
        else { throw BlockFormat.damaged("its header is wrong") }

        // Every term is below 2^16 x 8, so the sums cannot overflow.
        rowIDsStart = BlockFormat.headerCount + prefixCount
        inexactStart = rowIDsStart + count * rowIDWidth
        let keysStart = inexactStart + (inexactCount > 0 ? (count + 7) / 8 : 0)
        guard keysStart + 2 <= byteCount else { throw BlockFormat.damaged("it ends before its keys") }
        let size = base.u16(keysStart)
        restartsStart = keysStart + 2
        if isCompressed {
            suffixCount = 0
            restartCount = (count + BlockFormat.restartInterval - 1) / BlockFormat.restartInterval
            entriesStart = restartsStart + 2 * restartCount
            entriesEnd = entriesStart + size
            guard shape.stride == nil else { throw BlockFormat.damaged("fixed-size keys are compressed") }
        } else {
            suffixCount = size
            restartCount = 0
            entriesStart = restartsStart
            entriesEnd = entriesStart + count * size
            guard prefixCount + size <= BlockFormat.maximumKey, shape.stride.map({ $0 == prefixCount + size }) ?? true
            else { throw BlockFormat.damaged("its keys have a wrong width") }
        }
        guard shape.includedCount == 0 ? entriesEnd == byteCount : entriesEnd <= byteCount else {
            throw BlockFormat.damaged("its keys do not end where they should")
        }
    }

    /// The number of entries that a block's header states, without a look at the rest.
    @inline(__always)
    static func count(of bytes: UnsafeRawBufferPointer) throws(StorageError) -> Int {
        guard let base = bytes.baseAddress, bytes.count >= BlockFormat.headerCount else {
            throw BlockFormat.damaged("its size is wrong")
        }
        return base.u16(BlockFormat.countAt)
    }

    /// The common prefix.
    var prefix: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + BlockFormat.headerCount, count: prefixCount)
    }

    /// The row id of entry `index`, which must exist.
    @inline(__always)
    func rowID(at index: Int) -> RowID {
        var delta: UInt64 = 0
        let start = rowIDsStart + index * rowIDWidth
        for at in 0..<rowIDWidth {
            delta |= UInt64(base.load(fromByteOffset: start + at, as: UInt8.self)) << UInt64(8 * at)
        }
        return rowIDBase &+ delta
    }

    @inline(__always)
    func isInexact(at index: Int) -> Bool {
        guard inexactCount > 0 else { return false }
        return base.load(fromByteOffset: inexactStart + index / 8, as: UInt8.self) & (1 << UInt8(index % 8)) != 0
    }

    /// Writes the row ids of `range` to `output`, in order or in reverse. About 0.3 ns each.
    func decodeRowIDs(_ range: Range<Int>, reversed: Bool, into output: UnsafeMutablePointer<RowID>) {
        let source = base + rowIDsStart + range.lowerBound * rowIDWidth
        let first = rowIDBase
        switch rowIDWidth {
        case 1:
            unpack(range.count, reversed: reversed, output: output) {
                first &+ UInt64(source.load(fromByteOffset: $0, as: UInt8.self))
            }
        case 2: unpack(range.count, reversed: reversed, output: output) { first &+ UInt64(source.u16(2 * $0)) }
        case 3:
            // A key section follows the row ids, so the fourth byte of the last one exists.
            unpack(range.count, reversed: reversed, output: output) { first &+ UInt64(source.u32(3 * $0) & 0xFF_FFFF) }
        case 4: unpack(range.count, reversed: reversed, output: output) { first &+ UInt64(source.u32(4 * $0)) }
        case 8: unpack(range.count, reversed: reversed, output: output) { first &+ source.u64(8 * $0) }
        default:
            let width = rowIDWidth
            unpack(range.count, reversed: reversed, output: output) { index in
                var high: UInt64 = 0
                for at in 4..<width {
                    high |= UInt64(source.load(fromByteOffset: width * index + at, as: UInt8.self)) << UInt64(8 * at)
                }
                return first &+ (high | UInt64(source.u32(width * index)))
            }
        }
    }

    @inline(__always)
    private func unpack(
        _ count: Int, reversed: Bool, output: UnsafeMutablePointer<RowID>, _ rowID: (Int) -> RowID
    ) {
        if reversed {
            for index in 0..<count { output[count - 1 - index] = rowID(index) }
        } else {
            for index in 0..<count { output[index] = rowID(index) }
        }
    }
}
