import LoamStorage

/// The placement program of an order: makes the bytes by which rows are sorted, merged and kept in live results. They
/// are the ordered keys of indexes, whole however long they are.
struct SortKeys: Sendable {
    let order: [ResolvedSortKey]
    let program: PlacementProgram

    init(_ order: [ResolvedSortKey]) throws {
        self.order = order
        let components = try order.map { key in
            try KeyComponent(
                key.path.type, isOptional: true, direction: key.direction, form: key.form,
                share: PlacementProgram.usualShare)
        }
        let isPlain = order.allSatisfy { $0.path.call == nil }
        program = PlacementProgram(
            components, fields: order.map(\.path.field), functions: isPlain ? [] : order.map(\.path.call?.function),
            cuts: false)
    }

    var isEmpty: Bool { program.count == 0 }
    var paths: [PropertyPath] { order.map(\.path) }

    /// Appends the key of a row.
    ///
    /// - Parameters:
    ///   - entry: the row's entry, for what can be copied from it.
    ///   - related: rows of other entities, for orders that read them.
    func append<Row: RowValues & ~Escapable>(
        _ row: borrowing Row, from entry: EntryKeys? = nil, related: (any RelatedRows)?, to key: inout KeyBuffer
    ) throws {
        for number in 0..<program.count {
            if let entry, entry.append(number, to: &key) { continue }
            if try row.append(number, of: program, to: &key) { continue }
            try program.append(row.value(of: order[number].path, related), as: number, to: &key)
        }
    }

    /// Appends the key of `values`, one for each key of the order, in its order.
    func append(_ values: some Sequence<Value>, to key: inout KeyBuffer) throws {
        for (number, value) in zip(0..<program.count, values) { try program.append(value, as: number, to: &key) }
    }
}

extension PropertyPath {
    /// The position of the property that the path is, or is a function of; nil for one that leads into it, or through a
    /// relationship.
    fileprivate var field: Int? { related == nil && members.isEmpty ? position : nil }
}
