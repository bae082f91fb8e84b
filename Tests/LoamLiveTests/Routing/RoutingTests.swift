import LoamQuery
import LoamStorage
import SeededRandom
import Synchronization
import Testing

@testable import LoamLive

/// A commit costs the results that it touches, and no others.
@Suite struct RoutingTests {
    /// 400 towns of 40 regions, and a result for each region.
    private struct Regions {
        let store: Store
        let entity: Entity
        var rowIDs: [RowID] = []
        var results: [LiveResult] = []

        init(indexes: [IndexDefinition] = [.init([.init("region"), .init("size")])]) throws {
            var options = StoreOptions()
            options.isInMemory = true
            store = try Store.open(path: "", options: options)
            try store.apply(
                .addEntity(
                    EntityDefinition(
                        "Town",
                        properties: [
                            .init("region", type: .int64), .init("size", type: .int64),
                            .init("note", type: .string, isOptional: true),
                        ], indexes: indexes)))
            entity = try store.read { try $0.entity(named: "Town") }
            var batch = WriteBatch()
            for number in 0..<400 {
                let rowID = try store.makeRowID()
                rowIDs.append(rowID)
                batch.insert(
                    try store.catalog().encode(
                        [.int(Int64(number / 10)), .int(Int64(number * 7 % 400)), .null], as: entity.id),
                    into: entity.id, rowID: rowID)
            }
            try store.save(batch)
            for region in 0..<40 { results.append(try result("region == \(region)")) }
            // Virtual rows have gone on to the snapshot that is held for all.
            for live in results { live.settle() }
        }

        func result(_ predicate: String, columns: [String]? = nil) throws -> LiveResult {
            let query = Query(
                entity: "Town", predicate: try PredicateParser.parse(predicate), sort: [SortKey("size")],
                columns: columns)
            let live = try LiveResult(query, in: store) { _ in }
            live.start()
            return live
        }

        func change(_ numbers: [Int], _ property: String, to value: Value) throws {
            var batch = WriteBatch()
            let id = try #require(entity.properties.first { $0.name == property }).id
            for number in numbers {
                batch.update(rowIDs[number], of: entity.id, base: nil, changes: [id: value])
            }
            try store.save(batch)
            for live in results { live.settle() }
        }

        /// The results that were looked at since the start.
        var touched: [Int] { results.indices.filter { results[$0].trace.rounds > 0 } }

        func check() throws {
            for live in results {
                #expect(live.state.checkInvariants() == [])
                var work = Work()
                let fresh = try store.read { snapshot in
                    try Planner.plan(live.query, in: snapshot).rows(in: snapshot, work: &work).map(\.rowID)
                }
                #expect(live.state.rowIDs == fresh, "\(live.query.predicate), \(live.trace)")
            }
        }
    }

    @Test func aCommitReachesTheResultsWhoseRangesItsRowsWereOrAreIn() throws {
        let regions = try Regions()
        try regions.change([55], "size", to: .int(1_000))
        #expect(regions.touched == [5])
        try regions.change([123], "region", to: .int(31))
        #expect(regions.touched == [5, 12, 31])
        var batch = WriteBatch()
        batch.delete(regions.rowIDs[270], of: regions.entity.id)
        batch.insert(
            try regions.store.catalog().encode([.int(33), .int(0), .string("new")], as: regions.entity.id),
            into: regions.entity.id, rowID: try regions.store.makeRowID())
        try regions.store.save(batch)
        for live in regions.results { live.settle() }
        #expect(regions.touched == [5, 12, 27, 31, 33])
        // Rows of no region that is shown reach nobody.
        try regions.change([390], "region", to: .int(99))
        try regions.change([390], "size", to: .int(99))
        #expect(regions.touched == [5, 12, 27, 31, 33, 39] && regions.results[39].trace.rounds == 1)
        try regions.check()
    }

    /// A commit of more rows than a result has costs it the rows in its range: it is not read again.
    @Test func manyRowsElsewhereAreNotLookedAt() throws {
        let regions = try Regions()
        try regions.change(Array(0..<395), "size", to: .int(7_000))
        for (number, live) in regions.results.enumerated() {
            #expect(live.trace == LiveTrace(rounds: 1, placed: number == 39 ? 5 : 10))
        }
        try regions.check()
    }

    @Test func fieldsThatNobodyShowsReachNobody() throws {
        var regions = try Regions()
        regions.results = [
            try regions.result("region == 3", columns: ["size"]), try regions.result("region == 3", columns: ["note"]),
            try regions.result("size > 0", columns: []), try regions.result("note == nil", columns: []),
        ]
        try regions.change([30], "note", to: .string("a"))
        #expect(regions.touched == [1, 3])
        try regions.check()
    }

    /// Results that name their rows, as those that follow one object do.
    @Test func rowsThatAreNamedAreFoundByTheirIDs() throws {
        var regions = try Regions()
        regions.results = try [7, 8, 9].map { try regions.result("SELF == \(regions.rowIDs[$0])") }
        try #require(regions.results.allSatisfy { $0.state.count == 1 })
        try regions.change([8, 200], "size", to: .int(3))
        #expect(regions.touched == [1])
        try regions.check()
    }

    /// The old place comes from the record that the commit keeps; only what other processes change is searched for.
    @Test func heldRowsAreNotSearched() throws {
        let regions = try Regions()
        for number in 0..<60 { try regions.change([number * 3], "size", to: .int(Int64(number))) }
        #expect(regions.results.allSatisfy { $0.trace.searches == 0 && $0.trace.reads == 0 })
        try regions.check()
    }

    /// Random changes with results over ranges of every kind, some of which close and open on the way.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func routedResultsAreCurrent(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var regions = try Regions(indexes: [
            .init([.init("region"), .init("size")]), .init([.init("size")]),
            .init([.init("note", form: .caseAndDiacriticFolded)]),
        ])
        let predicates = [
            "region BETWEEN {3, 9}", "size < 40", "region IN {1, 30, 31}", "note BEGINSWITH[cd] 'a'", "note == nil",
            "region == 5 AND size > 200", "region > 20 OR size == 3", "TRUEPREDICATE", "note == 'Ä\(seed)'",
        ]
        for step in 0..<40 {
            let count = Int.random(in: 1...(step % 7 == 0 ? 200 : 5), using: &random)
            let numbers = Set((0..<count).map { _ in Int.random(in: 0..<400, using: &random) }).sorted()
            let number = Int64.random(in: 0..<45, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: try regions.change(numbers, "region", to: .int(number))
            case 1: try regions.change(numbers, "size", to: .int(number * 9))
            default:
                let long = String(repeating: "long ", count: Int(number) * 20)
                try regions.change(
                    numbers, "note", to: number % 5 == 0 ? .null : .string(["Ä\(seed)", "a\(number)", long][step % 3]))
            }
            if let predicate = predicates.randomElement(using: &random) {
                regions.results[Int.random(in: 0..<40, using: &random)] = try regions.result(predicate)
            }
            if step % 6 == 0 { try regions.check() }
        }
        try regions.check()
    }
}
