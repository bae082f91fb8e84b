import LoamStorage

/// The keys of a leaf, written out.
struct RowKeys {
    private var storage: RowStorage?
    private var ends: [Int] = []
    private var bytes: [UInt8] = []

    /// Writes out the keys of a leaf, unless they are those that it has.
    mutating func read(_ storage: RowStorage) {
        guard storage !== self.storage else { return }
        self.storage = storage
        ends.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        var key: [UInt8] = []
        storage.withKeys { reader in
            for _ in 0..<storage.count {
                reader.read(into: &key)
                bytes += key
                ends.append(bytes.count)
            }
        }
    }

    /// Compares two keys: negative, zero or positive.
    func compare(_ position: Int, with other: RowKeys, _ otherPosition: Int) -> Int {
        withKey(position) { key in other.withKey(otherPosition) { key.order(against: $0) } }
    }

    private func withKey<R>(_ position: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        let range = (position == 0 ? 0 : ends[position - 1])..<ends[position]
        return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}
