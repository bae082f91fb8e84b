import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// Parts of texts are found by an index of trigrams, where that costs less than testing all rows.
@Suite struct TrigramPlanTests {
    /// Nobody changes it.
    private nonisolated(unsafe) static let numbered = Result { try store(rowCount: 10_000, [.trigrams(of: "name")]) }

    /// Numbers as words: `number 00042 of all`, some with a rare word behind them.
    private static func store(rowCount: Int, _ indexes: [IndexDefinition]) throws -> SampleStore {
        try SampleStore(
            definition(indexes), seed: 1, rowCount: rowCount, change: { _, _ in .null },
            makeValue: { property, random in
                let number = Int.random(in: 0..<rowCount, using: &random)
                guard property.type == .string else { return .int(Int64(number)) }
                let text = String(number + 100_000)
                return .string("number \(text)" + (number % 1_000 == 7 ? " of the Müßiggänger" : " of all"))
            })
    }

    private static func definition(_ indexes: [IndexDefinition]) -> EntityDefinition {
        EntityDefinition(
            "Word",
            properties: [
                .init("id", type: .int64), .init("name", type: .string), .init("size", type: .int64),
                .init("note", type: .string, isOptional: true),
            ],
            indexes: [.init([.init("id")]), .init([.init("size")])] + indexes)
    }

