import Foundation
import LoamStorage
import Testing

@testable import LoamQuery

/// The explanations that people read when a query is slow: golden text, with the work that the query did.
///
/// Each case of `Fixtures/explanations.txt` is a query, in words, and its explanation after it was run. With
/// `LOAM_GOLDEN` in the environment the test writes the file anew.
@Suite struct ExplanationTests {
    private static let cases: [(title: String, query: @Sendable () throws -> Query)] = [
        (
            "a page from an index, backwards",
            {
                try city(
                    "country == 'C3' AND name CONTAINS '5'", sort: [.init("population", direction: .descending)],
                    limit: 3)
            }
        ),
        ("an offset by position", { try city("country == 'C3'", sort: [.init("population")], limit: 5, offset: 100) }),
        ("a folded prefix", { try city("name BEGINSWITH[cd] 'city 19'", sort: [.init("name")]) }),
        (
            "the first few in memory",
            {
                try city(
                    "country IN {'C1', 'C2'} AND population > 99000", sort: [.init("name", direction: .descending)],
                    limit: 4)
            }
        ),
        ("many points and a range", { try city("country IN {'C1', 'C2'} AND population > 99000") }),
        ("two indexes", { try city("population > 99900 OR founded < '2001-01-05'", columns: ["name"]) }),
        ("a covering scan", { try city("founded < '2001-02-01' AND country == 'C3'", columns: ["country"]) }),
        ("no index", { try city("name ENDSWITH '99' AND NOT mayor BEGINSWITH[c] 'M5'", limit: 5) }),
        ("cut keys", { try city("mayor == 'm7'", columns: ["name"]) }),
        ("rows by id", { try city("SELF IN {3, 5, 100000}", columns: ["name"]) }),
        ("a contradiction", { try city("population > 5 AND population < 3") }),
        ("a count from sums", { try city("country == 'C3' AND population BETWEEN {1000, 50000}", result: .count) }),
        ("a count of everything", { try city(nil, result: .count) }),
        ("a count by testing", { try city("country == 'C3' AND name CONTAINS '7'", result: .count) }),
        ("sections from sums", { try city(nil, section: "country", result: .sections) }),
        ("sections by walking", { try city("population > 99000", section: "mayor", result: .sections) }),
        ("rows in sections", { try city(nil, sort: [.init("population")], limit: 3, section: "country") }),
    ]

    private static func city(
        _ format: String?, sort: [SortKey] = [], limit: Int? = nil, offset: Int = 0, columns: [String]? = nil,
        section: String? = nil, result: ResultKind = .rows
    ) throws -> Query {
        Query(
            entity: "City", predicate: try format.map { try PredicateParser.parse($0) }, sort: sort, limit: limit,
            offset: offset, columns: columns, section: section, result: result)
    }

    @Test func explanationsAreGolden() throws {
        let cities = try CityStore()
        let text = try Self.cases.map { title, query in "# \(title)\n\(try explain(query(), cities))\n" }
            .joined(separator: "\n")
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/explanations.txt")
        if ProcessInfo.processInfo.environment["LOAM_GOLDEN"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let golden = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n\n")
        for (found, expected) in zip(text.components(separatedBy: "\n\n"), golden) { #expect(found == expected) }
        #expect(golden.count == Self.cases.count)
    }

    private func explain(_ query: Query, _ cities: CityStore) throws -> String {
        try cities.store.read { snapshot in
            let plan = try Planner.plan(query, in: snapshot)
            var work = Work()
            return try plan.measuredExplanation(in: snapshot, work: &work).description
        }
    }
}
