import Foundation
import LoamStorage
import RandomQueries
import Testing

@testable import LoamQuery

/// The explanations of plans along relationships: golden text, as in ``ExplanationTests``.
@Suite struct RelationExplanationTests {
    private static let cases: [(title: String, query: Query)] = {
        do {
            return [
                ("related rows first", try query("City", "country.name == 'a'")),
                (
                    "the other side of a reference first",
                    try query("Country", "ANY cities.population == 7", result: .count)
                ),
                (
                    "links",
                    try query("City", "ANY sights.height > 4 AND population < 5", sort: [.init("name")], limit: 3)
                ),
                ("two relationships", try query("Person", "city.country.name == 'bc'")),
                ("a one-to-one from its other side", try query("City", "mayor.age == 3", columns: ["name"])),
                ("tested for each target once", try query("City", "NOT country.rank > 7", result: .count)),
                ("a range of the reference", try query("City", "country == 3 AND population > 2")),
                ("rows that lead nowhere", try query("City", "country == nil", result: .count)),
                ("counts", try query("Country", "cities.@count > 5 AND NONE cities.population < 1")),
                (
                    "the row around", try query("Country", "SUBQUERY(cities, $c, $c.population < rank).@count >= 2")
                ),
                (
                    "ordered by a related value",
                    try query("City", nil, sort: [.init("country.name", direction: .descending)], limit: 3)
                ),
                (
                    "sections of related values",
                    try query("City", "population > 3", section: "country.rank", result: .sections)
                ),
            ]
        } catch {
            return []
        }
    }()

    private static func query(
        _ entity: String, _ format: String?, sort: [SortKey] = [], limit: Int? = nil, columns: [String] = [],
        section: String? = nil, result: ResultKind = .rows
    ) throws -> Query {
        Query(
            entity: entity, predicate: try format.map { try PredicateParser.parse($0) }, sort: sort, limit: limit,
            columns: columns, section: section, result: result)
    }

    @Test func explanationsAreGolden() throws {
        let atlas = try AtlasStore(seed: 5, rowCount: 400)
        let text = try Self.cases.map { title, query in "# \(title)\n\(try explain(query, atlas))\n" }
            .joined(separator: "\n")
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/relation-explanations.txt")
        if ProcessInfo.processInfo.environment["LOAM_GOLDEN"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let golden = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n\n")
        for (found, expected) in zip(text.components(separatedBy: "\n\n"), golden) { #expect(found == expected) }
        #expect(golden.count == Self.cases.count && golden.count > 10)
    }

    private func explain(_ query: Query, _ atlas: AtlasStore) throws -> String {
        try atlas.store.read { snapshot in
            let plan = try Planner.plan(query, in: snapshot)
            var work = Work()
            return try plan.measuredExplanation(in: snapshot, work: &work).description
        }
    }
}
