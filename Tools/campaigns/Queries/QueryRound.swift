import Foundation
import LoamQuery
import LoamStorage
import RandomQueries
import SeededRandom

/// Rows, indexes and queries that follow from one seed.
struct QueryRound {
    private static let queryCount = 250

    let seed: UInt64
    let folder: URL

    /// Asks the queries, until one fails.
    ///
    /// - Parameter report: takes what failed.
    func run(_ report: (String) -> Void) -> QueryCounts {
        var counts = QueryCounts()
        do {
            if seed % 3 == 0 {
                try askAlongRelationships(&counts, report)
            } else {
                try askOfOneEntity(&counts, report)
            }
        } catch {
            counts.faults += 1
            report("seed \(seed): \(error)")
        }
        return counts
    }

    private func askOfOneEntity(_ counts: inout QueryCounts, _ report: (String) -> Void) throws {
        var generator = SeededGenerator(seed: seed)
        let sample = try SampleStore(
            seed: seed, rowCount: Int.random(in: 1...200, using: &generator),
            longStrings: Int.random(in: 0..<3, using: &generator) == 0,
            indexShare: ValuePool.pick([0.2, 0.5, 1], &generator), in: folder)
        let ids = sample.rows[0].rowID...sample.rows[sample.rows.count - 1].rowID + 20
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            let stored = QueryCheck(FullScan(entity: entity, rows: sample.rows), in: snapshot)
            let ranges = RangeCheck(sample.rows, in: snapshot)
            var number: UInt64 = 0
            while counts.queries < Self.queryCount, counts.faults == 0 {
                var source = RandomQuery(entity, seed: seed << 16 | number)
                let query = source.query(rowIDs: ids)
                number += 1
                guard number % 2 == 0 else {
                    let variants = [query.varied(&source.generator), query.varied(&source.generator)]
                    for query in [query] + variants where counts.faults == 0 {
                        try ask(query, stored, ranges, &counts, report)
                    }
                    continue
                }
                let (overlay, rows) = sample.overlay(of: entity, &generator)
                let check = QueryCheck(FullScan(entity: entity, rows: rows), in: snapshot, overlay: overlay)
                try ask(query, check, ranges, &counts, report)
            }
        }
    }

    private func askAlongRelationships(_ counts: inout QueryCounts, _ report: (String) -> Void) throws {
        var generator = SeededGenerator(seed: seed)
        let atlas = try AtlasStore(seed: seed, rowCount: Int.random(in: 4...60, using: &generator), in: folder)
        try atlas.store.read { snapshot in
            var number: UInt64 = 0
            while counts.queries < Self.queryCount, counts.faults == 0 {
                number += 1
                let seed = seed << 16 | number
                var (model, overlay) = (atlas.model, Overlay?.none)
                if number % 2 == 0 {
                    var changes = AtlasChanges(atlas.model, seed: ~seed)
                    changes.make()
                    (model, overlay) = (changes.model, changes.overlay)
                }
                var source = RandomRelationQuery(snapshot.schema, ids: model.idsByEntity, seed: seed)
                let query = source.query()
                let scan = model.scan(try snapshot.entity(named: query.entity))
                let stored = atlas.model.scan(scan.entity).rows
                try ask(
                    query, QueryCheck(scan, in: snapshot, overlay: overlay), RangeCheck(stored, in: snapshot), &counts,
                    report)
            }
        }
    }

    private func ask(
        _ query: Query, _ check: QueryCheck, _ ranges: RangeCheck, _ counts: inout QueryCounts,
        _ report: (String) -> Void
    ) throws {
        let (chosen, isKept) = try check.chosenPlan(of: query)
        let plans = [chosen] + (try check.plans(of: query))
        counts.queries += 1
        counts.plans += plans.count
        if isKept { counts.kept += 1 }
        if let fault = query.predicate?.formatFault {
            counts.faults += 1
            return report("seed \(seed): \(fault)")
        }
        func fault(of query: Query, in plans: [Plan], _ counts: inout QueryCounts) throws -> String? {
            if let difference = try check.difference(of: query, in: plans, holding: ranges.fault(of:doneFor:)) {
                return difference
            }
            switch try check.opinion(on: query) {
            case .none: break
            case .same: counts.judgedBySwift += 1
            case .other(let difference): return difference
            }
            for plan in plans {
                let (isChecked, fault) = try ranges.fault(of: plan)
                if isChecked { counts.ranged += 1 }
                if let fault { return fault }
            }
            return nil
        }
        guard let found = try fault(of: query, in: plans, &counts) else { return }
        counts.faults += 1
        report("seed \(seed): \(found)")
        var ignored = QueryCounts()
        let smallest = query.smallest { query in
            guard let plans = try? check.plans(of: query) else { return false }
            return (try? fault(of: query, in: plans, &ignored)) != .some(nil)
        }
        guard let plans = try? check.plans(of: smallest), let found = try? fault(of: smallest, in: plans, &ignored)
        else { return }
        report("made smaller: \(found)")
    }
}
