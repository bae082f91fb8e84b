import LoamQuery
import LoamStorage

extension ModelContext {
    /// Some models of a result, and the place where it goes on: as many as the descriptor's limit, behind a place that
    /// an earlier page gave.
    ///
    /// ```swift
    /// var descriptor = FetchDescriptor<City>(sortBy: [SortDescriptor(\.name)])
    /// descriptor.fetchLimit = 100
    /// var page = try context.fetchPage(descriptor)
    /// while let next = page.next { page = try context.fetchPage(descriptor, after: next) }
    /// ```
    ///
    /// The place is a value in the order, no number of models: what is inserted and deleted before it meanwhile moves
    /// nothing. A model that is changed so that it comes behind the place is found again, one that comes before it is
    /// not. Unsaved changes of the context count.
    ///
    /// Costs what the rows of the page cost where an index answers the predicate and the order, however far behind the
    /// place is: the index is entered at the value of the first sort key, and rows that are equal in that are passed
    /// over. Elsewhere as much as ``fetch(_:)`` with that limit.
    ///
    /// - Parameters:
    ///   - descriptor: which models, in which order; its limit is the length of the page.
    ///   - cursor: the place behind which the page begins. Nil for the first page, which alone the offset is for.
    /// - Throws: ``SwiftDataError/unsupportedSortDescriptor`` for a cursor of another store or another order, and for a
    ///   localized order; else as
    ///   ``fetch(_:)``.
    public func fetchPage<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, after cursor: FetchCursor<T>? = nil
    ) throws -> FetchPage<T> {
        try throwKeptError()
        receiveChanges()
        do {
            let store = try store(of: T.self)
            var query = try descriptor.query(in: store.containerStore.id)
            guard query.sort.allSatisfy({ $0.form == .exact }) else {
                throw SwiftDataError(
                    .unsupportedSortDescriptor,
                    detail: "Pages cannot resume in a localized order, which conditions do not know. Use fetch with "
                        + "fetchOffset, or sort without the comparator.")
            }
            if let cursor {
                try query.resume(
                    after: cursor, in: store.containerStore.id, schema: store.store.read { $0.schema })
            }
            let overlay = descriptor.includePendingChanges ? try store.overlay() : nil
            var (rows, next) = try store.page(of: query, overlay: overlay)
            let models: [T] = try store.objects(
                of: &rows, prefetching: descriptor.relationshipKeyPathsForPrefetching)
            let binding = try store.bindings.binding(of: T.self)
            return FetchPage(
                models: models,
                next: next.map {
                    FetchCursor(
                        order: $0.order, values: $0.values,
                        identifier: PersistentIdentifier(binding.origin, row: $0.row))
                })
        } catch {
            throw SwiftDataError(error)
        }
    }
}

extension Query {
    /// Leaves the rows behind a cursor.
    fileprivate mutating func resume<T>(
        after cursor: FetchCursor<T>, in store: String, schema: LoamStorage.Schema
    ) throws {
        guard cursor.identifier.storeIdentifier == store, cursor.identifier.entityName == entity else {
            throw SwiftDataError(
                .unsupportedSortDescriptor,
                detail: "The cursor is of another store, or of other models. Begin with the first page.")
        }
        guard let entity = schema.entity(named: entity) else { throw QueryError(.unknownEntity, part: entity) }
        guard cursor.order == orderText(in: entity),
            cursor.values.count == keysBeforeIdentifier(in: entity).count
        else {
            throw SwiftDataError(
                .unsupportedSortDescriptor,
                detail: "The cursor is of another order than the descriptor's. Use the order that it was made with, or "
                    + "begin with the first page.")
        }
        let behind = try predicateBehind(cursor.values, row: cursor.identifier.rowID, of: entity, in: schema)
        predicate = predicate.map { .and([$0, behind]) } ?? behind
        offset = 0
    }
}

extension StoreContext {
    /// Where a page ends: its last row, with the values of its sort keys and their order as text.
    fileprivate typealias PageEnd = (row: RowID, values: [LoamStorage.Value], order: [String])

    /// The rows of a page; and its end, where there are more.
    fileprivate func page(of query: Query, overlay: Overlay?) throws -> (rows: [FetchedRow], next: PageEnd?) {
        try store.read { snapshot in
            let entity = try snapshot.entity(named: query.entity)
            guard let limit = query.limit, limit > 0, limit < .max else {
                return (try Self.rows(of: query, overlay: overlay, in: snapshot), nil)
            }
            var longer = query
            longer.limit = limit + 1
            var rows = try Self.rows(of: longer, overlay: overlay, in: snapshot)
            guard rows.count > limit, case let last = rows[limit - 1].rowID else { return (rows, nil) }
            rows.removeLast()
            let isLast = QueryPredicate.comparison(.identifier, .equal, .constant(.uint(last)), .none)
            let keys = Query(
                entity: query.entity, predicate: isLast,
                columns: query.keysBeforeIdentifier(in: entity).map(\.path))
            var values: [LoamStorage.Value] = []
            var work = Work()
            try Planner.plan(keys, in: snapshot).execute(in: snapshot, overlay: overlay, work: &work) { _, found, _ in
                values = found
                return false
            }
            return (rows, (last, values, query.orderText(in: entity)))
        }
    }
}
