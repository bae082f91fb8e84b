import Foundation
import LoamStorage
import RandomQueries
import Testing

@testable import LoamQuery

/// How many rows several trigrams of a part lead to, where some texts stand for every trigram.
@Suite struct TrigramEstimateTests {
    /// Tells of more texts that stand for every trigram than there are.
    private final class LongTexts: IndexStatistics {
        let snapshot: Snapshot
        let longTextCount: Int

        init(snapshot: Snapshot, longTextCount: Int) {
            (self.snapshot, self.longTextCount) = (snapshot, longTextCount)
        }

        func count(of entity: EntityID) throws -> Int { try snapshot.count(of: entity) }
        func inexactCount(in index: Index) throws -> Int { try snapshot.inexactCount(in: index) }
        func count(in index: Index, range: KeyRange) throws -> Int {
            range == TrigramRule.longTexts ? longTextCount : try snapshot.count(in: index, range: range)
        }
    }

    private static func words() throws -> Store {
        var options = StoreOptions()
        options.isInMemory = true
        let store = try Store.open(path: "", options: options)
        let definition = EntityDefinition(
            "Word", properties: [.init("name", type: .string), .init("note", type: .string)],
            indexes: [.trigrams(of: "name"), .trigrams(of: "note")])
        _ = try store.load(.newEntity(definition), rowCount: 5_000) { load in
            for number in 0..<5_000 {
                try load.append([
                    .string(number % 500 == 0 ? "Müßiggänger \(number)" : "number \(number)"), .string("a rare word"),
                ])
            }
        }
        return store
    }

    /// The rows that a part leads to by all of its trigrams that pay.
    private static func expectedRows(_ format: String, longTextCount: Int) throws -> [Int] {
        try words().read { snapshot in
            let query = Query(entity: "Word", predicate: try PredicateParser.parse(format))
            let resolved = try ResolvedQuery(
                query, in: snapshot.entity(named: "Word"), schema: snapshot.schema)
            let statistics = LongTexts(snapshot: snapshot, longTextCount: longTextCount)
            return try Planner.plans(resolved, statistics: statistics).compactMap { plan in
                guard case .intersection(let scans) = plan.accessPath, scans.contains(where: \.isOfTrigram) else {
                    return nil
                }
                return plan.estimate.candidates
            }
        }
    }

    /// They have each trigram, however rare these are in other texts.
    @Test(arguments: [0, 100, 1_000])
    func `the longest texts are among the rows of every part`(longTextCount: Int) throws {
        let rows = try Self.expectedRows("name CONTAINS[cd] 'mussigganger'", longTextCount: longTextCount)
        // Ten rows have the part, and what is expected is rounded up.
        #expect(rows.count == 1 && rows.allSatisfy { longTextCount...longTextCount + 11 ~= $0 }, "\(rows)")
    }

    /// Long texts of one property say nothing of those of another.
    @Test func `the longest texts of two properties are not those of the same rows`() throws {
        let rows = try Self.expectedRows(
            "name CONTAINS[cd] 'mussigganger' AND note CONTAINS[cd] 'mussigganger'", longTextCount: 1_000)
        #expect(rows.count == 1 && rows.allSatisfy { $0 < 1_000 }, "\(rows)")
    }
}
