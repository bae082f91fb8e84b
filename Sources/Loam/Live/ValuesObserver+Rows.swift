import Foundation
import LoamQuery
import LoamStorage

/// Observers of values of properties, and of identifiers.
extension ValuesObserver {
    /// Observes the identifiers of the models that a descriptor fetches, in order. A change reads no model.
    ///
    /// - Parameters:
    ///   - descriptor: which models, in which order.
    ///   - modelContext: whose unsaved changes count.
    ///   - isolation: where the values change; the caller's by itself.
    /// - Throws: ``SwiftDataError`` where the descriptor cannot be run or the store cannot be read.
    public convenience init<T: PersistentModel>(
        identifiersOf descriptor: FetchDescriptor<T>, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws where Values == [PersistentIdentifier] {
        do {
            let store = try modelContext.store(of: T.self)
            let origin = PersistentIdentifier.Origin(
                store: store.containerStore.id, entity: ModelType.of(T.self).entityName)
            try self.init(rowsOf: descriptor, paths: [nil], context: modelContext, isolation: isolation) { rows in
                rows.map { PersistentIdentifier(origin, row: $0.rowID) }
            }
        } catch {
            throw SwiftDataError(error)
        }
    }

    /// Observes the values of one property of the models that a descriptor fetches, in order: `[name]`.
    ///
    /// ```swift
    /// let names = try ValuesObserver(\City.name, of: FetchDescriptor(predicate: large), modelContext: context)
    /// ```
    ///
    /// - Parameters:
    ///   - property: whose values are wanted; what a fetch of values takes.
    ///   - descriptor: which models, in which order. Its limit and offset count values.
    ///   - distinct: whether each value comes once, where the first model with it stands.
    ///   - modelContext: whose unsaved changes count.
    ///   - isolation: where the values change; the caller's by itself.
    /// - Throws: ``SwiftDataError`` as the fetch of values does.
    public convenience init<T: PersistentModel, Member>(
        _ property: KeyPath<T, Member>, of descriptor: FetchDescriptor<T> = FetchDescriptor(), distinct: Bool = false,
        modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
    ) throws where Values == [Member] {
        do {
            let storeID = try modelContext.store(of: T.self).containerStore.id
            let column = try ResultColumn(property, inStore: storeID)
            try self.init(
                rowsOf: descriptor, paths: [column.path], distinct: distinct, context: modelContext,
                isolation: isolation
            ) { rows in
                try rows.map { row in
                    var next = ColumnReader(row)
                    return try next.value(column)
                }
            }
        } catch {
            throw SwiftDataError(error)
        }
    }

    /// Observes the values of several properties: `[(name, population)]`.
    ///
    /// - Throws: ``SwiftDataError`` as the fetch of values does.
    public convenience init<T: PersistentModel, First, Second, each Member>(
        _ first: KeyPath<T, First>, _ second: KeyPath<T, Second>, _ others: repeat KeyPath<T, each Member>,
        of descriptor: FetchDescriptor<T> = FetchDescriptor(), distinct: Bool = false, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws where Values == [(First, Second, repeat each Member)] {
        do {
            let storeID = try modelContext.store(of: T.self).containerStore.id
            let (one, two) = (
                try ResultColumn(first, inStore: storeID), try ResultColumn(second, inStore: storeID)
            )
            let columns = (repeat try ResultColumn(each others, inStore: storeID))
            var paths = [one.path, two.path]
            repeat paths.append((each columns).path)
            try self.init(
                rowsOf: descriptor, paths: paths, distinct: distinct, context: modelContext, isolation: isolation
            ) { rows in
                try rows.map { row in
                    var next = ColumnReader(row)
                    return (try next.value(one), try next.value(two), repeat try next.value(each columns))
                }
            }
        } catch {
            throw SwiftDataError(error)
        }
    }

    private convenience init<T: PersistentModel>(
        rowsOf descriptor: FetchDescriptor<T>, paths: [String?], distinct: Bool = false, context: ModelContext,
        isolation: (any Actor)?, make: @escaping ([ValuesRow]) throws -> Values
    ) throws {
        try context.throwKeptError()
        let source = try RowValues(
            descriptor, paths: paths, distinct: distinct, context: context, isolation: isolation)
        try self.init(source, context: context, make: make)
    }
}
