import Foundation
import LoamStorage
import Testing

@testable import LoamQuery

/// The JSON of explanations, which is read by other versions, too; and the commands that add the indexes that are advised.
@Suite struct ExplanationFormatTests {
    private static func explanation(_ level: Explanation.Level) throws -> Explanation {
        try CityStore().store.read { snapshot in
            let query = Query(
                entity: "City", predicate: try PredicateParser.parse("population > 99000 AND name CONTAINS '5'"),
                sort: [SortKey("name")], limit: 3)
            return try Planner.plan(query, in: snapshot).explanation(level, in: snapshot)
        }
    }

    @Test(arguments: Explanation.Level.allCases) func `the JSON has its version, and gives the explanation back`(
        level: Explanation.Level
    ) throws {
        let explanation = try Self.explanation(level)
        let object = try #require(try JSONSerialization.jsonObject(with: explanation.json) as? [String: Any])
        #expect(object["version"] as? Int == Explanation.currentVersion)
        #expect(try JSONDecoder().decode(Explanation.self, from: explanation.json) == explanation)
    }

    @Test func `operators and members of a later version are read`() throws {
        let later = """
            {"version": 99, "level": "work", "engine": {"name": "other"}, "advice": [
                {"entity": "City", "components": ["fold(name)"], "kind": "sparse"}],
             "total": {"records": 7, "rowsOut": 2, "pagesMapped": 4},
             "root": {"kind": "rows", "details": "City: rows", "colour": "red",
                "estimate": {"cost": 12.5, "joules": 3},
                "children": [{"kind": "bitmap heap scan", "details": "of 3 maps", "children": [
                    {"kind": "index", "details": "name", "children": []}],
                    "actual": {"entries": 9, "nanoseconds": 1000, "bits": 5}}]}}
            """
        let explanation = try JSONDecoder().decode(Explanation.self, from: Data(later.utf8))
        #expect(explanation.version == 99)
        #expect(explanation.operators.map(\.kind.rawValue) == ["rows", "bitmap heap scan", "index"])
        #expect(explanation.operators[1].actual?.entries == 9 && explanation.total?.records == 7)
        let sparse = AdvisedIndex(entity: "City", kind: .init(rawValue: "sparse"), components: ["fold(name)"])
        #expect(explanation.advice == [sparse] && sparse.command() == nil)
        #expect(
            explanation.description == """
                City: rows
                  bitmap heap scan of 3 maps (actual 9 entries)
                    index name
                  estimated cost 12
                  actual 7 records, 2 rows
                  An index of the kind sparse on (fold(name)) would serve.
                """)
        #expect(try JSONDecoder().decode(Explanation.self, from: explanation.json) == explanation)
    }

    @Test func `what a sort wrote is given back`() throws {
        var explanation = try Self.explanation(.work)
        explanation.total?.spilledRuns = 4
        explanation.total?.spilledBytes = 88_660_000
        let read = try JSONDecoder().decode(Explanation.self, from: explanation.json)
        #expect(read == explanation && read.total?.spilledRuns == 4 && read.total?.spilledBytes == 88_660_000)
    }

    @Test func `the advice of the first version is read`() throws {
        let first = """
            {"level": "plan", "advisedIndex": ["country", "-population"],
             "root": {"kind": "rows", "details": "City: rows where country == 'PE'", "children": []}}
            """
        let explanation = try JSONDecoder().decode(Explanation.self, from: Data(first.utf8))
        #expect(explanation.version == 1 && explanation.advisedIndex == ["country", "-population"])
        #expect(explanation.advice.map(\.entity) == ["City"])
    }

    @Test func `the advice of the second version is of ordered indexes`() throws {
        let second = """
            {"version": 2, "level": "plan", "advice": [{"entity": "City", "components": ["fold(name)"]}],
             "root": {"kind": "rows", "details": "City: rows", "children": []}}
            """
        let explanation = try JSONDecoder().decode(Explanation.self, from: Data(second.utf8))
        #expect(explanation.advice == [AdvisedIndex(entity: "City", components: ["fold(name)"])])
        #expect(explanation.description.hasSuffix("would serve:\n    loam index STORE add City 'fold(name)'"))
        #expect(try JSONDecoder().decode(Explanation.self, from: explanation.json) == explanation)
    }

    @Test func `the command for trigrams says so`() throws {
        let index = AdvisedIndex(entity: "City", kind: .trigrams, components: ["place.name"])
        #expect(index.command(store: "my.loam") == "loam index my.loam add City place.name --trigrams")
        #expect(try JSONDecoder().decode(AdvisedIndex.self, from: JSONEncoder().encode(index)) == index)
    }

    @Test(
        arguments: [
            ("City", ["country", "-population"], "loam index my.loam add City country,-population"),
            ("City", ["fold(name)"], "loam index my.loam add City 'fold(name)'"),
            ("City", ["-length(name)"], "loam index my.loam add City '-length(name)'"),
            ("Two words", ["a"], "loam index my.loam add 'Two words' a"),
            ("E", ["year(born, 'Europe/Berlin')"], "loam index my.loam add E 'year(born, '\\''Europe/Berlin'\\'')'"),
            ("E", ["naïve"], "loam index my.loam add E 'naïve'"), ("E", ["a b"], nil), ("E", ["length(a"], nil),
            ("E", ["--a"], nil), ("E", ["it's"], nil), ("E", ["f(a)(b)"], nil), ("-E", ["a"], nil),
        ] as [(String, [String], String?)])
    func `a command is one that a shell and the tool understand`(
        entity: String, components: [String], command: String?
    ) {
        #expect(AdvisedIndex(entity: entity, components: components).command(store: "my.loam") == command)
    }
}
