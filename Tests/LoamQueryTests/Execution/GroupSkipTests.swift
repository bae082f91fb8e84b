import LoamStorage
import SeededRandom
import Testing

@testable import LoamQuery

/// Groups whose rows are reached by skips through an index's first component, which turns out to have many values.
@Suite struct GroupSkipTests {
    private static let rowCount = 20_000

    /// Events of few kinds but for those in the middle, which have a kind each. None of the sampled entries has one.
    private static func events() throws -> Store {
        var options = StoreOptions()
        options.isInMemory = true
        let store = try Store.open(path: "", options: options)
        let definition = EntityDefinition(
            "Event",
            properties: [
                .init("kind", type: .string), .init("size", type: .int64), .init("place", type: .int64),
                .init("weight", type: .double),
            ],
            indexes: [.init([.init("kind"), .init("size")], isSectioned: true)])
        _ = try store.load(.newEntity(definition), rowCount: rowCount) { load in
            for number in 0..<rowCount {
                let kind = number < 630 ? "a" : number < 1_870 ? "b \(number)" : "c"
                try load.append([
                    .string(kind), .int(Int64(number * 7_919 % 20_011)), .int(Int64(number % 7)),
                    .double(Double(number % 11) / 8),
                ])
            }
        }
        return store
    }

    private static func query(
        keys: [String], of aggregates: [String], where format: String = "size >= 19700"
    ) throws -> GroupedQuery {
        GroupedQuery(
            entity: "Event", predicate: try PredicateParser.parse(format), keys: keys,
            aggregates: try aggregates.map { try GroupAggregate($0) })
    }

    /// What is read in all, whatever it is.
    private static func cost(_ work: Work) -> Int { work.ranges + work.entries + work.records + work.sums }

    /// Groups of keys and aggregates of each kind: by rows with and without records, by sums, and by look-ups.
    private static let questions: [(keys: [String], aggregates: [String])] = [
        (["place"], ["count()", "sum(size)"]), (["place", "kind"], ["average(weight)"]), (["kind"], ["maximum(size)"]),
        (["kind"], ["count()"]), (["kind"], []), ([], ["sum(weight)", "count()"]), ([], ["count()"]),
    ]

    /// The worst case reads no more than twice what a scan of all rows does.
    @Test(arguments: questions, [GroupedPlan.usualMemory, 4_000])
    func farTooManyValuesAreLeft(_ question: (keys: [String], aggregates: [String]), memory: Int) throws {
        let query = try Self.query(keys: question.keys, of: question.aggregates)
        try Self.events().read { snapshot in
            let plan = try GroupedPlan(query, in: snapshot)
            var work = Work()
            let groups = try plan.groups(in: snapshot, memory: memory, work: &work)
            // What any group has in common with others is found without an index, too.
            let rows = try snapshot.entity(named: "Event")
            var (expected, scanned) = ([[Value]](), 0)
            let tally = try GroupTally(keys: plan.keys, plan.aggregates, memory: .max)
            let scan = try Self.tablePlan(query, in: snapshot)
            let execution = try PlanExecution(scan, in: snapshot, work: Work())
            execution.placer = plan.keys.isEmpty ? nil : RowPlacer(try SortKeys(plan.keys.ascending))
            execution.tally = tally
            try execution.forEachMatch(scan.query.columns) { _ in true }
            _ = try tally.finish { expected.append($1) }
            scanned = execution.work.records
            #expect(scanned == Self.rowCount && rows.name == "Event")
            #expect(Set(groups) == Set(expected) && groups.count == expected.count, "\(plan.explanation(with: work))")
            let passes = memory == GroupedPlan.usualMemory ? 1 : max(1, (groups.count + 9) / 10)
            #expect(Self.cost(work) <= 2 * scanned * passes, "\(plan.explanation(with: work))")
            if case .rows(let chosen) = plan.method, case .skip = chosen.accessPath {
                #expect(work.abandoned > 60, "\(plan.explanation(with: work))")
            }
        }
    }

