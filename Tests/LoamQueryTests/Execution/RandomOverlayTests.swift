import Foundation
import LoamQuery
import LoamStorage
import RandomQueries
import SeededRandom
import Testing

/// Pending changes laid over a plan give what a full scan over the merged rows gives, for every plan of every query.
@Suite struct RandomOverlayTests {
    @Test(
        arguments: [(seed: 11, longStrings: false), (seed: 12, longStrings: true)]
            as [(seed: UInt64, longStrings: Bool)])
    func mergedRowsEqualAFullScan(seed: UInt64, longStrings: Bool) throws {
        let sample = try SampleStore(seed: seed, rowCount: 120, longStrings: longStrings)
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            for number in 0..<UInt64(250) {
                let seed = seed << 32 | number
                var generator = SeededGenerator(seed: ~seed)
                let (overlay, rows) = sample.overlay(of: entity, &generator)
                var source = RandomQuery(entity, seed: seed)
                let query = source.query(rowIDs: sample.rows[0].rowID...sample.rows[sample.rows.count - 1].rowID + 20)
                let check = QueryCheck(FullScan(entity: entity, rows: rows), in: snapshot, overlay: overlay)
                let all = try check.plans(of: query)
                let plans = [try Planner.plan(query, in: snapshot), all[Int(seed % UInt64(all.count))]]
                let difference = try check.difference(of: query, in: plans)
                try #require(difference == nil, "seed \(seed)")
            }
        }
    }
}
