extension BlockContents {
    /// Writes the block of `range` under `separator` to `output`, which has `measure.byteCount` bytes. O(bytes).
    func encode(
        _ range: Range<Int>, measure: BlockMeasure, separator: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) {
        guard let block = output.baseAddress, output.count == measure.byteCount else {
            preconditionFailure("A block is written into exactly the bytes that were measured for it.")
        }
        block.store16(range.count, at: BlockFormat.countAt)
        block.store16(measure.inexactCount, at: BlockFormat.inexactCountAt)
        block.store16(measure.prefixCount, at: BlockFormat.prefixCountAt)
        block.storeBytes(
            of: measure.isCompressed ? BlockFormat.compressedFlag : 0, toByteOffset: BlockFormat.flagsAt,
            as: UInt8.self)
        block.storeBytes(
            of: UInt8(truncatingIfNeeded: measure.rowIDWidth), toByteOffset: BlockFormat.rowIDWidthAt, as: UInt8.self)
        block.store(littleEndian: measure.rowIDBase, at: BlockFormat.rowIDBaseAt)
        var at = BlockFormat.headerCount
        (block + at).copyMemory(from: keys.start + keyStart(range.lowerBound), byteCount: measure.prefixCount)
        at += measure.prefixCount
        at = encodeRowIDs(range, measure: measure, block: block, start: at)
        at = encodeInexact(range, measure: measure, block: block, start: at)
        at =
            measure.isCompressed
            ? encodeCompressed(range, measure: measure, block: block, start: at)
            : encodeFixed(range, measure: measure, block: block, start: at)
        for column in 0..<shape.includedCount { at = encode(column: column, range: range, block: block, start: at) }
        block.store(
            littleEndian: BlockChecksum.sum(of: UnsafeRawBufferPointer(output), separator: separator, id: shape.id),
            at: BlockFormat.checksumAt)
    }

    private func encodeRowIDs(
        _ range: Range<Int>, measure: BlockMeasure, block: UnsafeMutableRawPointer, start: Int
    ) -> Int {
        let width = measure.rowIDWidth
        let end = start + range.count * width
        rowIDs.withUnsafeBufferPointer { rows in
            var target = block + start
            // Eight bytes at a time while what is written too much is overwritten by the next.
            for index in range {
                let delta = rows[index] - measure.rowIDBase
                if target - block + 8 <= end {
                    target.store(littleEndian: delta, at: 0)
                } else {
                    for byte in 0..<width {
                        target.storeBytes(
                            of: UInt8(truncatingIfNeeded: delta >> UInt64(8 * byte)), toByteOffset: byte, as: UInt8.self
                        )
                    }
                }
                target += width
            }
        }
        return end
    }

    private func encodeInexact(
        _ range: Range<Int>, measure: BlockMeasure, block: UnsafeMutableRawPointer, start: Int
    ) -> Int {
        guard measure.inexactCount > 0 else { return start }
        let byteCount = (range.count + 7) / 8
        for byte in 0..<byteCount {
            var bits: UInt8 = 0
            for bit in 0..<min(8, range.count - 8 * byte) where inexact[range.lowerBound + 8 * byte + bit] {
                bits |= 1 << UInt8(bit)
            }
            block.storeBytes(of: bits, toByteOffset: start + byte, as: UInt8.self)
        }
        return start + byteCount
    }

    private func encodeFixed(
        _ range: Range<Int>, measure: BlockMeasure, block: UnsafeMutableRawPointer, start: Int
    ) -> Int {
        block.store16(measure.suffixCount, at: start)
        var target = block + start + 2
        for index in range {
            target.copyFew(keys.start + keyStart(index) + measure.prefixCount, count: measure.suffixCount)
            target += measure.suffixCount
        }
        return target - block
    }

    private func encodeCompressed(
        _ range: Range<Int>, measure: BlockMeasure, block: UnsafeMutableRawPointer, start: Int
    ) -> Int {
        block.store16(measure.compressedCount, at: start)
        let restarts = (range.count + BlockFormat.restartInterval - 1) / BlockFormat.restartInterval
        let entriesStart = start + 2 + 2 * restarts
        var at = entriesStart
        for index in range {
            let entry = index - range.lowerBound
            var common = shared[index] - measure.prefixCount
            if entry % BlockFormat.restartInterval == 0 {
                block.store16(at - entriesStart, at: start + 2 + 2 * (entry / BlockFormat.restartInterval))
                common = 0
            }
            let rest = keyCount(index) - measure.prefixCount - common
            at = encode(number: common, block: block, at: at)
            at = encode(number: rest, block: block, at: at)
            (block + at).copyFew(keys.start + keyStart(index) + measure.prefixCount + common, count: rest)
            at += rest
        }
        return at
    }

    @inline(__always)
    private func encode(number: Int, block: UnsafeMutableRawPointer, at: Int) -> Int {
        if number < 128 {
            block.storeBytes(of: UInt8(truncatingIfNeeded: number), toByteOffset: at, as: UInt8.self)
            return at + 1
        }
        block.storeBytes(of: UInt8(truncatingIfNeeded: number & 127 | 128), toByteOffset: at, as: UInt8.self)
        block.storeBytes(of: UInt8(truncatingIfNeeded: number >> 7), toByteOffset: at + 1, as: UInt8.self)
        return at + 2
    }

    private func encode(column: Int, range: Range<Int>, block: UnsafeMutableRawPointer, start: Int) -> Int {
        var at = start + 1
        if let code = uniformCode(column, range: range) {
            block.storeBytes(of: BlockFormat.uniformColumn, toByteOffset: start, as: UInt8.self)
            block.storeBytes(of: code, toByteOffset: at, as: UInt8.self)
            at += 1
        } else {
            block.storeBytes(of: BlockFormat.mixedColumn, toByteOffset: start, as: UInt8.self)
            for index in range {
                block.storeBytes(of: code(column, index: index), toByteOffset: at, as: UInt8.self)
                at += 1
            }
        }
        for index in range {
            let field = includedField(column, index: index)
            guard let bytes = field.baseAddress else { continue }
            (block + at).copyMemory(from: bytes, byteCount: field.count)
            at += field.count
        }
        return at
    }

    /// The bytes of an included field; empty when it is null, empty or left out.
    func includedField(_ column: Int, index: Int) -> UnsafeRawBufferPointer {
        var start = includedStart(index) + shape.includedCount
        for before in 0..<column { start += BlockView.Column.length(code(before, index: index)) }
        return UnsafeRawBufferPointer(
            start: included.start + start, count: BlockView.Column.length(code(column, index: index)))
    }
}
