import LoamLive
import LoamQuery
import LoamStorage

/// Groups and aggregates that are kept, beside those of a query that is asked anew.
struct ShownGroups {
    private let groups: [LiveGroups]

    init(in stores: [LiveRows]) throws {
        let large = try PredicateParser.parse("size > 3")
        let queries = [
            GroupedQuery(entity: "Town", keys: ["country"], aggregates: [.count]),
            GroupedQuery(
                entity: "Town", predicate: large,
                aggregates: [.count, GroupAggregate(.sum, of: "size"), GroupAggregate(.average, of: "size")]),
            GroupedQuery(
                entity: "Town", keys: ["country", "note"],
                aggregates: [GroupAggregate(.minimum, of: "size"), GroupAggregate(.maximum, of: "name")],
                having: try PredicateParser.parse(having: "count() > 1"),
                sort: [SortKey("sum(size)", direction: .descending)], limit: 9, offset: 1),
            GroupedQuery(
                entity: "Town", predicate: large,
                aggregates: [GroupAggregate(.maximum, of: "size"), GroupAggregate(.minimum, of: "height")]),
            GroupedQuery(entity: "Town", keys: ["country"], aggregates: [GroupAggregate(.sum, of: "height")]),
        ]
        groups = try queries.enumerated().map { number, query in
            try LiveGroups(query, in: stores[number % stores.count].store) { _ in }
        }
    }

    /// How often they were read again, and how many rows were taken from records.
    var work: (placed: Int, reads: Int) {
        groups.reduce((0, 0)) { ($0.0 + $1.trace.placed, $0.1 + $1.trace.reads) }
    }

    /// What differs, where nobody saves.
    func faults(in store: Store, refreshes: Bool) throws -> [String] {
        try groups.compactMap { live in
            if refreshes { live.refresh() }
            live.settle()
            _ = live.take()
            let fresh = try store.read { snapshot in
                var work = Work()
                return try GroupedPlan(live.query, in: snapshot).groups(in: snapshot, work: &work)
            }
            return try live.kept?.result() == fresh
                ? nil : "\(live.query): other groups than those of a query that is asked anew"
        }
    }
}
