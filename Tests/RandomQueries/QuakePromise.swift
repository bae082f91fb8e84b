package import LoamQuery
import LoamStorage

/// A query over earthquakes, and the most entries and records together that it may read.
package struct QuakePromise: Sendable {
    package let name: String
    package let query: Query
    package let most: Int

    init(
        _ name: String, most: Int, _ format: String?, _ arguments: [Value] = [], sort: String? = nil,
        limit: Int? = nil, section: String? = nil, result: ResultKind = .rows
    ) throws {
        self.name = name
        self.most = most
        query = Query(
            entity: "Quake", predicate: try format.map { try PredicateParser.parse($0, arguments: arguments) },
            sort: sort.map { [SortKey($0)] } ?? [], limit: limit, section: section, result: result)
    }
}

extension QuakeStore {
    /// What is promised of a million rows, and of fewer in proportion.
    ///
    /// - Throws: nothing but what is wrong with the promises themselves.
    package func promises() throws -> [QuakePromise] {
        let codes = (0..<100).map { "'\(code($0 * (rowCount / 100)))'" }.joined(separator: ", ")
        let days = [Value.string(day(dayCount / 3)), .string(day(dayCount / 2))]
        let length = Double(dayCount) * 86_400
        let hundredth = [Value.date(time(0.4 * length)), .date(time(0.41 * length))]
        let share = Double(rowCount) / 1_000_000
        // Past four times the 500 rows that are expected the search is left: an entry and a record each.
        let (scan, ranges) = (rowCount + max(rowCount / 50, 4_000), Int(25_000 * share))
        let sections = 5 * dayCount
        return [
            try QuakePromise("a list of codes by time", most: 1_000, "code IN {\(codes)}", sort: "time", limit: 10),
            try QuakePromise("two days by time", most: 100, "day IN {%@, %@}", days, sort: "time", limit: 10),
            try QuakePromise("two days by magnitude", most: 100, "day IN {%@, %@}", days, sort: "magnitude", limit: 10),
            try QuakePromise(
                "a text that is nowhere, by time", most: scan, "place CONTAINS 'zz'", sort: "time",
                limit: 50),
            try QuakePromise(
                "the end of a day that is nowhere, by time", most: scan, "day ENDSWITH 'zz'", sort: "time", limit: 50),
            try QuakePromise(
                "two ranges of two indexes", most: ranges,
                "time BETWEEN {%@, %@} AND magnitude BETWEEN {4.0, 4.09}", hundredth),
            try QuakePromise(
                "two ranges of two indexes by place", most: ranges,
                "time BETWEEN {%@, %@} AND magnitude BETWEEN {4.0, 4.09}", hundredth, sort: "place", limit: 10),
            try QuakePromise(
                "sections with a range behind", most: sections, "magnitude >= 9.5", section: "day", result: .sections),
            try QuakePromise(
                "sections with a short range behind", most: sections, "magnitude BETWEEN {3.0, 3.05}", section: "day",
                result: .sections),
        ]
    }
}
