import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// Rows before an offset are passed over by position, also with changes that are not saved.
@Suite struct OffsetTests {
    private static let quakes = Result { try QuakeStore(rowCount: 20_000) }

    /// Some rows that are changed, deleted and new.
    private static func overlay(_ entity: Entity, _ generator: inout SeededGenerator) throws -> Overlay {
        let quakes = try quakes.get()
        let overlay = Overlay()
        for number in 0..<Int.random(in: 0...30, using: &generator) {
            let rowID = RowID(Int.random(in: 1...20_000, using: &generator))
            let values = quakes.values(Int.random(in: 0..<20_000, using: &generator))
            switch number % 3 {
            case 0: overlay.mask(rowID, of: entity.id)
            case 1: overlay.set(PlainRow(rowID: rowID, values: values), isStored: true, of: entity.id)
            default: overlay.set(PlainRow(rowID: rowID + 50_000, values: values), isStored: false, of: entity.id)
            }
        }
        return overlay
    }

    @Test(arguments: 0..<4 as Range<UInt64>) func aFewRowsAreReadBesideTheChanges(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let quakes = try Self.quakes.get()
        try quakes.store.read { snapshot in
            let entity = try snapshot.entity(named: "Quake")
            let ranges: [(String?, String)] = [(nil, "time"), ("magnitude > 3", "magnitude"), ("day > 'd'", "-time")]
            for (format, key) in ranges {
                let overlay = try Self.overlay(entity, &generator)
                let direction: SortDirection = key.hasPrefix("-") ? .descending : .ascending
                var query = Query(
                    entity: "Quake", predicate: try format.map { try PredicateParser.parse($0) },
                    sort: [SortKey(key.hasPrefix("-") ? "time" : key, direction: direction)], limit: 20)
                for offset in [90, 5_000, 13_900, 19_990, 30_000] {
                    query.offset = offset
                    let resolved = try ResolvedQuery(query, in: entity, schema: snapshot.schema)
                    let plans = try Planner.plans(resolved, statistics: snapshot)
                    let table = try #require(plans.first { $0.accessPath == .table(from: .min, through: .max) })
                    let expected = try Self.run(table, overlay, in: snapshot).rows
                    for plan in plans {
                        let (rows, work) = try Self.run(plan, overlay, in: snapshot)
                        #expect(rows == expected, "\(plan.explanation())")
                        if plan.skipsByPosition { #expect(work.entries + work.records <= 200, "offset \(offset)") }
                    }
                }
            }
        }
    }

    private static func run(
        _ plan: Plan, _ overlay: Overlay, in snapshot: Snapshot
    ) throws -> (rows: [RowID], work: Work) {
        var (rows, work) = ([RowID](), Work())
        try plan.execute(in: snapshot, overlay: overlay, work: &work) { rowID, _, _ in
            rows.append(rowID)
            return true
        }
        return (rows, work)
    }
}