    private func plan(
        _ format: String, sort: [SortKey] = [], limit: Int? = nil, _ body: (Plan, [RowID], Work) throws -> Void
    ) throws {
        let sample = try Self.numbered.get()
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Word")
            let query = Query(
                entity: "Word", predicate: try PredicateParser.parse(format), sort: sort, limit: limit)
            let plan = try Planner.plan(query, in: snapshot)
            var work = Work()
            let rows = try plan.rows(in: snapshot, work: &work).map(\.rowID)
            let expected = try FullScan(entity: entity, rows: sample.rows).rows(of: query)
            #expect(rows == expected.map(\.rowID), "\(plan.explanation())")
            try body(plan, rows, work)
        }
    }

    @Test(arguments: [
        "name CONTAINS[cd] 'mussigganger'", "name CONTAINS[cd] 'MÜSSIG'", "name CONTAINS 'Müßig'",
        "name CONTAINS[c] 'SSIGG'",
        "name ENDSWITH[cd] 'gänger'", "name LIKE[cd] '*mussig*'", "name LIKE '*number*igg*'",
        "name CONTAINS[cd] 'the mu' AND size >= 0", "NOT name == 'x' AND name CONTAINS[cd] 'ssig'",
        "name BEGINSWITH 'number 10' AND name CONTAINS[cdl] 'ggang'",
    ])
    func aRarePartIsFound(format: String) throws {
        try plan(format) { plan, rows, work in
            guard case .intersection(let scans) = plan.accessPath else {
                Issue.record("\(plan.explanation())")
                return
            }
            #expect(scans.allSatisfy(\.isOfTrigram) && !rows.isEmpty)
            #expect(work.records <= 2 * rows.count + 5 && work.entries <= 100, "\(plan.explanation(with: work))")
            #expect(plan.explanation().contains("trigrams(name), rows with '"))
        }
    }

    /// A search for one of several parts reads the rows that have the rarest trigram of each.
    @Test(arguments: [
        "name CONTAINS[cd] 'mussig' OR name CONTAINS[cd] 'gganger'",
        "size >= 0 AND (name CONTAINS[cd] 'mussig' OR name LIKE '*the*igg*')",
        "(name CONTAINS[cd] 'mussig' AND size >= 0) OR name ENDSWITH[cd] 'gänger'",
    ])
    func aRareOneOfSeveralPartsIsFound(format: String) throws {
        for (sort, limit) in [([], nil), ([SortKey("size")], 5), ([], 5)] as [([SortKey], Int?)] {
            try plan(format, sort: sort, limit: limit) { plan, rows, work in
                guard case .union(let scans) = plan.accessPath else {
                    Issue.record("\(plan.explanation())")
                    return
                }
                #expect(scans.allSatisfy(\.isOfTrigram) && scans.count == 2 && !rows.isEmpty)
                #expect(work.records <= 40 && work.entries <= 100, "\(plan.explanation(with: work))")
            }
        }
    }

    /// One part of which nothing is known, or that is common, has all rows tested.
    @Test(arguments: [
        "name CONTAINS[cd] 'mussig' OR note CONTAINS[cd] 'mussig'", "name CONTAINS[cd] 'mussig' OR size >= 7",
        "name CONTAINS[cd] 'mussig' OR name CONTAINS[cd] 'number'", "NOT (name CONTAINS 'igg' OR name CONTAINS 'sig')",
    ])
    func anOrOfWhatIsNotAllRareIsTestedOnEachRow(format: String) throws {
        try plan(format) { plan, _, work in
            #expect(plan.accessPath == .table(from: .min, through: .max), "\(plan.explanation())")
            #expect(work.entries == 0)
        }
    }

    /// Neither an order nor a limit hides that few rows match.
    @Test func aRarePartIsFoundUnderAnOrderAndALimit() throws {
        let order = SortKey("size", direction: .descending)
        for (sort, limit) in [([order], nil), ([order], 5), ([], 5)] as [([SortKey], Int?)] {
            try plan("name CONTAINS[cd] 'mussig'", sort: sort, limit: limit) { plan, rows, work in
                #expect(!rows.isEmpty && work.records <= 40 && work.entries <= 100, "\(plan.explanation(with: work))")
            }
        }
    }

    /// What most rows have is tested on each, or found along an order.
    @Test(arguments: ["name CONTAINS[cd] 'number'", "name CONTAINS[cd] 'of all'", "name LIKE '*number*all'"])
    func aCommonPartIsTestedOnEachRow(format: String) throws {
        try plan(format) { plan, _, work in
            #expect(plan.accessPath == .table(from: .min, through: .max), "\(plan.explanation())")
            #expect(work.entries == 0)
        }
        try plan(format, sort: [SortKey("size")], limit: 10) { plan, _, work in
            #expect(work.records < 100, "\(plan.explanation(with: work))")
        }
    }

    @Test(arguments: [
        "name CONTAINS[cd] ''", "name CONTAINS[cd] 'ß'", "name CONTAINS[cd] 'gg'", "name CONTAINS[cd] 'u\u{308}g'",
        "NOT name CONTAINS[cd] 'mussig'", "name CONTAINS[d] 'mußig'", "name MATCHES '.*Müßig.*'",
        "name CONTAINS[cd] 'mussig' OR note == 'x'", "note CONTAINS[cd] 'mussig'", "name LIKE '*M?ß?g*'",
        "name ==[cd] 'mussig'", "'mussig' CONTAINS[cd] name", "lowercase(name) CONTAINS 'mussig'",
    ])
    func whatAnIndexKnowsNothingOfIsNotAskedOfIt(format: String) throws {
        try plan(format) { plan, _, _ in
            if case .intersection(let scans) = plan.accessPath, scans.contains(where: \.isOfTrigram) {
                Issue.record("\(plan.explanation())")
            }
        }
    }

    /// An index of trigrams has neither an entry for each row nor an order of them.
    @Test(arguments: [
        "name == 'number'", "name > 'a'", "name ==[cd] 'number'", "name BEGINSWITH[cd] 'nu'", "TRUEPREDICATE",
    ])
    func itIsTakenForNoOtherIndex(format: String) throws {
        for sort in [[], [SortKey("name")], [SortKey("name", form: .caseAndDiacriticFolded)]] {
            try plan(format, sort: sort, limit: 3) { plan, _, _ in
                #expect(plan.accessPath.scan?.index.kind != .trigrams, "\(plan.explanation())")
            }
        }
        let sample = try Self.numbered.get()
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Word")
            let predicate = format == "TRUEPREDICATE" ? nil : try PredicateParser.parse(format)
            var query = Query(entity: "Word", predicate: predicate, columns: [])
            let check = QueryCheck(FullScan(entity: entity, rows: sample.rows), in: snapshot)
            for result in [ResultKind.count, .sections] {
                query.result = result
                query.section = result == .sections ? "name" : nil
                query.sort = result == .sections ? [SortKey("name")] : []
                #expect(try check.difference(of: query, in: check.plans(of: query)) == nil)
            }
        }
    }

    /// Whether the index is asked follows from the constants, also where the shape is known.
    @Test func aKnownShapeAsksItWhereItPays() throws {
        try Self.numbered.get().store.read { snapshot in
            let entity = try snapshot.entity(named: "Word")
            let cache = PlanCache()
            var found: [Bool] = []
            for part in ["number", "mussig", "nu", "of all", "igg"] {
                let query = Query(entity: "Word", predicate: try PredicateParser.parse("name CONTAINS[cd] '\(part)'"))
                let (plan, isKept) = try cache.plan(
                    query, of: entity, in: snapshot.schema, statistics: snapshot, analysisCount: 0)
                #expect(isKept == !found.isEmpty)
                if case .intersection = plan.accessPath { found.append(true) } else { found.append(false) }
            }
            #expect(found == [false, true, false, false, true])
        }
    }

    /// Also where all plans are asked for, as a search does that finds too little: a scan that saves nothing is not made.
    @Test func scansThatSaveNothingAreInNoPlan() throws {
        try Self.numbered.get().store.read { snapshot in
            let entity = try snapshot.entity(named: "Word")
            let query = try ResolvedQuery(
                Query(entity: "Word", predicate: try PredicateParser.parse("name CONTAINS[cd] 'mussigganger'")),
                in: entity, schema: snapshot.schema)
            let chosen = try Planner.plan(query, statistics: snapshot)
            let plans = try Planner.plans(query, statistics: snapshot).filter { $0.accessPath == chosen.accessPath }
            guard case .intersection(let scans) = chosen.accessPath else {
                Issue.record("\(chosen.explanation())")
                return
            }
            #expect(plans.count == 1 && scans.count < 4, "\(chosen.explanation())")
        }
    }

    /// Notes the ranges that are counted.
    private final class Counting: IndexStatistics {
        let snapshot: Snapshot
        var counted: [KeyRange] = []

        init(_ snapshot: Snapshot) { self.snapshot = snapshot }

        func count(of entity: EntityID) throws -> Int { try snapshot.count(of: entity) }
        func inexactCount(in index: Index) throws -> Int { try snapshot.inexactCount(in: index) }
        func leadingKeys(of index: Index, count: Int) throws -> IndexSample {
            try snapshot.leadingKeys(of: index, count: count)
        }

        func count(in index: Index, range: KeyRange) throws -> Int {
            counted.append(range)
            return try snapshot.count(in: index, range: range)
        }
    }

    /// Texts that stand for every trigram are counted once, and of the parts of an OR a few trigrams each.
    @Test func planningCountsLittle() throws {
        let many = (0..<200).map { "name CONTAINS[cd] 'number 0\($0 + 1_000)'" }.joined(separator: " OR ")
        let two = "name CONTAINS[cd] 'number' AND name CONTAINS[cd] 'of all'"
        for (format, counts) in [(many, 100...270), (two, 9...12)] {
            let query = Query(entity: "Word", predicate: try PredicateParser.parse(format), limit: 5)
            try Self.numbered.get().store.read { snapshot in
                let entity = try snapshot.entity(named: "Word")
                let counting = Counting(snapshot)
                let plan = try Planner.plan(query, of: entity, in: snapshot.schema, statistics: counting)
                #expect(counts ~= counting.counted.count, "\(counting.counted.count) \(plan.explanation())")
                #expect(counting.counted.count { $0 == TrigramRule.longTexts } == 1)
            }
        }
    }

    /// Two conditions that are rare together alone: the rows with a trigram are met with those of another index.
    @Test func itIsIntersectedWithOthers() throws {
        try plan("name CONTAINS[cd] '0012' AND size BETWEEN {2000, 2300}") { plan, _, work in
            guard case .intersection(let scans) = plan.accessPath else {
                Issue.record("\(plan.explanation())")
                return
            }
            #expect(scans.contains { !$0.isOfTrigram } || scans.count == 1, "\(plan.explanation(with: work))")
            #expect(work.records < 60, "\(plan.explanation(with: work))")
        }
    }

    /// A text that is too long to be taken apart is tested whatever is looked for.
    @Test func aVeryLongTextIsFound() throws {
        let long = String(repeating: "abc", count: TrigramSet.longestText / 3 + 1) + "xyz"
        var number = 0
        let sample = try SampleStore(
            Self.definition([.trigrams(of: "name")]), seed: 1, rowCount: 2_000, change: { _, _ in .null },
            makeValue: { property, _ in
                number += 1
                guard property.type == .string else { return .int(0) }
                return .string(number == 1_000 ? long : "number \(number)")
            })
        try sample.store.read { snapshot in
            let query = Query(entity: "Word", predicate: try PredicateParser.parse("name CONTAINS[cd] 'CXYZ'"))
            let plan = try Planner.plan(query, in: snapshot)
            var work = Work()
            let rows = try plan.rows(in: snapshot, work: &work)
            #expect(rows.count == 1 && work.records == 1, "\(plan.explanation(with: work))")
        }
    }

    /// Hard texts and needles, orders, limits and pending changes: every plan gives what a full scan gives.
    @Test(arguments: 0..<4 as Range<UInt64>)
    func plansEqualAFullScan(seed: UInt64) throws {
        func value(_ property: Property, _ random: inout SeededGenerator) -> Value {
            guard property.type == .string else { return .int(Int64.random(in: 0..<40, using: &random)) }
            return .string(HardText.text(Int.random(in: 0...12, using: &random), &random))
        }
        let sample = try SampleStore(
            Self.definition([.trigrams(of: "name"), .trigrams(of: "note")]), seed: seed, rowCount: 250, change: value,
            makeValue: value)
        var (asked, united) = (0, 0)
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Word")
            for number in 0..<UInt64(300) {
                var random = SeededGenerator(seed: seed << 32 | number)
                let (overlay, rows) =
                    number % 3 == 0 ? (nil, sample.rows) : sample.overlay(of: entity, &random)
                let query = Self.query(rows, &random)
                let check = QueryCheck(FullScan(entity: entity, rows: rows), in: snapshot, overlay: overlay)
                let plans = try check.plans(of: query)
                let difference = try check.difference(of: query, in: plans)
                try #require(difference == nil, "seed \(seed << 32 | number)")
                united +=
                    plans.contains {
                        if case .union(let scans) = $0.accessPath {
                            scans.contains(where: \.isOfTrigram)
                        } else {
                            false
                        }
                    } ? 1 : 0
                asked +=
                    plans.contains {
                        if case .intersection(let scans) = $0.accessPath {
                            scans.contains(where: \.isOfTrigram)
                        } else {
                            false
                        }
                    } ? 1 : 0
            }
        }
        #expect(asked > 30 && united > 20, "\(asked) \(united)")
    }

    private static func query(
        _ rows: [(rowID: RowID, values: [Value])], _ random: inout SeededGenerator
    ) -> Query {
        func condition() -> QueryPredicate {
            let name = ["name", "name", "note"].randomElement(using: &random) ?? "name"
            var part = HardText.text(3, &random)
            if let row = rows.randomElement(using: &random), case .string(let text) = row.values[name == "name" ? 1 : 3]
            {
                part = HardText.part(of: text, &random)
            }
            let text = TextOperator.allCases.filter { $0 != .matches }.randomElement(using: &random) ?? .contains
            if text == .like {
                part = "*" + part.map { Int.random(in: 0..<9, using: &random) == 0 ? "?" : "\($0)" }.joined() + "*"
            }
            let options = StringOptions(
                ignoresCase: Int.random(in: 0..<4, using: &random) > 0,
                ignoresDiacritics: Int.random(in: 0..<3, using: &random) > 0,
                isLocalized: Int.random(in: 0..<5, using: &random) == 0)
            let predicate = QueryPredicate.text(.keyPath([name]), text, .constant(.string(part)), options)
            return Int.random(in: 0..<8, using: &random) == 0 ? .not(predicate) : predicate
        }
        let size = QueryPredicate.comparison(
            .keyPath(["size"]), .less, .constant(.int(Int64.random(in: 0..<40, using: &random))), .none)
        let predicate: QueryPredicate =
            switch Int.random(in: 0..<7, using: &random) {
            case 5: .or([condition(), size])
            case 6: .and([.or([.and([condition(), condition()]), size]), .not(condition())])
            case 0: .and([condition(), size])
            case 1: .and([condition(), condition()])
            case 2: .or([condition(), condition()])
            default: condition()
            }
        let sort = [
            [], [SortKey("size")], [SortKey("name", direction: .descending)], [SortKey("id"), SortKey("name")],
        ]
        var query = Query(
            entity: "Word", predicate: predicate, sort: sort.randomElement(using: &random) ?? [],
            limit: Bool.random(using: &random) ? nil : Int.random(in: 1...40, using: &random),
            offset: Bool.random(using: &random) ? 0 : Int.random(in: 0...9, using: &random))
        if Int.random(in: 0..<5, using: &random) == 0 { query.result = .count }
        return query
    }
}
