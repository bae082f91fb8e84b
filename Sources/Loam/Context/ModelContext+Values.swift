public import Foundation
import LoamQuery
import LoamStorage

extension ModelContext {
    /// The values of properties of the models that match, without the models: `[(name, population)]`, or `[name]` for
    /// one property.
    ///
    /// ```swift
    /// for (name, population) in try context.fetch(\City.name, \.population, where: large) { … }
    /// let codes = try context.fetch(\City.country, sortBy: [SortDescriptor(\.country)], distinct: true)
    /// ```
    ///
    /// Each value is what the property of the model would read, unsaved changes of the context included. Properties are
    /// attributes of the class, of models that to-one relationships lead to which are never nil, and the
    /// `persistentModelID`.
    ///
    /// No object is made, and no record is read where an index holds the properties and answers the predicate. Costs as
    /// much as ``fetch(_:)`` otherwise, without what objects cost.
    ///
    /// - Parameters:
    ///   - properties: whose values are wanted.
    ///   - model: the class of the models; needed where no key path names it.
    ///   - predicate: which models; nil for all.
    ///   - sortBy: the order; by identifier without one.
    ///   - distinct: whether each combination of values comes once, where the first model with it stands. That costs
    ///     memory for all of them; where the order is by the properties alone, an index may tell them without a row.
    /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for a property that cannot be fetched so, else as
    ///   ``fetch(_:)``.
    public func fetch<T: PersistentModel, each Member>(
        _ properties: repeat KeyPath<T, each Member>, of model: T.Type = T.self, where predicate: Predicate<T>? = nil,
        sortBy: [SortDescriptor<T>] = [], distinct: Bool = false
    ) throws -> [(repeat each Member)] {
        try fetch(
            repeat each properties, of: FetchDescriptor(predicate: predicate, sortBy: sortBy), distinct: distinct)
    }

    /// The values of properties of the models that a descriptor is for, as the form with a predicate gives them. The
    /// descriptor's limit and offset count rows of the result, distinct ones where these are asked for.
    ///
    /// - Throws: as the form with a predicate.
    public func fetch<T: PersistentModel, each Member>(
        _ properties: repeat KeyPath<T, each Member>, of descriptor: FetchDescriptor<T>, distinct: Bool = false
    ) throws -> [(repeat each Member)] {
        try throwKeptError()
        receiveChanges()
        do {
            let store = try store(of: T.self)
            let columns = (repeat try ResultColumn(each properties, inStore: store.containerStore.id))
            var paths: [String?] = []
            repeat paths.append((each columns).path)
            let rows = try store.values(descriptor, at: paths, distinct: distinct)
            return rows.map { row, values in
                var next = 0
                func value<Value>(_ column: ResultColumn<Value>) -> Value {
                    defer { next += 1 }
                    return column.value(of: values[next], row: row)
                }
                return (repeat value(each columns))
            }
        } catch {
            throw SwiftDataError(error)
        }
    }
}

extension StoreContext {
    /// The values at paths of the rows that match, in order; null at a path that is nil, which stands for the row id.
    fileprivate func values<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, at paths: [String?], distinct: Bool
    ) throws -> [(row: RowID, values: [LoamStorage.Value])] {
        var query = try descriptor.query(in: containerStore.id)
        query.columns = paths.compactMap(\.self)
        let overlay = descriptor.includePendingChanges ? try overlay() : nil
        // With the identifier no two are the same.
        let isDistinct = distinct && !paths.contains(nil)
        return try store.read { snapshot in
            if isDistinct { return try distinctValues(query, overlay: overlay, in: snapshot) }
            var rows: [(row: RowID, values: [LoamStorage.Value])] = []
            var work = Work()
            try Planner.plan(query, in: snapshot).execute(in: snapshot, overlay: overlay, work: &work) {
                row, values, _ in
                var values = values
                for (position, path) in paths.enumerated() where path == nil { values.insert(.null, at: position) }
                rows.append((row, values))
                return true
            }
            return rows
        }
    }

    private func distinctValues(
        _ query: Query, overlay: Overlay?, in snapshot: Snapshot
    ) throws -> [(row: RowID, values: [LoamStorage.Value])] {
        guard query.limit != 0 else { return [] }
        var work = Work()
        if let groups = query.asGroups {
            return try GroupedPlan(groups, in: snapshot).groups(in: snapshot, overlay: overlay, work: &work)
                .map { (0, $0) }
        }
        var (all, passed) = (query, 0)
        (all.limit, all.offset) = (nil, 0)
        var rows: [(row: RowID, values: [LoamStorage.Value])] = []
        try Planner.plan(all, in: snapshot).executeDistinct(in: snapshot, overlay: overlay, work: &work) { values in
            passed += 1
            if passed > query.offset { rows.append((0, values)) }
            return rows.count != query.limit
        }
        return rows
    }
}

extension Query {
    /// The query for groups that gives the same as this one's distinct rows; nil where their order follows from rows.
    fileprivate var asGroups: GroupedQuery? {
        guard let columns, Set(columns).count == columns.count, !columns.isEmpty,
            sort.count == columns.count, Set(sort.map(\.path)) == Set(columns), sort.allSatisfy({ $0.form == .exact })
        else { return nil }
        return GroupedQuery(
            entity: entity, predicate: predicate, keys: columns, sort: sort, limit: limit, offset: offset)
    }
}
