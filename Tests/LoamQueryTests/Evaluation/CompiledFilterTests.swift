import LoamStorage
import RandomQueries
import Testing

@testable import LoamQuery

/// A compiled filter answers as the predicate does that it was made of, wherever the row's values lie.
@Suite struct CompiledFilterTests {
    /// A program with the predicate that it was made of.
    private struct Compiled {
        let predicate: TypedPredicate
        let program: FilterProgram

        init(_ predicate: TypedPredicate) throws {
            self.predicate = predicate
            program = try FilterProgram(Filter(predicate))
        }
    }

    /// Taking a step from the list must not count references, whatever the instruction: it happens for every test of
    /// every row.
    @Test func aStepIsCopiedByItsBytes() {
        #expect(_isPOD(FilterStep.self))
    }

    private static func predicates(of sample: SampleStore, seed: UInt64, count: Int) throws -> [Compiled] {
        let entity = try sample.store.read { try $0.entity(named: "Thing") }
        let ids = sample.rows[0].rowID...sample.rows[sample.rows.count - 1].rowID
        let checker = TypeChecker(entity: entity)
        var compiled: [Compiled] = []
        for number in 0..<UInt64(count) {
            var source = RandomQuery(entity, seed: seed << 32 | number)
            let parts =
                try source.query(rowIDs: ids).predicate.map { [try checker.check($0)] } ?? []
                + [checker.check(source.computed())]
            for predicate in parts {
                compiled.append(try Compiled(predicate))
                compiled.append(try Compiled(predicate.normalized))
            }
        }
        return compiled
    }

    @Test(arguments: [(11, false), (12, true), (13, true)] as [(UInt64, Bool)])
    func itAgreesWithThePredicateOnRecords(seed: UInt64, longStrings: Bool) throws {
        let sample = try SampleStore(seed: seed, rowCount: 60, longStrings: longStrings)
        let predicates = try Self.predicates(of: sample, seed: seed, count: 400)
        var (matches, tests) = (0, 0)
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            try snapshot.scanRows(of: entity) { row in
                let plain = PlainRow(rowID: row.rowID, values: try row.values())
                for compiled in predicates {
                    let holds = try compiled.predicate.holds(plain, related: nil)
                    tests += 1
                    if holds { matches += 1 }
                    let found = try (compiled.program.matches(row), compiled.program.matches(plain))
                    try #require(
                        found == (holds, holds), "\(compiled.predicate) of \(plain.values.map(\.formatText))")
                }
                return true
            }
        }
        #expect(matches > tests / 20 && matches < tests - tests / 20)
    }

    /// Entries hold what they have in the key's form or in fields beside it.
    @Test(arguments: [14, 15] as [UInt64])
    func itAgreesWithThePredicateOnEntries(seed: UInt64) throws {
        let sample = try SampleStore(seed: seed, rowCount: 60, longStrings: false)
        let predicates = try Self.predicates(of: sample, seed: seed, count: 400)
        var tests = 0
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            for index in entity.indexes {
                for compiled in predicates where !compiled.predicate.paths.isEmpty {
                    guard let covering = try Covering(compiled.predicate.paths, in: index) else { continue }
                    var entry = try CoveredRow(covering, index: index, entity: entity)
                    try snapshot.scanIndex(index, range: .all) { batch in
                        for place in 0..<batch.count where try entry.fill(from: batch, at: place) {
                            let row = sample.rows.first { $0.rowID == entry.rowID }
                            let plain = PlainRow(rowID: entry.rowID, values: row?.values ?? [])
                            tests += 1
                            let holds = try compiled.predicate.holds(plain, related: nil)
                            try #require(
                                try compiled.program.matches(entry) == holds,
                                "\(compiled.predicate) of \(plain.values.map(\.formatText))")
                        }
                        return true
                    }
                }
            }
        }
        #expect(tests > 1_000)
    }

    /// A program has registers for one row at a time, and others for whoever comes meanwhile.
    @Test func threadsShareAProgram() async throws {
        let row = PlainRow(
            rowID: 1,
            values: SampleEntity.row(["id": .int(20), "small": .int(5), "name": .string("Ö"), "note": .string("ö")]))
        let predicate = try TypeChecker(entity: SampleEntity.entity)
            .check(PredicateParser.parse("lowercase(name) == note AND id / small + small == 9"))
        let program = try FilterProgram(Filter(predicate))
        let results = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask { try (0..<2_000).allSatisfy { _ in try program.matches(row) } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results == [true, true, true, true])
    }
}