    private static func tablePlan(_ query: GroupedQuery, in snapshot: Snapshot) throws -> Plan {
        let entity = try snapshot.entity(named: "Event")
        let rows = Query(entity: "Event", predicate: query.predicate, columns: ["kind", "size", "place", "weight"])
        return try #require(
            try Planner.plans(ResolvedQuery(rows, in: entity, schema: snapshot.schema), statistics: snapshot)
                .first { $0.accessPath == .table(from: .min, through: .max) })
    }

    /// The search that is left and the one that follows stand in the explanation, with what each has read.
    @Test func theExplanationTellsOfTheSearchThatWasLeft() throws {
        let query = try Self.query(keys: ["place"], of: ["count()", "sum(size)"])
        try Self.events().read { snapshot in
            let plan = try GroupedPlan(query, in: snapshot)
            var work = Work()
            let explanation = try plan.measuredExplanation(in: snapshot, work: &work)
            let kinds = explanation.operators.map(\.kind)
            #expect(kinds.contains(.abandoned) && kinds.contains(.skipScan), "\(explanation)")
            #expect(kinds.contains { $0 == .table || $0 == .index }, "\(explanation)")
            #expect(explanation.total?.abandoned == work.abandoned && work.abandoned > 0)
            let parts = explanation.operators.compactMap(\.actual)
            #expect(parts.reduce(0) { $0 + $1.entries } == work.entries, "\(explanation)")
            #expect(parts.reduce(0) { $0 + $1.records } == work.records, "\(explanation)")
        }
    }

    /// 20,000 events of so many kinds, each as often as the others.
    private static func evenEvents(kindCount: Int) throws -> Store {
        var options = StoreOptions()
        options.isInMemory = true
        let store = try Store.open(path: "", options: options)
        let definition = EntityDefinition(
            "Event",
            properties: [.init("kind", type: .int64), .init("size", type: .int64), .init("place", type: .int64)],
            indexes: [.init([.init("kind"), .init("size")])])
        _ = try store.load(.newEntity(definition), rowCount: rowCount) { load in
            for number in 0..<rowCount {
                try load.append([.int(Int64(number % kindCount)), .int(Int64(number)), .int(Int64(number % 7))])
            }
        }
        return store
    }

    /// Where the first component has as few values as was expected, they are skipped through.
    @Test func fewValuesAreSkippedThrough() throws {
        try Self.evenEvents(kindCount: 8).read { snapshot in
            let plan = try GroupedPlan(Self.query(keys: ["place"], of: ["count()", "sum(size)"]), in: snapshot)
            var work = Work()
            let groups = try plan.groups(in: snapshot, work: &work)
            #expect(groups.count == 7 && work.records == 300 && work.entries == 300 + 8 && work.abandoned == 0)
        }
    }

    /// The worst that can be: the plan is from a time of few values, and now each row has its own. In one pass over the
    /// rows and in several.
    @Test(arguments: [GroupedPlan.usualMemory, 600]) func aPlanOfAnotherTimeIsLeft(memory: Int) throws {
        let query = try Self.query(keys: ["place"], of: ["count()", "sum(size)"])
        let plan = try Self.evenEvents(kindCount: 8).read { try GroupedPlan(query, in: $0) }
        guard case .rows(let chosen) = plan.method, case .skip = chosen.accessPath else {
            Issue.record("\(plan.explanation())")
            return
        }
        try Self.evenEvents(kindCount: Self.rowCount).read { snapshot in
            let scan = try GroupedPlan(query, in: snapshot)
            var (work, scanned) = (Work(), Work())
            let groups = try plan.groups(in: snapshot, memory: memory, work: &work)
            #expect(try groups == scan.groups(in: snapshot, memory: memory, work: &scanned) && groups.count == 7)
            #expect(Self.cost(work) <= 2 * Self.cost(scanned), "\(plan.explanation(with: work))")
            #expect(work.abandoned > 60 && scanned.abandoned == 0 && scanned.records >= Self.rowCount)
            #expect((scanned.records > Self.rowCount) == (memory == 600))
        }
    }

    /// Under pending changes, which are taken in once, whichever plan it ends with.
    @Test(arguments: 0..<4 as Range<UInt64>) func pendingChangesCountOnce(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try Self.events().read { snapshot in
            let entity = try snapshot.entity(named: "Event")
            let overlay = Overlay()
            var expected: [Int64: Int64] = [:]
            try snapshot.scanRows(of: entity) { row in
                let place = try row.value(of: PropertyPath(2, of: entity))
                guard case .int(let place) = place, case .int(let size) = try row.value(of: PropertyPath(1, of: entity))
                else { return true }
                let isDeleted = Int.random(in: 0..<300, using: &random) == 0
                let isChanged = Int.random(in: 0..<300, using: &random) == 0
                if isDeleted {
                    overlay.mask(row.rowID, of: entity.id)
                } else if isChanged {
                    let values: [Value] = [.string("z"), .int(20_000), .int(place), .double(1)]
                    overlay.set(PlainRow(rowID: row.rowID, values: values), isStored: true, of: entity.id)
                    expected[place, default: 0] += 1
                } else if size >= 19_700 {
                    expected[place, default: 0] += 1
                }
                return true
            }
            let plan = try GroupedPlan(Self.query(keys: ["place"], of: ["count()", "sum(size)"]), in: snapshot)
            var work = Work()
            let groups = try plan.groups(in: snapshot, overlay: overlay, work: &work)
            #expect(work.abandoned > 60)
            let counts = groups.map { Array($0.prefix(2)) }
            #expect(counts == expected.sorted { $0.key < $1.key }.map { [.int($0.key), .int($0.value)] })
        }
    }
}
