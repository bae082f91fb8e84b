import Foundation
import LoamStorage
import Testing

@testable import LoamQuery

/// What groups cost, counted, and what they mean where it is not plain.
@Suite struct GroupTests {
    private let cities: CityStore

    init() throws { cities = try CityStore() }

    private func run(
        keys: String..., of aggregates: String..., where predicate: String? = nil, having: String? = nil,
        sort: [SortKey] = [], limit: Int? = nil, memory: Int = GroupedPlan.usualMemory
    ) throws -> (groups: [[Value]], plan: GroupedPlan, work: Work) {
        let query = GroupedQuery(
            entity: "City", predicate: try predicate.map { try PredicateParser.parse($0) }, keys: keys,
            aggregates: try aggregates.map { try GroupAggregate($0) },
            having: try having.map { try PredicateParser.parse(having: $0) }, sort: sort, limit: limit)
        return try cities.store.read { snapshot in
            let plan = try GroupedPlan(query, in: snapshot)
            var work = Work()
            return (try plan.groups(in: snapshot, memory: memory, work: &work), plan, work)
        }
    }

    @Test func `counts of groups come from the sums of an index, without an entry`() throws {
        let (groups, _, work) = try run(keys: "country", of: "count()", sort: [.init("count()"), .init("country")])
        #expect(groups.count == 10 && groups[3] == [.string("C3"), .int(200)])
        #expect(work.entries == 0 && work.records == 0 && work.sums > 0)
    }

    @Test func `the least and the greatest value come from the ends of an index`() throws {
        let (groups, _, work) = try run(of: "minimum(population)", "maximum(population)", "count()")
        #expect(groups.count == 1 && groups[0][2] == .int(2_000))
        #expect(work.entries <= 4 && work.records == 0)
        let scanned = try run(of: "minimum(population)", "maximum(population)", "sum(population)")
        #expect(Array(scanned.groups[0][..<2]) == Array(groups[0][..<2]))
        #expect(scanned.work.entries + scanned.work.records >= 2_000)
    }

    @Test func `an index that holds what is needed answers without a record`() throws {
        let (groups, _, work) = try run(
            keys: "country", of: "sum(population)", "maximum(population)", where: "country IN {'C1', 'C2'}")
        #expect(groups.count == 2)
        #expect(work.records == 0 && work.entries == 400)
    }

    @Test func `groups beyond the memory are made in more passes, and are the same`() throws {
        let whole = try run(keys: "name", of: "count()", "minimum(mayor)", having: "minimum(mayor) < 'm5'", limit: 30)
        let parts = try run(
            keys: "name", of: "count()", "minimum(mayor)", having: "minimum(mayor) < 'm5'", limit: 30, memory: 60_000)
        #expect(whole.groups.count == 30 && parts.groups == whole.groups)
        #expect(parts.work.records >= 3 * whole.work.records && whole.work.records == 2_000)
    }

    @Test func `an aggregate in the order may have its short name, and need not be a column`() throws {
        let short = try run(keys: "country", of: "count()", sort: [.init("max(population)", direction: .descending)])
        let long = try run(keys: "country", of: "count()", sort: [.init("maximum(population)", direction: .descending)])
        #expect(short.groups == long.groups && short.groups.count == 10 && short.groups[0].count == 2)
    }

    @Test func `a key of nil is a group, and the aggregates of no rows are 0 and nil`() throws {
        let (groups, _, _) = try run(keys: "population", of: "count()", having: "population = nil")
        #expect(groups == [[.null, .int(40)]])
        let none = try run(
            of: "count()", "count(name)", "sum(population)", "average(population)", "minimum(name)",
            where: "name = 'nowhere'")
        #expect(none.groups == [[.int(0), .int(0), .int(0), .null, .null]])
        #expect(try run(keys: "country", of: "count()", where: "name = 'nowhere'").groups.isEmpty)
    }

    @Test(
        arguments: [
            ("sum(name)", "country"), ("average(founded)", "country"), ("sum(nothing)", "country"),
            ("count()", "nothing"),
        ])
    func `what has no aggregate is refused by name`(aggregate: String, key: String) throws {
        #expect(throws: QueryError.self) { try run(keys: key, of: aggregate) }
    }

