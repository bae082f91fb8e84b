import LoamStorage

/// Makes the bytes by which rows are sorted in memory: the ordered keys of indexes, whole however long they are.
struct SortKeys: Sendable {
    /// Wide enough for most values; a longer one gets a component of its own.
    private static let usualShare = 480

    let components: [IndexComponent]
    private let keys: [KeyComponent]

    init(_ order: [ResolvedSortKey]) throws {
        components = order.map {
            IndexComponent(
                property: $0.path.property, path: $0.path.members, type: $0.path.type, isOptional: true,
                direction: $0.direction, form: $0.form, share: Self.usualShare)
        }
        keys = try components.map(KeyComponent.init)
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
            var wide = components[position]
            repeat {
                bytes.removeSubrange(start...)
                wide.share *= 4
            } while try !KeyComponent(wide).append(value, to: &bytes)
        }
    }
}
