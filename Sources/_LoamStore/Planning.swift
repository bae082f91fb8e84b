import LoamQuery
import LoamStorage

/// A query that is planned, for the contests of planning.
public struct QueryHandle: Sendable {
    let query: Query
}

extension EntityHandle {
    /// A query for the ids of the entity's rows.
    ///
    /// - Parameters:
    ///   - format: a predicate in the format grammar, with `%@` for each argument; nil for all rows.
    ///   - order: names of properties, ascending.
    /// - Throws: an error that shows the place, where the format is none.
    public func query(
        where format: String?, arguments: [QueryArgument] = [], orderedBy order: [String] = [], limit: Int? = nil
    ) throws -> QueryHandle {
        let predicate = try format.map { try PredicateParser.parse($0, arguments: arguments.map(\.value)) }
        return QueryHandle(
            query: Query(
                entity: entity.name, predicate: predicate, sort: order.map { SortKey($0) }, limit: limit, columns: []))
    }
}

/// What stands for a `%@` of a format.
public enum QueryArgument: Sendable {
    case value(FieldValue)
    case rowID(UInt64)
    /// The right side of IN.
    case list([FieldValue])

    fileprivate var value: Value {
        switch self {
        case .value(let value): value.value
        case .rowID(let id): .uint(id)
        case .list(let values): .array(values.map(\.value))
        }
    }
}

extension StoreSnapshot {
    /// Plans each query as a fetch does: where a query of the same shape was planned before, its constants are bound
    /// into what was found then. Plans are thrown away.
    ///
    /// - Throws: an error that says which part of a query cannot be run, or what is damaged.
    public func plan(_ queries: [QueryHandle]) throws {
        for query in queries { _ = try Planner.plan(query.query, in: snapshot) }
    }

    /// Plans each query as the first of its shape.
    ///
    /// - Throws: as ``plan(_:)``.
    public func planAnew(_ queries: [QueryHandle]) throws {
        for query in queries {
            let entity = try snapshot.entity(named: query.query.entity)
            _ = try Planner.plan(query.query, of: entity, in: snapshot.schema, statistics: snapshot)
        }
    }

    /// How many plans were bound into what was kept of their shape, and how many were made anew, since the schema last
    /// changed in this process.
    public var planCounts: (kept: Int, new: Int) {
        let cache = snapshot.catalog.attachment { PlanCache() }
        return (cache.keptCount, cache.newCount)
    }

    /// The ids of the rows that a query finds, in its order. O(rows that its plan reaches).
    ///
    /// - Throws: as ``plan(_:)``.
    public func rowIDs(of query: QueryHandle) throws -> [UInt64] {
        var rowIDs: [UInt64] = []
        var work = Work()
        try Planner.plan(query.query, in: snapshot).execute(in: snapshot, work: &work) { rowID, _ in
            rowIDs.append(rowID)
            return true
        }
        return rowIDs
    }
}
