import LoamQuery
import LoamStorage

/// What a query means in a snapshot: where its rows stand, which changes concern them, and how they are kept.
struct ResultOutline: Sendable {
    let order: PlacementRule
    let arrangement: PlacementRule.Arrangement
    let interest: ResultInterest
    /// The rows that can be in the result.
    let reach: PlacementRule.Reach

    /// Costs as much as planning the query.
    ///
    /// - Throws: ``QueryError`` for a query that cannot be run, `StorageError` for damage.
    init(_ query: Query, in snapshot: Snapshot) throws {
        guard let entity = snapshot.schema.entity(named: query.entity) else {
            throw QueryError(.unknownEntity, part: query.entity)
        }
        order = try PlacementRule(ResolvedQuery(query, in: entity, schema: snapshot.schema))
        arrangement = try order.arrangement(for: query, in: snapshot)
        interest = ResultInterest(order)
        if case .span(let span) = arrangement {
            reach = span.isNarrowed ? .ranges(span.index.id, [span.range]) : .all
        } else {
            reach = try order.reach(in: snapshot)
        }
    }

    /// Whether the rows are entries of an index.
    var isSpan: Bool {
        if case .span = arrangement { true } else { false }
    }
}

extension ResultInterest {
    /// What matters of changes to rows that are placed by a rule and shown with its query's columns.
    init(_ order: PlacementRule) {
        let query = order.query
        let shown = Set(query.columns.map(\.position))
        self.init(
            entity: query.entity.id, others: order.otherEntities, links: order.links, placing: order.properties,
            shown: shown.count == query.entity.properties.count ? nil : shown,
            properties: query.entity.properties.map(\.id))
    }
}
