import LoamStorage

/// Makes the bytes by which rows are sorted in memory: the ordered keys of indexes, whole however long they are.
struct SortKeys: Sendable {
    /// Wide enough for most values; a longer one gets a component of its own.
    private static let usualShare = 480

    private let order: [ResolvedSortKey]
    let keys: [KeyComponent]

    init(_ order: [ResolvedSortKey]) throws {
        self.order = order
        keys = try order.map { try Self.component($0, share: Self.usualShare) }
    }

    private static func component(_ key: ResolvedSortKey, share: Int) throws -> KeyComponent {
        try KeyComponent(key.path.type, isOptional: true, direction: key.direction, form: key.form, share: share)
    }

    /// - Parameter values: one for each key of the order, in its order.
    func bytes(of values: some Sequence<Value>) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try append(values, to: &bytes)
        return bytes
    }

    /// Appends the bytes of `values`, one for each key of the order, in its order.
    func append(_ values: some Sequence<Value>, to bytes: inout [UInt8]) throws {
        for (position, value) in zip(keys.indices, values) {
            let start = bytes.count
            guard try !keys[position].append(value, to: &bytes) else { continue }
            var share = Self.usualShare
            repeat {
                bytes.removeSubrange(start...)
                share *= 4
            } while try !Self.component(order[position], share: share).append(value, to: &bytes)
        }
    }
}
