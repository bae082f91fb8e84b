public import Foundation
import LoamQuery
import LoamStorage

/// Observers of aggregates and groups.
extension ValuesObserver {
    /// Observes one aggregate of all models that match.
    ///
    /// ```swift
    /// let people = try ValuesObserver(.sum(\City.population), modelContext: context)
    /// print(people.values)
    /// ```
    ///
    /// Costs as much as the fetch, here and in the forms for several and for groups.
    ///
    /// - Parameters:
    ///   - aggregate: what is computed; ``Aggregate`` says what it means.
    ///   - model: the class of the models; needed where no key path names it.
    ///   - predicate: which models; nil for all.
    ///   - modelContext: whose unsaved changes count.
    ///   - isolation: where the values change; the caller's by itself.
    /// - Throws: ``SwiftDataError`` as the fetch does.
    public convenience init<T: PersistentModel>(
        _ aggregate: Aggregate<T, Values>, of model: T.Type = T.self, where predicate: Predicate<T>? = nil,
        modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
    ) throws {
        do {
            let column = try ResultColumn(aggregate)
            var query = try GroupedQuery(of: T.self, where: predicate, in: modelContext)
            try query.add(aggregate)
            try self.init(groups: query, of: T.self, context: modelContext, isolation: isolation) { rows in
                try column.value(of: rows.first?.values.first ?? .null)
            }
        } catch {
            throw SwiftDataError(error)
        }
    }

    /// Observes several aggregates of all models that match: `(count, sum)`.
    ///
    /// - Throws: ``SwiftDataError`` as the fetch does.
    public convenience init<T: PersistentModel, First, Second, each Value>(
        _ first: Aggregate<T, First>, _ second: Aggregate<T, Second>, _ others: repeat Aggregate<T, each Value>,
        of model: T.Type = T.self, where predicate: Predicate<T>? = nil, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws where Values == (First, Second, repeat each Value) {
        do {
            let (one, two) = (try ResultColumn(first), try ResultColumn(second))
            let columns = (repeat try ResultColumn(each others))
            var query = try GroupedQuery(of: T.self, where: predicate, in: modelContext)
            try query.add(first, second, repeat each others)
            try self.init(groups: query, of: T.self, context: modelContext, isolation: isolation) { rows in
                var next = ColumnReader(rows.first)
                return (try next.value(one), try next.value(two), repeat try next.value(each columns))
            }
        } catch {
            throw SwiftDataError(error)
        }
    }

    /// Observes groups of models that have the same values of some properties, with aggregates of each group:
    /// `[(key, …, aggregate, …)]`.
    ///
    /// ```swift
    /// let countries = try ValuesObserver(
    ///     groupedBy: \City.country, aggregates: .count, .sum(\.population), sortBy: [.descending(.count)],
    ///     limit: 20, modelContext: context)
    /// ```
    ///
    /// Parameters are those of the fetch of groups. All groups are kept in memory, whatever condition and limit leave.
    ///
    /// - Throws: ``SwiftDataError`` as the fetch does.
    public convenience init<T: PersistentModel, each Key, each Value>(
        groupedBy keys: repeat KeyPath<T, each Key>, aggregates: repeat Aggregate<T, each Value>,
        where predicate: Predicate<T>? = nil, having: GroupCondition<T>? = nil, sortBy: [GroupOrder<T>] = [],
        limit: Int? = nil, offset: Int = 0, modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
    ) throws where Values == [(repeat each Key, repeat each Value)] {
        do {
            let model = ModelType.of(T.self)
            let keyColumns = (repeat try ResultColumn(key: each keys))
            let columns = (repeat try ResultColumn(each aggregates))
            var query = try GroupedQuery(of: T.self, where: predicate, in: modelContext)
            (query.limit, query.offset) = (limit, offset)
            repeat query.keys.append((each keyColumns).path ?? "")
            try query.add(repeat each aggregates)
            query.having = try having?.node.lowered(in: model)
            query.sort = try sortBy.map { try $0.lowered(in: model, keys: query.keys) }
            try self.init(groups: query, of: T.self, context: modelContext, isolation: isolation) { rows in
                try rows.map { row in
                    var next = ColumnReader(row)
                    return (repeat try next.value(each keyColumns), repeat try next.value(each columns))
                }
            }
        } catch {
            throw SwiftDataError(error)
        }
    }

    private convenience init<T: PersistentModel>(
        groups query: GroupedQuery, of model: T.Type, context: ModelContext, isolation: (any Actor)?,
        make: @escaping ([ValuesRow]) throws -> Values
    ) throws {
        try context.throwKeptError()
        let source = try GroupValues(query, of: context.store(of: model), isolation: isolation)
        try self.init(source, context: context, make: make)
    }
}

extension GroupedQuery {
    fileprivate init<T: PersistentModel>(
        of model: T.Type, where predicate: Predicate<T>?, in context: ModelContext
    ) throws {
        let store = try context.store(of: model)
        self.init(
            entity: ModelType.of(model).entityName,
            predicate: try predicate.map { try PredicateLowering.lower($0, in: store.containerStore.id) })
    }
}

/// Reads the values of a row, one column after another.
struct ColumnReader {
    private let row: ValuesRow
    private var next = 0

    init(_ row: ValuesRow?) { self.row = row ?? ValuesRow(values: []) }

    mutating func value<Member>(_ column: ResultColumn<Member>) throws -> Member {
        guard column.path != nil, next < row.values.count else {
            return try column.value(of: LoamStorage.Value.null, row: row.rowID)
        }
        defer { next += 1 }
        return try column.value(of: row.values[next], row: row.rowID)
    }
}