    @Test func `a sum that leaves its type is an error, an average is not`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "loam-sums-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Store.open(path: folder.appending(path: "store").path)
        try store.apply(.addEntity(EntityDefinition("N", properties: [.init("n", type: .int64)])))
        var batch = WriteBatch()
        let entity = try store.read { try $0.entity(named: "N").id }
        for number in [Int64.max, Int64.max, 1] {
            batch.insert(
                try store.catalog().encode([.int(number)], as: entity), into: entity, rowID: try store.makeRowID())
        }
        try store.save(batch)
        try store.read { snapshot in
            var work = Work()
            let sum = try GroupedPlan(GroupedQuery(entity: "N", aggregates: [.init(.sum, of: "n")]), in: snapshot)
            let error = #expect(throws: QueryError.self) { try sum.groups(in: snapshot, work: &work) }
            #expect(error?.kind == .sumOutOfRange(type: "int64") && error?.part == "sum(n)")
            let average = try GroupedPlan(
                GroupedQuery(entity: "N", aggregates: [.init(.average, of: "n")]), in: snapshot)
            #expect(try average.groups(in: snapshot, work: &work) == [[.double(Double(2 * Int128(Int64.max) + 1) / 3)]])
        }
    }

    @Test(
        arguments: [
            ("count() > 10", "#'count()' > 10"), ("SUM ( population ) >= 1e6", "#'sum(population)' >= 1e6"),
            ("name = 'sum(x)' OR avg(a.b) < 2", "name = 'sum(x)' OR #'average(a.b)' < 2"),
            (#"name = "it's count()" AND max:(x) != nil"#, #"name = "it's count()" AND #'maximum(x)' != nil"#),
            (
                "sum(length(name)) > 3 AND max(year(a, 'x)y')) = 1",
                "#'sum(length(name))' > 3 AND #'maximum(year(a, \\'x)y\\'))' = 1"
            ),
            ("sum(a (b)) > max(c) OR min(d (e) < 2", "#'sum(a (b))' > #'maximum(c)' OR #'minimum(d (e)' < 2"),
            ("cities.@count > 1 AND lowercase(a) = 'b'", "cities.@count > 1 AND lowercase(a) = 'b'"),
        ])
    func `aggregates in a condition become names`(written: String, rewritten: String) {
        #expect(PredicateParser.quotingAggregates(in: written) == rewritten)
    }

    @Test func `a condition and an order name a key that is a function as it is meant`() throws {
        let (groups, _, _) = try run(
            keys: "year(founded)", "length(country)", of: "count()", "sum(length(name))",
            having: "year(founded, 'GMT') > 2003 AND length:(country) = 2 AND sum(length(name)) > 0 AND count() < 366",
            sort: [SortKey("year(founded,'UTC')", direction: .descending)])
        #expect(groups.map { $0[0] } == [2006, 2005].map(Value.int))
        #expect(groups.map { $0[1] } == [2, 2].map(Value.int) && groups[1][2] == .int(365))
        let other = try run(keys: "country", of: "count()", having: "length(country) = 2", sort: [SortKey("country")])
        #expect(other.groups.count == 10)
        #expect(throws: QueryError.self) {
            try run(keys: "year(founded)", of: "count()", having: "month(founded) = 2")
        }
    }

    @Test func `an explanation says where the groups come from`() throws {
        let (_, plan, work) = try run(
            keys: "country", of: "count()", "sum(population)", where: "name CONTAINS '7'", having: "count() > 3",
            sort: [.init("sum(population)", direction: .descending)], limit: 2)
        let lines = plan.explanation(with: work).split(separator: "\n")
        #expect(
            lines.first
                == "City: groups by country of count(), sum(population) having count() > 3, by -sum(population), limit 2"
        )
        #expect(lines.dropFirst().first == "  groups made of rows, in memory")
        #expect(lines.contains { $0.contains("name CONTAINS '7'") } && lines.contains { $0.contains("actual") })
    }
}
