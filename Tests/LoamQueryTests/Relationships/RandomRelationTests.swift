import Foundation
import LoamStorage
import SeededRandom
import Testing

@testable import LoamQuery

/// Every plan of a query along relationships gives what a full scan gives, also with pending changes laid over it.
@Suite struct RandomRelationTests {
    private static let isSoak = ProcessInfo.processInfo.environment["LOAM_SOAK"] != nil

    @Test(arguments: [21, 22, 23] as [UInt64])
    func plansEqualAFullScan(seed: UInt64) throws {
        let atlas = try AtlasStore(seed: seed, rowCount: 40)
        let count = Self.isSoak ? 5000 : 60
        try atlas.store.read { snapshot in
            let ids = Dictionary(uniqueKeysWithValues: snapshot.schema.entities.map { ($0.id, atlas.model.ids($0)) })
            for number in 0..<UInt64(count) {
                var source = RandomRelationQuery(snapshot.schema, ids: ids, seed: seed << 32 | number)
                try check(source.query(), Overlay(), atlas.model, snapshot, seed: seed << 32 | number)
            }
        }
    }

    @Test(arguments: [31, 32, 33] as [UInt64])
    func mergedRowsEqualAFullScan(seed: UInt64) throws {
        let atlas = try AtlasStore(seed: seed, rowCount: 30)
        let count = Self.isSoak ? 3000 : 40
        try atlas.store.read { snapshot in
            for number in 0..<UInt64(count) {
                let seed = seed << 32 | number
                var changes = AtlasChanges(atlas.model, seed: ~seed)
                try changes.make()
                let ids = Dictionary(
                    uniqueKeysWithValues: snapshot.schema.entities.map { ($0.id, changes.model.ids($0)) })
                var source = RandomRelationQuery(snapshot.schema, ids: ids, seed: seed)
                for _ in 0..<3 { try check(source.query(), changes.overlay, changes.model, snapshot, seed: seed) }
            }
        }
    }

    private func check(
        _ query: Query, _ overlay: Overlay, _ model: RelatedRowsModel, _ snapshot: Snapshot, seed: UInt64
    ) throws {
        let entity = try snapshot.entity(named: query.entity)
        let scan = model.scan(entity)
        let chosen = try Planner.plan(query, in: snapshot)
        let plans = try Planner.plans(ResolvedQuery(query, in: entity, schema: snapshot.schema), statistics: snapshot)
        for plan in [chosen] + plans {
            let text: Comment = "seed \(seed)\n\(plan.explanation())"
            var work = Work()
            if query.result == .count {
                let (found, expected) = (
                    try plan.count(in: snapshot, overlay: overlay, work: &work), try scan.count(of: query)
                )
                try #require(found == expected, text)
                continue
            }
            if query.result == .sections {
                let found = try plan.sections(in: snapshot, overlay: overlay, work: &work)
                let expected = try scan.sections(of: query)
                try #require(found.map(\.value) == expected.map(\.value), text)
                try #require(found.map(\.count) == expected.map(\.count), text)
                continue
            }
            let expected = try scan.rows(of: query)
            var rowIDs: [RowID] = []
            try plan.execute(in: snapshot, overlay: overlay, work: &work) { rowID, values, _ in
                if rowIDs.count < expected.count { try #require(values == expected[rowIDs.count].values, text) }
                rowIDs.append(rowID)
                return true
            }
            try #require(rowIDs == expected.map(\.rowID), text)
            var records: [RowID] = []
            try plan.forEachRecord(in: snapshot, overlay: overlay, work: &work) { rowID, _ in
                records.append(rowID)
                return true
            }
            try #require(records == rowIDs, text)
        }
    }
}

/// Random changes of an atlas, as an overlay and as the rows that they lead to.
private struct AtlasChanges {
    let model: RelatedRowsModel
    let overlay = Overlay()
    private let original: RelatedRowsModel
    private var generator: SeededGenerator

    init(_ original: RelatedRowsModel, seed: UInt64) {
        self.original = original
        model = RelatedRowsModel(original.schema)
        model.rows = original.rows
        model.links = original.links
        generator = SeededGenerator(seed: seed)
    }

    mutating func make() throws {
        var changed: [EntityID: Set<RowID>] = [:]
        var next = RowID(1_000_000)
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let entity = ValuePool.pick(model.schema.entities, &generator)
            let ids = model.ids(entity)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0:
                next += 1
                let values = model.randomValues(entity, &generator)
                model.rows[entity.id]?[next] = PlainRow(rowID: next, values: values)
                changed[entity.id, default: []].insert(next)
            case 1: model.delete(ValuePool.pick(ids, &generator), of: entity)
            case 2: relink(entity, ids)
            default:
                let rowID = ValuePool.pick(ids, &generator)
                let values = model.randomValues(entity, &generator)
                model.rows[entity.id]?[rowID] = PlainRow(rowID: rowID, values: values)
                changed[entity.id, default: []].insert(rowID)
            }
        }
        for entity in model.schema.entities {
            let (before, now) = (original.rows[entity.id] ?? [:], model.rows[entity.id] ?? [:])
            let pending = (changed[entity.id] ?? []).filter { now[$0] != nil }
            for row in before.keys where now[row] == nil { overlay.mask(row, of: entity.id) }
            for row in pending.compactMap({ now[$0] }) {
                overlay.set(row, isStored: before[row.rowID] != nil, of: entity.id)
            }
        }
    }

    /// Other links of a row, from either side of a relationship.
    private mutating func relink(_ entity: Entity, _ ids: [RowID]) {
        let relationships = entity.relationships.filter { $0.linkTable != nil }
        guard !relationships.isEmpty else { return }
        let relationship = ValuePool.pick(relationships, &generator)
        let rowID = ValuePool.pick(ids, &generator)
        for old in model.links[relationship.id]?[rowID] ?? [] { model.unlink(relationship, rowID, old) }
        for target in model.randomTargets(relationship, &generator) { model.link(relationship, rowID, target) }
        overlay.links[relationship.id, default: [:]][rowID] = model.links[relationship.id]?[rowID] ?? []
        // What was said before of others follows.
        for (id, lists) in overlay.links {
            for source in lists.keys {
                let members = model.links[id]?[source] ?? []
                overlay.links[id]?[source] = members
            }
        }
    }
}
