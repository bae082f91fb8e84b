import LoamQuery
import LoamStorage
import RandomQueries
import Testing

/// Every plan of a query along relationships gives what a full scan gives, also with pending changes laid over it.
/// `campaigns queries` does the same for longer.
@Suite struct RandomRelationTests {
    @Test(arguments: [21, 22, 23] as [UInt64])
    func plansEqualAFullScan(seed: UInt64) throws {
        let atlas = try AtlasStore(seed: seed, rowCount: 40)
        try atlas.store.read { snapshot in
            for number in 0..<UInt64(60) {
                let seed = seed << 32 | number
                var source = RandomRelationQuery(snapshot.schema, ids: atlas.model.idsByEntity, seed: seed)
                try check(source.query(), Overlay(), atlas.model, snapshot, seed: seed)
            }
        }
    }

    @Test(arguments: [31, 32, 33] as [UInt64])
    func mergedRowsEqualAFullScan(seed: UInt64) throws {
        let atlas = try AtlasStore(seed: seed, rowCount: 30)
        try atlas.store.read { snapshot in
            for number in 0..<UInt64(40) {
                let seed = seed << 32 | number
                var changes = AtlasChanges(atlas.model, seed: ~seed)
                changes.make()
                var source = RandomRelationQuery(snapshot.schema, ids: changes.model.idsByEntity, seed: seed)
                for _ in 0..<3 { try check(source.query(), changes.overlay, changes.model, snapshot, seed: seed) }
            }
        }
    }

    private func check(
        _ query: Query, _ overlay: Overlay, _ model: RelatedRowsModel, _ snapshot: Snapshot, seed: UInt64
    ) throws {
        let entity = try snapshot.entity(named: query.entity)
        let check = QueryCheck(model.scan(entity), in: snapshot, overlay: overlay)
        let plans = [try Planner.plan(query, in: snapshot)] + (try check.plans(of: query))
        let difference = try check.difference(of: query, in: plans)
        try #require(difference == nil, "seed \(seed)")
    }
}
