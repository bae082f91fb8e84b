/// Reading of front-compressed entries, and of single keys.
extension BlockView {
    /// A front-compressed entry: how much it shares with the one before, and where its own bytes lie.
    struct CompressedEntry {
        let shared: Int
        let restStart: Int
        let restCount: Int
    }

    /// Walks front-compressed entries; every step is checked against the end of the entries and of a key.
    struct CompressedReader {
        let base: UnsafeRawPointer
        let end: Int
        let longest: Int
        var at: Int
        /// Suffix bytes of the entry before.
        var previousCount = 0

        mutating func next() throws(StorageError) -> CompressedEntry {
            let shared = try number()
            let restCount = try number()
            guard shared <= previousCount, restCount <= end - at, shared + restCount <= longest else {
                throw BlockFormat.damaged("an entry is longer than its place")
            }
            let entry = CompressedEntry(shared: shared, restStart: at, restCount: restCount)
            at += restCount
            previousCount = shared + restCount
            return entry
        }

        @inline(__always)
        private mutating func number() throws(StorageError) -> Int {
            guard at < end else { throw BlockFormat.damaged("its entries end too early") }
            let low = Int(base.load(fromByteOffset: at, as: UInt8.self))
            at += 1
            guard low >= 128 else { return low }
            guard at < end else { throw BlockFormat.damaged("its entries end too early") }
            let high = Int(base.load(fromByteOffset: at, as: UInt8.self))
            at += 1
            return low & 127 | high << 7
        }
    }

    /// A reader at a restart, which must exist.
    func entries(fromRestart restart: Int) throws(StorageError) -> CompressedReader {
        let at = entriesStart + base.u16(restartsStart + 2 * restart)
        guard at < entriesEnd else { throw BlockFormat.damaged("a restart lies outside its entries") }
        return CompressedReader(base: base, end: entriesEnd, longest: BlockFormat.maximumKey - prefixCount, at: at)
    }

    /// Replaces `key` by the component bytes of entry `index`, which must exist. O(1).
    func copyKey(at index: Int, into key: inout ByteBuffer) throws(StorageError) {
        key.removeAll()
        key.append(base + BlockFormat.headerCount, byteCount: prefixCount)
        guard isCompressed else {
            key.append(base + entriesStart + index * suffixCount, byteCount: suffixCount)
            return
        }
        var reader = try entries(fromRestart: index / BlockFormat.restartInterval)
        for _ in 0...index % BlockFormat.restartInterval {
            let entry = try reader.next()
            key.truncate(to: prefixCount + entry.shared)
            key.append(base + entry.restStart, byteCount: entry.restCount)
        }
    }

    /// Fills `keys` with the component bytes of some entries, one after another, and `ends` with the end of each; no
    /// ends when the shape has a stride. O(entries decoded).
    ///
    /// Restarts must lie where the entries lead to, so that there is one way to read a block.
    ///
    /// - Returns: The first entry decoded: the first one of the range, or one of up to 15 before it.
    @discardableResult
    func decodeKeys(
        _ range: Range<Int>, into keys: inout ByteBuffer, ends: inout [Int]
    ) throws(StorageError) -> Int {
        keys.removeAll()
        ends.removeAll(keepingCapacity: true)
        guard isCompressed else {
            decodeFixedKeys(range, into: &keys, ends: &ends)
            return range.lowerBound
        }
        let prefixStart = base + BlockFormat.headerCount
        let restart = range.lowerBound / BlockFormat.restartInterval
        let first = restart * BlockFormat.restartInterval
        var reader = try entries(fromRestart: restart)
        var start = 0
        for index in first..<range.upperBound {
            if index % BlockFormat.restartInterval == 0 {
                let offset = base.u16(restartsStart + 2 * (index / BlockFormat.restartInterval))
                guard reader.at == entriesStart + offset else { throw BlockFormat.damaged("a restart is misplaced") }
                reader.previousCount = 0
            }
            let entry = try reader.next()
            let previous = start
            start = keys.count
            keys.append(prefixStart, byteCount: prefixCount)
            keys.appendOwn(from: previous + prefixCount, entry.shared)
            keys.append(base + entry.restStart, byteCount: entry.restCount)
            ends.append(keys.count)
        }
        guard range.upperBound < count || reader.at == entriesEnd else {
            throw BlockFormat.damaged("its entries end too late")
        }
        return first
    }

    private func decodeFixedKeys(_ range: Range<Int>, into keys: inout ByteBuffer, ends: inout [Int]) {
        let stride = prefixCount + suffixCount
        keys.append(byteCount: range.count * stride) { decodeFixedKeys(range, into: $0) }
        guard shape.stride == nil else { return }
        for number in 0..<range.count { ends.append((number + 1) * stride) }
    }

    /// Writes the component bytes of some entries, and up to seven bytes behind them.
    private func decodeFixedKeys(_ range: Range<Int>, into keys: UnsafeMutableRawPointer) {
        let prefixStart = base + BlockFormat.headerCount
        var (source, target) = (base + entriesStart + range.lowerBound * suffixCount, keys)
        var left = range.count
        if prefixCount <= 8, (1...8).contains(suffixCount), BlockFormat.headerCount + 8 <= byteCount {
            // Short parts are moved as whole words: what a word has too much, the next one overwrites. The last
            // suffixes may end too close to the block's end to be read as one.
            let prefix = prefixStart.u64(0)
            while left > 0, source + 8 <= base + byteCount {
                target.store(littleEndian: prefix, at: 0)
                target.store(littleEndian: source.u64(0), at: prefixCount)
                source += suffixCount
                target += prefixCount + suffixCount
                left -= 1
            }
        }
        for _ in 0..<left {
            target.copyFew(prefixStart, count: prefixCount)
            (target + prefixCount).copyFew(source, count: suffixCount)
            source += suffixCount
            target += prefixCount + suffixCount
        }
    }
}
