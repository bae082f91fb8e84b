import Foundation
import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// A condition on related rows is answered from the side that is smaller: from the rows at the other end of the
/// relationship, or from the rows themselves.
@Suite struct SemiJoinTests {
    private static let makerCount = 1_000
    private static let partCount = 20_000
    private static let store = Result { try makeStore() }

    /// Each of the makers has every thousandth part, and each tag twenty parts that follow each other.
    private static func makeStore() throws -> Store {
        var options = StoreOptions()
        options.isInMemory = true
        let store = try Store.open(path: "", options: options)
        try store.apply(
            .addEntities([
                EntityDefinition(
                    "Maker", properties: [.init("name", type: .string), .init("rank", type: .int64)],
                    relationships: [.init("parts", to: "Part", isToMany: true, inverse: "maker")],
                    indexes: [.init([.init("name")]), .init([.init("rank")])]),
                EntityDefinition(
                    "Part", properties: [.init("code", type: .int64), .init("weight", type: .int64)],
                    relationships: [
                        .init("maker", to: "Maker", inverse: "parts"),
                        .init("tags", to: "Tag", isToMany: true, inverse: "parts"),
                    ], indexes: [.init([.init("code")]), .init([.init("weight")])]),
                EntityDefinition(
                    "Tag", properties: [.init("name", type: .string)],
                    relationships: [.init("parts", to: "Part", isToMany: true, inverse: "tags")],
                    indexes: [.init([.init("name")])]),
            ]))
        let schema = try store.read { $0.schema }
        var batch = WriteBatch(author: "test")
        func insert(_ name: String, _ values: [String: Value]) throws -> RowID {
            let (entity, rowID) = (try #require(schema.entity(named: name)), try store.makeRowID())
            let row = entity.properties.map { values[$0.name] ?? .null }
            batch.insert(try store.catalog().encode(row, as: entity.id), into: entity.id, rowID: rowID)
            return rowID
        }
        let part = try #require(schema.entity(named: "Part"))
        let tags = try #require(part.relationship(named: "tags"))
        let makers = try (0..<makerCount).map {
            try insert("Maker", ["name": .string("maker \($0)"), "rank": .int(Int64($0 % 50))])
        }
        var tag: RowID = 0
        for number in 0..<partCount {
            if number % 20 == 0 { tag = try insert("Tag", ["name": .string("tag \(number / 20)")]) }
            let values: [String: Value] = [
                "code": .int(Int64(number)), "weight": .int(Int64(number % 100)),
                "maker": .uint(makers[number % makerCount]),
            ]
            batch.link(tags.id, of: try insert("Part", values), entity: part.id, to: tag)
        }
        try store.save(batch)
        return store
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let entity: String
        let format: String
        /// How many rows match.
        let rows: Int
        /// Whether the related rows come first.
        let isJoined: Bool
        /// The most entries and records that are read.
        let read: Int

        var testDescription: String { "\(entity): \(format)" }
    }

    private static let cases = [
        // One of 1,000 at the other end; twenty of 20,000 rows lead to it.
        Case(entity: "Part", format: "maker.name == 'maker 7'", rows: 20, isJoined: true, read: 45),
        Case(entity: "Part", format: "maker.name == 'maker 7' AND weight < 50", rows: 20, isJoined: true, read: 45),
        Case(entity: "Part", format: "ANY tags.name == 'tag 3'", rows: 20, isJoined: true, read: 45),
        Case(entity: "Maker", format: "ANY parts.code == 4711", rows: 1, isJoined: true, read: 4),
        Case(
            entity: "Maker", format: "SUBQUERY(parts, $p, $p.code < 40).@count > 0", rows: 40, isJoined: true, read: 125
        ),
        // Both conditions are about the same maker: one of the 20 of this rank that has the name.
        Case(
            entity: "Part", format: "maker.name BEGINSWITH 'maker 10' AND maker.rank == 7", rows: 20, isJoined: true,
            read: 80),
        // A number of rows that is tested only where there is one at all.
        Case(
            entity: "Maker", format: "SUBQUERY(parts, $p, $p.code IN {7, 1007, 8}).@count >= 2", rows: 1,
            isJoined: true,
            read: 10),
        Case(
            entity: "Maker", format: "SUBQUERY(parts, $p, $p.code < 30 AND $p.weight > rank).@count > 0", rows: 0,
            isJoined: true, read: 100),
        // Two steps.
        Case(entity: "Tag", format: "ANY parts.maker.name == 'maker 7'", rows: 20, isJoined: true, read: 70),
        Case(
            entity: "Maker", format: "SUBQUERY(parts, $p, ANY $p.tags.name == 'tag 3').@count > 0", rows: 20,
            isJoined: true, read: 90),
        // A few rows, and most rows at the other end match.
        Case(entity: "Part", format: "code IN {1, 2, 3} AND maker.rank >= 0", rows: 3, isJoined: false, read: 6),
        Case(entity: "Part", format: "code < 3 AND ANY tags.name BEGINSWITH 'tag'", rows: 3, isJoined: false, read: 6),
        Case(
            entity: "Maker", format: "name IN {'maker 1', 'maker 2', 'maker 3'} AND ANY parts.weight >= 0", rows: 3,
            isJoined: false, read: 6),
        Case(
            entity: "Tag", format: "name == 'tag 5' AND ANY parts.maker.rank < 40", rows: 1, isJoined: false, read: 2),
        // A small table without an index that helps.
        Case(entity: "Part", format: "maker.name ENDSWITH 'ker 12'", rows: 20, isJoined: true, read: 1_045),
    ]

    @Test(arguments: cases)
    func theSmallerSideComesFirst(wanted: Case) throws {
        try Self.store.get().read { snapshot in
            let query = Query(entity: wanted.entity, predicate: try PredicateParser.parse(wanted.format))
            let plan = try Planner.plan(query, in: snapshot)
            var work = Work()
            let found = try plan.rows(in: snapshot, work: &work).map(\.rowID)
            let text = plan.explanation(with: work)
            #expect(found.count == wanted.rows, "\(text)")
            #expect(text.contains("join along") == wanted.isJoined, "\(text)")
            #expect(work.entries + work.records <= wanted.read, "\(text)")
            let resolved = try ResolvedQuery(query, in: snapshot.entity(named: wanted.entity), schema: snapshot.schema)
            for other in try Planner.plans(resolved, statistics: snapshot) {
                var work = Work()
                let rows = try other.rows(in: snapshot, work: &work).map(\.rowID)
                #expect(rows == found, "\(other.explanation())")
            }
        }
    }

    /// Conditions that are answered together, or only narrowed, from the other end.
    private static let shapes: [(entity: String, format: String)] = [
        ("City", "country.name == NAME AND country.rank > NUMBER"),
        ("City", "country.rank > NUMBER AND NOT country.name == NAME AND population > NUMBER AND country.name > NAME"),
        ("City", "country.rank < NUMBER AND ANY country.cities.population > NUMBER"),
        ("City", "mayor.age > NUMBER AND mayor.name >= NAME AND ANY mayor.friends.age > NUMBER"),
        ("Person", "city.country.name >= NAME AND city.country.rank > NUMBER"),
        ("Person", "SUBQUERY(friends, $f, $f.age > NUMBER AND $f.age < age).@count >= 2"),
        ("Person", "SUBQUERY(reports, $r, $r.age >= NUMBER).@count == 2"),
        ("Country", "SUBQUERY(cities, $c, $c.population > NUMBER).@count >= 3"),
        ("Country", "SUBQUERY(cities, $c, $c.population > NUMBER AND $c.name == name).@count > 0"),
        ("Country", "SUBQUERY(cities, $c, $c.population < rank AND $c.name > NAME).@count > 1"),
        ("Country", "SUBQUERY(cities, $c, $c.population > NUMBER AND ANY $c.sights.height > rank).@count > 0"),
        ("Country", "SUBQUERY(cities, $c, SUBQUERY($c.sights, $s, $s.height > $c.population).@count > 0).@count >= 2"),
        ("Sight", "SUBQUERY(cities, $c, $c.population > NUMBER).@count == 2"),
        ("City", "SUBQUERY(country.cities, $c, $c.population > NUMBER).@count >= 2"),
    ]

    private static func predicate(_ format: String, _ generator: inout SeededGenerator) throws -> QueryPredicate {
        var text = format
        while let range = text.range(of: "NAME") {
            text.replaceSubrange(range, with: ValuePool.pick(["'a'", "'b'", "'bc'"], &generator))
        }
        while let range = text.range(of: "NUMBER") {
            text.replaceSubrange(range, with: "\(Int.random(in: 0...9, using: &generator))")
        }
        return try PredicateParser.parse(text)
    }

    @Test(arguments: [71, 72, 73] as [UInt64])
    func plansEqualAFullScan(seed: UInt64) throws {
        let atlas = try AtlasStore(seed: seed, rowCount: 40)
        var (together, narrowed, changed) = (0, 0, 0)
        try atlas.store.read { snapshot in
            for number in 0..<UInt64(40) {
                let seed = seed << 32 | number
                var generator = SeededGenerator(seed: seed)
                var changes = AtlasChanges(atlas.model, seed: ~seed)
                if number % 3 > 0 { changes.make() }
                for (name, format) in Self.shapes {
                    let query = Query(
                        entity: name, predicate: try Self.predicate(format, &generator),
                        sort: ValuePool.pick([[], [SortKey("name", direction: .descending)]], &generator),
                        limit: ValuePool.pick([nil, nil, 3], &generator), columns: ["name"],
                        result: ValuePool.pick([.rows, .rows, .count], &generator))
                    let check = QueryCheck(
                        changes.model.scan(try snapshot.entity(named: name)), in: snapshot, overlay: changes.overlay)
                    let plans = try check.plans(of: query)
                    for plan in plans {
                        guard case .join(let join) = plan.accessPath else { continue }
                        let isNarrowed = plan.residual.count == plan.query.predicate.conjuncts.count
                        if isNarrowed { narrowed += 1 }
                        if !isNarrowed, join.condition.conjuncts.count > 1 { together += 1 }
                        if number % 3 > 0 { changed += 1 }
                    }
                    let difference = try check.difference(of: query, in: plans)
                    try #require(difference == nil, "seed \(seed): \(format)")
                }
            }
        }
        #expect(together > 100 && narrowed > 200 && changed > 400, "\(together), \(narrowed), \(changed)")
    }
}
