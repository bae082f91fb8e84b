import Foundation
import LoamStorage
import SeededRandom
import Testing

@testable import LoamQuery

/// Pending changes laid over a plan give what a full scan over the merged rows gives, for every plan of every query.
@Suite struct RandomOverlayTests {
    private static let isSoak = ProcessInfo.processInfo.environment["LOAM_SOAK"] != nil

    @Test(
        arguments: [(seed: 11, longStrings: false), (seed: 12, longStrings: true)]
            as [(seed: UInt64, longStrings: Bool)])
    func mergedRowsEqualAFullScan(seed: UInt64, longStrings: Bool) throws {
        let sample = try SampleStore(seed: seed, rowCount: 120, longStrings: longStrings)
        let count = Self.isSoak ? 2000 : 250
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            for number in 0..<UInt64(count) {
                let seed = seed << 32 | number
                var generator = SeededGenerator(seed: ~seed)
                let (overlay, rows) = sample.overlay(of: entity, &generator)
                let scan = FullScan(entity: entity, rows: rows)
                var source = RandomQuery(entity, seed: seed)
                let query = source.query(rowIDs: sample.rows[0].rowID...sample.rows[sample.rows.count - 1].rowID + 20)
                try check(query, overlay, scan, snapshot, seed: seed)
            }
        }
    }

    private func check(
        _ query: Query, _ overlay: Overlay, _ scan: FullScan, _ snapshot: Snapshot, seed: UInt64
    ) throws {
        let all = try Planner.plans(ResolvedQuery(query, in: scan.entity), statistics: snapshot)
        let plans = Self.isSoak ? all : [try Planner.plan(query, in: snapshot), all[Int(seed % UInt64(all.count))]]
        let pending = Set(overlay.rows(of: scan.entity.id).map(\.rowID))
        for plan in plans {
            let text: Comment = "seed \(seed)\n\(plan.explanation())"
            var work = Work()
            switch query.result {
            case .rows:
                let expected = try scan.rows(of: query)
                var number = 0
                try plan.execute(in: snapshot, overlay: overlay, work: &work) { rowID, values, isPending in
                    try #require(number < expected.count, text)
                    try #require(rowID == expected[number].rowID, text)
                    try #require(values == expected[number].values, text)
                    try #require(isPending == pending.contains(rowID), text)
                    number += 1
                    return true
                }
                try #require(number == expected.count, text)
                try checkRecords(plan, overlay, expected.map(\.rowID), pending, snapshot, text)
            case .count:
                let count = try plan.count(in: snapshot, overlay: overlay, work: &work)
                let expected = try scan.count(of: query)
                try #require(count == expected, text)
            case .sections:
                let sections = try plan.sections(in: snapshot, overlay: overlay, work: &work)
                let expected = try scan.sections(of: query)
                try #require(sections.map(\.value) == expected.map(\.value), text)
                try #require(sections.map(\.count) == expected.map(\.count), text)
            }
        }
    }

    private func checkRecords(
        _ plan: Plan, _ overlay: Overlay, _ expected: [RowID], _ pending: Set<RowID>, _ snapshot: Snapshot,
        _ text: Comment
    ) throws {
        var rowIDs: [RowID] = []
        var work = Work()
        try plan.forEachRecord(in: snapshot, overlay: overlay, work: &work) { rowID, record in
            rowIDs.append(rowID)
            let stored = pending.contains(rowID) ? nil : try snapshot.record(rowID, of: plan.query.entity)
            try #require(stored == record.map(Array.init), text)
            return true
        }
        try #require(rowIDs == expected, text)
    }
}

extension SampleStore {
    /// Random changes, insertions and deletions, and the rows that they make of the stored ones.
    fileprivate func overlay(
        of entity: Entity, _ generator: inout SeededGenerator
    ) -> (Overlay, [(rowID: RowID, values: [Value])]) {
        var merged: [(rowID: RowID, values: [Value])] = []
        var masked: Set<RowID> = []
        var pending: [PlainRow] = []
        let share = ValuePool.pick([0, 20, 3], &generator)
        for row in rows {
            switch share == 0 ? 2 : Int.random(in: 0..<share, using: &generator) {
            case 0: masked.insert(row.rowID)
            case 1:
                var values = row.values
                for _ in 0...3 {
                    let position = Int.random(in: values.indices, using: &generator)
                    values[position] = randomValue(of: entity.properties[position], &generator)
                }
                masked.insert(row.rowID)
                pending.append(PlainRow(rowID: row.rowID, values: values))
                merged.append((row.rowID, values))
            default: merged.append(row)
            }
        }
        let last = rows[rows.count - 1].rowID
        for number in 0..<UInt64.random(in: 0...8, using: &generator) {
            let values = entity.properties.map { randomValue(of: $0, &generator) }
            pending.append(PlainRow(rowID: last + 1 + number, values: values))
            merged.append((last + 1 + number, values))
        }
        pending.shuffle(using: &generator)
        let overlay = Overlay()
        for row in masked.shuffled(using: &generator) { overlay.mask(row, of: entity.id) }
        // Look-ups that are there before rows come are kept; what was said of a row before is forgotten.
        for row in pending where Bool.random(using: &generator) {
            let before = PlainRow(rowID: row.rowID, values: entity.properties.map { randomValue(of: $0, &generator) })
            overlay.set(before, isStored: masked.contains(row.rowID), of: entity.id)
            for property in entity.properties where !property.isHidden {
                guard let path = try? PropertyPath([property.name], in: entity) else { continue }
                _ = overlay.entities[entity.id]?.values(at: path)
            }
        }
        for row in pending { overlay.set(row, isStored: masked.contains(row.rowID), of: entity.id) }
        return (overlay, merged)
    }

    private func randomValue(of property: Property, _ generator: inout SeededGenerator) -> Value {
        if property.isOptional && Int.random(in: 0..<4, using: &generator) == 0 { return .null }
        return ValuePool.value(of: property.type, &generator)
    }
}
