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
    /// `persistentModelID`; and functions of attributes, as a ``ScalarFunction`` names them, and a string's `count`:
    ///
    /// ```swift
    /// let sizes = try context.fetch(\Photo[.startOfDay(\.taken)], \.title.count)
    /// ```
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

    /// The values of one property, as the form for several gives them.
    ///
    /// ```swift
    /// let names = try context.fetch(\City.name, where: large)
    /// ```
    ///
    /// - Throws: as the form for several.
    public func fetch<T: PersistentModel, Member>(
        _ property: KeyPath<T, Member>, of model: T.Type = T.self, where predicate: Predicate<T>? = nil,
        sortBy: [SortDescriptor<T>] = [], distinct: Bool = false
    ) throws -> [Member] {
        try fetch(property, of: FetchDescriptor(predicate: predicate, sortBy: sortBy), distinct: distinct)
    }

    /// The values of one property of the models that a descriptor is for, as the form for several gives them.
    ///
    /// - Throws: as the form for several.
    public func fetch<T: PersistentModel, Member>(
        _ property: KeyPath<T, Member>, of descriptor: FetchDescriptor<T>, distinct: Bool = false
    ) throws -> [Member] {
        try throwKeptError()
        receiveChanges()
        do {
            let store = try store(of: T.self)
            let column = try ResultColumn(property, inStore: store.containerStore.id)
            var members: [Member] = []
            try store.forEachRow(of: descriptor, at: [column.path], distinct: distinct) { rows, values in
                let columnCount = column.path == nil ? 0 : 1
                try column.append(
                    ColumnCells(rowIDs: rows, values: values, column: 0, columnCount: columnCount), to: &members)
            } boxed: { row, values in
                members.append(try column.value(of: values.first ?? .null, row: row))
            }
            return members
        } catch {
            throw SwiftDataError(error)
        }
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
            var rows: [(repeat each Member)] = []
            try store.forEachRow(of: descriptor, at: paths, distinct: distinct) { rowIDs, values in
                var (row, next) = (rowIDs.startIndex, 0)
                func value<Value>(_ column: ResultColumn<Value>) throws -> Value {
                    guard column.path != nil else {
                        return try column.value(of: LoamStorage.Value.null, row: rowIDs[row])
                    }
                    defer { next += 1 }
                    return try column.value(of: values[next], row: rowIDs[row])
                }
                while row < rowIDs.endIndex {
                    rows.append((repeat try value(each columns)))
                    row += 1
                }
            } boxed: { row, values in
                var next = 0
                func value<Value>(_ column: ResultColumn<Value>) throws -> Value {
                    guard column.path != nil else { return try column.value(of: LoamStorage.Value.null, row: row) }
                    defer { next += 1 }
                    return try column.value(of: values[next], row: row)
                }
                rows.append((repeat try value(each columns)))
            }
            return rows
        } catch {
            throw SwiftDataError(error)
        }
    }
}

extension StoreContext {
    /// Calls one of two closures with the rows that match, in order, and their values at the paths that are there, many
    /// rows or one at a time: a path that is nil stands for the row id.
    func forEachRow<T: PersistentModel>(
        of descriptor: FetchDescriptor<T>, at paths: [String?], distinct: Bool,
        batches: (UnsafeBufferPointer<RowID>, UnsafeBufferPointer<UnboxedValue>) throws -> Void,
        boxed: (RowID, [LoamStorage.Value]) throws -> Void
    ) throws {
        var query = try descriptor.query(in: containerStore.id)
        query.columns = paths.compactMap(\.self)
        let overlay = descriptor.includePendingChanges ? try overlay() : nil
        try store.read { snapshot in
            // With the identifier no two are the same.
            if distinct, !paths.contains(nil) {
                for (row, values) in try distinctValues(query, overlay: overlay, in: snapshot) {
                    try boxed(row, values)
                }
                return
            }
            var work = Work()
            try Planner.plan(query, in: snapshot).execute(
                in: snapshot, overlay: overlay, work: &work, batches: batches, boxed: boxed)
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
        try Planner.plan(all, in: snapshot).executeDistinct(
            in: snapshot, overlay: overlay, isLimited: query.limit != nil, work: &work
        ) { values in
            passed += 1
            if passed > query.offset { rows.append((0, values)) }
            return rows.count != query.limit
        }
        return rows
    }
}

extension Query {
    /// The query for groups that gives the same as this one's distinct rows; nil where their order follows from rows.
    var asGroups: GroupedQuery? {
        guard let columns, Set(columns).count == columns.count, !columns.isEmpty,
            sort.count == columns.count, Set(sort.map(\.path)) == Set(columns), sort.allSatisfy({ $0.form == .exact })
        else { return nil }
        return GroupedQuery(
            entity: entity, predicate: predicate, keys: columns, sort: sort, limit: limit, offset: offset)
    }
}
