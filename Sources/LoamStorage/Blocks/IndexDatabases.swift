package import LMDB

/// The two databases that hold every index of a store.
package struct IndexDatabases: Hashable, Sendable {
    /// The database of blocks: from index id and separator to a block.
    package var indexes: Database
    /// The database of sums: from index id, level 0 and the lower bound of a run to ``RunSums``.
    package var counters: Database

    package init(indexes: Database, counters: Database) {
        self.indexes = indexes
        self.counters = counters
    }
}

/// The keys of the two databases. Numbers are big endian.
enum IndexKeys {
    /// What a key is of.
    enum Level {
        /// A block: index id, separator.
        case blocks
        /// The sums of a run: index id, the level of the sums, of which there is one, and the run's lower bound.
        case runs

        /// The number of bytes before the separator.
        var prefixCount: Int { self == .blocks ? 4 : 5 }
    }

    /// LMDB's longest key; a longer bound is cut, which changes no search: separators end well before.
    static let longest = 511

    static func fill(
        _ key: inout ByteBuffer, level: Level, index id: IndexID, separator: UnsafeRawBufferPointer
    ) {
        key.removeAll()
        key.append(bigEndian: id)
        if level == .runs { key.append(0) }
        key.append(UnsafeRawBufferPointer(rebasing: separator.prefix(longest - level.prefixCount)))
    }

    /// Lends the key of a block or a run, which takes nothing from the heap.
    static func withKey<R>(
        _ level: Level, index id: IndexID, separator: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        let prefixCount = level.prefixCount
        let taken = min(separator.count, longest - prefixCount)
        return try withUnsafeTemporaryAllocation(byteCount: prefixCount + taken, alignment: 8) { key in
            key.storeBytes(of: id.bigEndian, as: IndexID.self)
            if level == .runs { key[4] = 0 }
            if let start = separator.baseAddress, let key = key.baseAddress {
                (key + prefixCount).copyMemory(from: start, byteCount: taken)
            }
            return try body(UnsafeRawBufferPointer(key))
        }
    }

    /// Whether a key belongs to a block, or to a run, of this index.
    @inline(__always)
    static func isKey(_ key: UnsafeRawBufferPointer, of id: IndexID, level: Level) -> Bool {
        key.count >= level.prefixCount && key.bigEndian(at: 0) == id && (level == .blocks || key[4] == 0)
    }
}

extension ByteBuffer {
    /// The bytes as LMDB takes them, for one call: what holds the buffer often has to be changed by that call, so the
    /// compiler does not tie the span to it.
    var span: RawSpan {
        @_lifetime(immortal)
        get { _overrideLifetime(RawSpan(_unsafeStart: start, byteCount: count), copying: ()) }
    }
}
