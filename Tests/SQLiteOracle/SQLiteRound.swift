package import Foundation
import LoamQuery
import LoamStorage
import RandomQueries
import SeededRandom

/// What a round has done, or several.
package struct SQLiteCounts: Sendable {
    package var cases = 0
    /// Queries that give anything.
    package var found = 0
    /// Queries with changes that are not saved.
    package var pending = 0
    package var faults = 0

    package init() {}

    package mutating func add(_ other: SQLiteCounts) {
        cases += other.cases
        found += other.found
        pending += other.pending
        faults += other.faults
    }
}

/// Rows, changes that are not saved, and queries that follow from one seed: what plans give is held against SQLite.
package struct SQLiteRound {
    package static let caseCount = 250
    private static let casesPerState: UInt64 = 10

    private let seed: UInt64
    private let folder: URL?

    /// - Parameter folder: where the folder of the store is made; nil for the temporary folder.
    package init(seed: UInt64, folder: URL? = nil) { (self.seed, self.folder) = (seed, folder) }

    /// Asks the queries, until one fails.
    ///
    /// - Parameter report: takes what failed, and then the smallest query that still does.
    /// - Throws: what the store and SQLite throw.
    package func run(cases: Int = caseCount, _ report: (String) -> Void) throws -> SQLiteCounts {
        var counts = SQLiteCounts()
        if seed % 3 == 0 {
            try askAlongRelationships(cases, &counts, report)
        } else {
            try askOfOneEntity(cases, &counts, report)
        }
        return counts
    }

    private func askOfOneEntity(_ cases: Int, _ counts: inout SQLiteCounts, _ report: (String) -> Void) throws {
        var generator = SeededGenerator(seed: seed)
        let sample = try CommonRows.makeStore(
            seed: seed, rowCount: Int.random(in: 1...200, using: &generator),
            indexShare: ValuePool.pick([0.2, 0.5, 1], &generator), in: folder)
        let ids = sample.rows[0].rowID...sample.rows[sample.rows.count - 1].rowID + 20
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: CommonRows.entityName)
            let stored = SQLiteCheck(try SQLiteRows(snapshot.schema, rows: [entity.id: sample.rows]), in: snapshot)
            var check = stored
            var number: UInt64 = 0
            while counts.cases < cases, counts.faults == 0 {
                let isPending = number / Self.casesPerState % 2 == 1
                if number % Self.casesPerState == 0 {
                    check = stored
                    if isPending {
                        let (overlay, rows) = sample.overlay(of: entity, &generator)
                        check = SQLiteCheck(
                            try SQLiteRows(snapshot.schema, rows: [entity.id: rows]), in: snapshot, overlay: overlay)
                    }
                }
                var source = CommonQuery(entity, seed: seed << 20 | number)
                try ask(source.query(rowIDs: ids), check, number, isPending, &counts, report)
                number += 1
            }
        }
    }

    private func askAlongRelationships(
        _ cases: Int, _ counts: inout SQLiteCounts, _ report: (String) -> Void
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let atlas = try AtlasStore(seed: seed, rowCount: Int.random(in: 4...60, using: &generator), in: folder)
        try atlas.store.read { snapshot in
            let stored = SQLiteCheck(try SQLiteRows(atlas.model), in: snapshot)
            var check = stored
            var ids = atlas.model.idsByEntity
            var number: UInt64 = 0
            while counts.cases < cases, counts.faults == 0 {
                let isPending = number / Self.casesPerState % 2 == 1
                if number % Self.casesPerState == 0 {
                    (check, ids) = (stored, atlas.model.idsByEntity)
                    if isPending {
                        var changes = AtlasChanges(atlas.model, seed: ~(seed << 20 | number))
                        changes.make()
                        check = SQLiteCheck(try SQLiteRows(changes.model), in: snapshot, overlay: changes.overlay)
                        ids = changes.model.idsByEntity
                    }
                }
                var source = RandomRelationQuery(snapshot.schema, ids: ids, seed: seed << 20 | number)
                try ask(source.query(), check, number, isPending, &counts, report)
                number += 1
            }
        }
    }

    private func ask(
        _ query: Query, _ check: SQLiteCheck, _ number: UInt64, _ isPending: Bool, _ counts: inout SQLiteCounts,
        _ report: (String) -> Void
    ) throws {
        let outcome = try check.ask(query, number: number)
        guard outcome.isAsked else { return }
        counts.cases += 1
        if isPending { counts.pending += 1 }
        if !outcome.isEmpty { counts.found += 1 }
        guard let difference = outcome.difference else { return }
        counts.faults += 1
        report("seed \(seed): \(difference)")
        let smallest = query.smallest { (try? check.ask($0, number: number).difference) ?? nil != nil }
        if let difference = try? check.ask(smallest, number: number).difference {
            report("made smaller: \(difference)")
        }
    }
}
