import LoamQuery
import LoamStorage
import RandomQueries
import Testing

/// Every plan of every query gives what a full scan gives: rows in order, counts and sections. `campaigns queries` does
/// the same for longer.
@Suite struct RandomQueryTests {
    @Test(
        arguments: [
            (seed: 1, longStrings: false), (seed: 2, longStrings: true), (seed: 3, longStrings: false),
            (seed: 4, longStrings: true),
            (seed: 5, longStrings: false),
        ] as [(seed: UInt64, longStrings: Bool)])
    func plansEqualAFullScan(seed: UInt64, longStrings: Bool) throws {
        let sample = try SampleStore(seed: seed, rowCount: longStrings ? 90 : 160, longStrings: longStrings)
        let count = 300
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            let check = QueryCheck(FullScan(entity: entity, rows: sample.rows), in: snapshot)
            let ids = sample.rows[0].rowID...sample.rows[sample.rows.count - 1].rowID
            var kept = 0
            for number in 0..<UInt64(count) {
                let seed = seed << 32 | number
                var source = RandomQuery(entity, seed: seed)
                let query = source.query(rowIDs: ids)
                // Plans are kept by shape: what was chosen for these constants is asked for others.
                for (turn, query) in [query, query.varied(&source.generator), query.varied(&source.generator)]
                    .enumerated()
                {
                    let (chosen, isKept) = try check.chosenPlan(of: query)
                    if turn > 0, isKept { kept += 1 }
                    var plans = [chosen]
                    if seed % 3 == 0 {
                        let all = try check.plans(of: query)
                        plans.append(all[Int(seed % UInt64(all.count))])
                    }
                    let difference = try check.difference(of: query, in: plans)
                    try #require(difference == nil, "seed \(seed)")
                }
            }
            #expect(kept > count / 20, "hardly any plan was kept")
        }
    }
}
