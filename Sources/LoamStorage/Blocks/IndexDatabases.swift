package import LMDB

/// The two databases that hold every index of a store.
package struct IndexDatabases: Hashable, Sendable {
    /// Index id and separator to block.
    package var indexes: Database
    /// Index id, level 0 and the lower bound of a run to ``RunSums``.
    package var counters: Database

    package init(indexes: Database, counters: Database) {
        self.indexes = indexes
        self.counters = counters
    }
}

/// The keys of the two databases. Numbers are big endian.
enum IndexKeys {
    static let idCount = 4
    /// Index id and the level of the sums, of which there is one.
    static let runStart = 5
    /// LMDB's longest key; a longer bound is cut, which changes no search: separators end well before.
    static let longest = 511

    static func fillBlockKey(_ key: inout ByteBuffer, _ id: IndexID, _ separator: UnsafeRawBufferPointer) {
        key.removeAll()
        key.append(bigEndian: id)
        key.append(UnsafeRawBufferPointer(rebasing: separator.prefix(longest - idCount)))
    }

    static func fillRunKey(_ key: inout ByteBuffer, _ id: IndexID, _ separator: UnsafeRawBufferPointer) {
        key.removeAll()
        key.append(bigEndian: id)
        key.append(0)
        key.append(UnsafeRawBufferPointer(rebasing: separator.prefix(longest - runStart)))
    }

    /// Whether a key belongs to a block of this index.
    @inline(__always)
    static func isBlock(_ key: UnsafeRawBufferPointer, of id: IndexID) -> Bool {
        key.count >= idCount && key.bigEndian(at: 0) == id
    }

    /// Whether a key belongs to a run of this index.
    @inline(__always)
    static func isRun(_ key: UnsafeRawBufferPointer, of id: IndexID) -> Bool {
        key.count >= runStart && isBlock(key, of: id) && key[idCount] == 0
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

extension UnsafeRawBufferPointer {
    /// Bytewise order, a beginning before what continues it.
    @inline(__always)
    func isBelow(_ other: UnsafeRawBufferPointer) -> Bool {
        guard let left = baseAddress, let right = other.baseAddress else { return count < other.count }
        let order = left.compare(right, Swift.min(count, other.count))
        return order == 0 ? count < other.count : order < 0
    }
}

extension [UInt8] {
    /// Bytewise order, a beginning before what continues it.
    @inline(__always)
    func isBelow(_ other: [UInt8]) -> Bool {
        withUnsafeBytes { left in other.withUnsafeBytes { left.isBelow($0) } }
    }
}
