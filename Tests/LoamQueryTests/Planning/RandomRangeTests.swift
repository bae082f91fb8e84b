import LoamQuery
import LoamStorage
import RandomQueries
import Testing

/// The ranges of every plan that scans an index are the tightest that the index allows, and without a limit it reads at
/// most 1.2 times the entries inside them, and 10 for each range. `campaigns queries` asks the same for longer.
@Suite struct RandomRangeTests {
    @Test(arguments: 11...14 as ClosedRange<UInt64>)
    func rangesAreTheTightest(seed: UInt64) throws {
        let sample = try SampleStore(seed: seed, rowCount: 160, longStrings: false)
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            let (ranges, ids) = (RangeCheck(sample.rows, in: snapshot), sample.rows[0].rowID...sample.rows[159].rowID)
            var checked = 0
            for number in 0..<UInt64(250) {
                var source = RandomQuery(entity, seed: seed << 32 | number)
                let query = source.query(rowIDs: ids)
                let resolved = try ResolvedQuery(query, in: entity, schema: snapshot.schema)
                for plan in try Planner.plans(resolved, statistics: snapshot) {
                    let (isChecked, fault) = try ranges.fault(of: plan)
                    try #require(fault == nil, "seed \(seed), query \(number)")
                    if isChecked { checked += 1 }
                    let work = try Self.work(of: plan, in: snapshot)
                    try #require(try ranges.fault(of: work, doneFor: plan) == nil, "seed \(seed), query \(number)")
                }
            }
            #expect(checked > 150)
        }
    }

    private static func work(of plan: Plan, in snapshot: Snapshot) throws -> Work {
        var work = Work()
        switch plan.query.result {
        case .rows: try plan.execute(in: snapshot, work: &work) { _, _ in true }
        case .count: _ = try plan.count(in: snapshot, work: &work)
        case .sections: _ = try plan.sections(in: snapshot, work: &work)
        }
        return work
    }
}
