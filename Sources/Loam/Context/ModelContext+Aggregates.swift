public import Foundation
import LoamQuery
import LoamStorage

extension ModelContext {
    /// Aggregates of all models that match, computed in the store: `(count, sum)`.
    ///
    /// ```swift
    /// let (count, people) = try context.fetch(.count, .sum(\City.population), where: large)
    /// ```
    ///
    /// Unsaved changes of the context count. No object is made. Numbers of models, and the least and greatest values of
    /// a property, cost a few look-ups where an index answers the predicate and has the order; others cost as much as
    /// testing the rows, without reading a record where an index holds all that is needed.
    ///
    /// - Parameters:
    ///   - aggregates: what is computed; ``Aggregate`` says what they mean.
    ///   - model: the class of the models; needed where no key path names it.
    ///   - predicate: which models; nil for all.
    /// - Throws: ``SwiftDataError/aggregateOverflow`` for a sum that does not fit into its type,
    ///   ``SwiftDataError/unsupportedKeyPath`` for a property that has no aggregates, else as ``fetch(_:)``.
    public func fetch<T: PersistentModel, each Value>(
        _ aggregates: repeat Aggregate<T, each Value>, of model: T.Type = T.self, where predicate: Predicate<T>? = nil
    ) throws -> (repeat each Value) {
        try values(of: repeat each aggregates, where: predicate)
    }

    /// One aggregate of all models that match, as the form for several gives them.
    ///
    /// ```swift
    /// let people = try context.fetch(.sum(\City.population), where: large)
    /// ```
    ///
    /// - Throws: as the form for several.
    public func fetch<T: PersistentModel, Value>(
        _ aggregate: Aggregate<T, Value>, of model: T.Type = T.self, where predicate: Predicate<T>? = nil
    ) throws -> Value {
        try values(of: aggregate, where: predicate)
    }

    private func values<T: PersistentModel, each Value>(
        of aggregates: repeat Aggregate<T, each Value>, where predicate: Predicate<T>?
    ) throws -> (repeat each Value) {
        try throwKeptError()
        receiveChanges()
        do {
            let store = try store(of: T.self)
            let columns = (repeat try ResultColumn(each aggregates))
            var query = GroupedQuery(entity: ModelType.of(T.self).entityName)
            try query.add(repeat each aggregates)
            query.predicate = try predicate.map { try PredicateLowering.lower($0, in: store.containerStore.id) }
            guard let values = try store.groups(query).first else {
                throw QueryError(.invalidQuery("aggregates of all models have no result"))
            }
            var next = 0
            func value<Result>(_ column: ResultColumn<Result>) throws -> Result {
                defer { next += 1 }
                return try column.value(of: values[next])
            }
            return (repeat try value(each columns))
        } catch {
            throw SwiftDataError(error)
        }
    }

