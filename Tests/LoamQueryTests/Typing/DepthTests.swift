import Foundation
import LoamStorage
import RandomQueries
import Testing

@testable import LoamQuery

/// Predicates that nest deep. What is allowed is checked, planned and run without work that doubles at each level; what
/// is not allowed is a typed error.
@Suite struct DepthTests {
    /// Two people, each other's boss.
    private func withStore(_ body: (Snapshot) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "loam-depth-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Store.open(path: folder.appending(path: "store").path, options: StoreOptions())
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Person", properties: [.init("id", type: .int64), .init("name", type: .string)],
                    relationships: [
                        .init("boss", to: "Person", inverse: "reports"),
                        .init("reports", to: "Person", isToMany: true, inverse: "boss"),
                    ], indexes: [.init([.init("name")])])))
        let entity = try store.read { try $0.entity(named: "Person") }
        let ids = [try store.makeRowID(), try store.makeRowID()]
        var batch = WriteBatch(author: "test")
        for (position, id) in ids.enumerated() {
            let values = entity.properties.map { property -> Value in
                switch property.name {
                case "id": .int(Int64(position))
                case "name": .string("P\(position)")
                case "boss": .uint(ids[1 - position])
                default: .null
                }
            }
            batch.insert(try store.catalog().encode(values, as: entity.id), into: entity.id, rowID: id)
        }
        try store.save(batch)
        try store.read(body)
    }

    private func count(_ predicate: QueryPredicate, _ snapshot: Snapshot, plan: Int? = nil) throws -> Int {
        var work = Work()
        let query = Query(entity: "Person", predicate: predicate, result: .count)
        let entity = try snapshot.entity(named: "Person")
        let plans = try Planner.plans(ResolvedQuery(query, in: entity, schema: snapshot.schema), statistics: snapshot)
        var counts: Set<Int> = []
        for plan in plans { counts.insert(try plan.count(in: snapshot, work: &work)) }
        #expect(counts.count == 1)
        return counts.first ?? -1
    }

    /// Work that doubled at each level would not end at level 199.
    @Test func longSumsAreTypedOnce() throws {
        for repeated in [" + 1", " - id", " * 1", " + 1.5"] {
            let format = "id" + String(repeating: repeated, count: 199) + " > 5"
            let predicate = try TypeChecker(entity: SampleEntity.entity).check(PredicateParser.parse(format))
            #expect(predicate.normalized.description.count > 500)
        }
        let nested = String(repeating: "(1 + ", count: 99) + "id" + String(repeating: ")", count: 99)
        _ = try TypeChecker(entity: SampleEntity.entity).check(
            PredicateParser.parse(nested + " BETWEEN {1, \(nested)}"))
    }

    @Test func nestedSubqueriesAreTypedOnce() throws {
        try withStore { snapshot in
            var format = "$x.id >= 0"
            for _ in 0..<60 { format = "SUBQUERY($x.reports, $x, \(format)).@count > 0" }
            format = format.replacingOccurrences(
                of: "SUBQUERY($x.reports, $x, S", with: "SUBQUERY(reports, $x, S", maximum: 1)
            try #require(try count(PredicateParser.parse(format), snapshot) == 2)
        }
    }

    @Test func aTreeOfTheAllowedDepthRuns() throws {
        try withStore { snapshot in
            let path = Array(repeating: "boss", count: TreeDepth.stepLimit - 1) + ["name"]
            let name = QueryPredicate.comparison(.keyPath(path), .equal, .constant(.string("P0")), .none)
            try #require(try count(name, snapshot) == 1)
            var nested = QueryPredicate.comparison(.keyPath(["name"]), .equal, .constant(.string("P0")), .none)
            for _ in 0..<TreeDepth.stepLimit - 1 { nested = .any(["reports"], predicate: nested) }
            try #require(try count(nested, snapshot) == 1)
            try #require(try count(.not(nested), snapshot) == 1)
            var logic = QueryPredicate.comparison(.keyPath(["id"]), .equal, .constant(.int(0)), .none)
            for level in 0..<TreeDepth.levelLimit - 2 {
                logic = level % 2 == 0 ? .or([logic, .constant(false)]) : .and([.constant(true), logic])
            }
            try #require(try count(logic, snapshot) == 1)
        }
    }

    private func expectTooDeep(_ predicate: QueryPredicate, _ snapshot: Snapshot) throws {
        let error = #expect(throws: QueryError.self) { try count(predicate, snapshot) }
        guard case .tooDeep? = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func deeperTreesAreRefused() throws {
        try withStore { snapshot in
            let path = Array(repeating: "boss", count: 1000) + ["name"]
            try expectTooDeep(.comparison(.keyPath(path), .equal, .constant(.string("P0")), .none), snapshot)
            try expectTooDeep(PredicateParser.parse(path.joined(separator: ".") + " == 'P0'"), snapshot)
            let leaf = QueryPredicate.comparison(.keyPath(["id"]), .equal, .constant(.int(0)), .none)
            var (any, all, not, outer) = (leaf, leaf, leaf, QueryExpression.keyPath(["id"]))
            var sum = QueryExpression.keyPath(["id"])
            for _ in 0..<3000 {
                any = .any(["reports"], predicate: any)
                all = .all(["reports"], predicate: all)
                not = .not(not)
                sum = .call(.add, [sum, .constant(.int(1))])
                outer = .outer(outer)
            }
            for deep in [
                any, all, not, .any(["reports"], predicate: .quantified(.any, any)), .quantified(.all, .and([all])),
            ] {
                try expectTooDeep(deep, snapshot)
            }
            for deep in [sum, outer] {
                try expectTooDeep(.comparison(deep, .equal, .constant(.int(0)), .none), snapshot)
            }
            let error = #expect(throws: QueryError.self) {
                try Planner.plan(Query(entity: "Person", sort: [SortKey(path.joined(separator: "."))]), in: snapshot)
            }
            #expect(error?.kind == .tooDeep(limit: TreeDepth.stepLimit))
        }
    }
}

extension String {
    fileprivate func replacingOccurrences(of part: String, with other: String, maximum: Int) -> String {
        guard maximum > 0, let range = range(of: part) else { return self }
        return replacingCharacters(in: range, with: other)
    }

    /// What a program cannot have in the encoding of records would be nil to it.
    @Test func aConstantDeeperThanAnyRowIsRefused() throws {
        func nested(_ depth: Int) -> (value: Value, type: ValueType) {
            (0..<depth).reduce((.int(1), .int64)) { inner, _ in (.array([inner.0]), .array(of: inner.1, optional: true))
            }
        }
        func check(_ value: Value, _ format: String, as type: ValueType) throws {
            let property = try #require(SampleEntity.entity.properties.first)
            var deep = property
            (deep.name, deep.type) = ("deep", type)
            let entity = Entity(id: 1, name: "Thing", properties: [deep])
            _ = try TypeChecker(entity: entity).check(PredicateParser.parse(format, arguments: [value]))
        }
        let (most, more) = (nested(64), nested(65))
        try check(most.value, "deep == %@", as: most.type)
        try check(.array([most.value]), "deep IN %@", as: most.type)
        let error = QueryError(.valueTooDeep(limit: 64))
        #expect(throws: error) { try check(more.value, "deep == %@", as: more.type) }
        #expect(throws: error) { try check(more.value, "%@ IN deep", as: .array(of: more.type, optional: false)) }
        for depth in [66, 500] {
            #expect(throws: error) { try check(nested(depth).value, "deep == %@", as: most.type) }
            #expect(throws: error) { try check(nested(depth).value, "%@ == deep", as: .int64) }
        }
    }
}