    /// Groups of models that have the same values of some properties, with aggregates of each group, computed in the
    /// store: `[(key, …, aggregate, …)]`.
    ///
    /// ```swift
    /// let countries = try context.fetch(
    ///     groupedBy: \City.country, aggregates: .count, .sum(\.population),
    ///     having: .count > 10, sortBy: [.descending(.sum(\.population))], limit: 20)
    /// for (country, count, people) in countries { … }
    /// ```
    ///
    /// A key may be a function of a property, in the words that a ``ScalarFunction`` has for it, or a string's `count`:
    ///
    /// ```swift
    /// let days = try context.fetch(groupedBy: \Photo[.startOfDay(\.taken, in: "Europe/Berlin")], aggregates: .count)
    /// ```
    ///
    /// Models for which a property is nil are a group. Strings are the same as `==` says; which of several spellings
    /// stands for a group is not promised. Unsaved changes of the context count. No object is made.
    ///
    /// Costs O(models that match), and memory for the groups: beyond 64 MiB for those of one pass, the rows are passed
    /// over again, and of each pass only the groups are kept that the condition and the limit leave. Groups by one
    /// property with nothing but counts cost O(groups) where an index begins with it and answers the predicate.
    ///
    /// - Parameters:
    ///   - keys: the properties that make a group, or functions of them, as a fetch of values takes them, with an order.
    ///   - aggregates: what is computed of each group; ``Aggregate`` says what they mean.
    ///   - predicate: which models belong to groups; nil for all.
    ///   - having: which groups are wanted; nil for all.
    ///   - sortBy: the order of the groups; those that are equal in it, and all without one, come by their keys.
    ///   - limit: the most groups, after the offset; nil for no limit.
    ///   - offset: how many groups are passed over first.
    /// - Throws: as the form without keys, ``SwiftDataError/unsupportedSortDescriptor`` for an order by a property that
    ///   is no key, and ``SwiftDataError/unsupportedPredicate`` for a negative limit or offset.
    public func fetch<T: PersistentModel, each Key, each Value>(
        groupedBy keys: repeat KeyPath<T, each Key>, aggregates: repeat Aggregate<T, each Value>,
        where predicate: Predicate<T>? = nil, having: GroupCondition<T>? = nil, sortBy: [GroupOrder<T>] = [],
        limit: Int? = nil, offset: Int = 0
    ) throws -> [(repeat each Key, repeat each Value)] {
        try throwKeptError()
        receiveChanges()
        do {
            let (store, model) = (try store(of: T.self), ModelType.of(T.self))
            let keyColumns = (repeat try ResultColumn(key: each keys))
            let columns = (repeat try ResultColumn(each aggregates))
            var query = GroupedQuery(entity: model.entityName, limit: limit, offset: offset)
            repeat query.keys.append((each keyColumns).path ?? "")
            try query.add(repeat each aggregates)
            query.predicate = try predicate.map { try PredicateLowering.lower($0, in: store.containerStore.id) }
            query.having = try having?.node.lowered(in: model)
            query.sort = try sortBy.map { try $0.lowered(in: model, keys: query.keys) }
            return try store.groups(query).map { values in
                var next = 0
                func value<Result>(_ column: ResultColumn<Result>) throws -> Result {
                    defer { next += 1 }
                    return try column.value(of: values[next])
                }
                return (repeat try value(each keyColumns), repeat try value(each columns))
            }
        } catch {
            throw SwiftDataError(error)
        }
    }
}

extension StoreContext {
    func groups(_ query: GroupedQuery) throws -> [[LoamStorage.Value]] {
        let overlay = try overlay()
        return try store.read { snapshot in
            var work = Work()
            return try GroupedPlan(query, in: snapshot).groups(in: snapshot, overlay: overlay, work: &work)
        }
    }
}

extension GroupedQuery {
    mutating func add<T: PersistentModel, each Value>(
        _ aggregates: repeat Aggregate<T, each Value>
    ) throws {
        let model = ModelType.of(T.self)
        for aggregate in repeat each aggregates {
            self.aggregates.append(try GroupAggregate(aggregate.function, aggregate.keyPath, in: model))
        }
    }
}

extension ResultColumn {
    /// The column of what an aggregate gives: values of its property, or computed numbers.
    init<T: PersistentModel>(_ aggregate: Aggregate<T, Member>) throws {
        let model = ModelType.of(T.self)
        let path = try GroupAggregate(aggregate.function, aggregate.keyPath, in: model).name
        guard aggregate.function == .minimum || aggregate.function == .maximum, let keyPath = aggregate.keyPath else {
            try self.init(nil, path: path)
            return
        }
        if model.functionPath(of: keyPath) != nil {
            self.init(functionIn: model, path: path)
        } else {
            try self.init(model.storedPath(of: keyPath), path: path)
        }
    }

    /// The column of a key of groups.
    init<T: PersistentModel>(key: KeyPath<T, Member>) throws {
        let model = ModelType.of(T.self)
        let path = try model.groupedPath(of: key, for: "grouping")
        if model.functionPath(of: key) != nil {
            self.init(functionIn: model, path: path)
        } else {
            try self.init(model.storedPath(of: key), path: path)
        }
    }
}
