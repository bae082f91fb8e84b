import LoamQuery
import LoamStorage
import Testing

/// A question for groups in both languages. Averages are written with six digits.
struct FlightGroups: Sendable, CustomTestStringConvertible {
    var keys: [String] = []
    var aggregates: [String] = []
    var predicate: String?
    var having: String?
    var sort: [String] = []
    var limit: Int?
    var offset = 0
    var sql: String

    var testDescription: String { sql }

    func query() throws -> GroupedQuery {
        GroupedQuery(
            entity: "Flight", predicate: try predicate.map { try PredicateParser.parse($0) }, keys: keys,
            aggregates: try aggregates.map { try GroupAggregate($0) },
            having: try having.map { try PredicateParser.parse(having: $0) },
            sort: sort.map {
                $0.hasPrefix("-") ? SortKey(String($0.dropFirst()), direction: .descending) : SortKey($0)
            },
            limit: limit, offset: offset)
    }

    static let all: [FlightGroups] = [
        FlightGroups(
            aggregates: [
                "count()", "count(dep_delay)", "sum(distance)", "average(arr_delay)", "min(distance)", "max(dest)",
            ],
            sql: """
                SELECT count(*), count(dep_delay), sum(distance), printf('%.6f', avg(arr_delay)), min(distance), max(dest)
                FROM flight
                """),
        FlightGroups(
            aggregates: ["count()", "min(distance)", "max(distance)"], predicate: "origin = 'JFK'",
            sql: "SELECT count(*), min(distance), max(distance) FROM flight WHERE origin = 'JFK'"),
        FlightGroups(
            aggregates: ["min(distance)", "max(tailnum)"], sql: "SELECT min(distance), max(tailnum) FROM flight"),
        FlightGroups(
            aggregates: ["count()", "sum(distance)", "avg(distance)", "min(dest)"], predicate: "dest = 'nowhere'",
            sql: "SELECT count(*), 0, avg(distance), min(dest) FROM flight WHERE dest = 'nowhere'"),
        FlightGroups(
            keys: ["dest"], aggregates: ["count()"],
            sql: "SELECT dest, count(*) FROM flight GROUP BY dest ORDER BY dest"),
        FlightGroups(
            keys: ["dest"], aggregates: ["count()"], having: "count() > 100", sort: ["-count()"], limit: 7, offset: 2,
            sql: """
                SELECT dest, count(*) FROM flight GROUP BY dest HAVING count(*) > 100 ORDER BY 2 DESC, 1 LIMIT 7 OFFSET 2
                """),
        FlightGroups(
            keys: ["carrier", "origin"], aggregates: ["count()", "average(dep_delay)"], predicate: "month < 7",
            having: "sum(distance) >= 1e5 AND NOT origin IN {'LGA'}", sort: ["-max(distance)", "carrier"], limit: 20,
            sql: """
                SELECT carrier, origin, count(*), iif(count(dep_delay) > 0, printf('%.6f', avg(dep_delay)), NULL)
                FROM flight WHERE month < 7
                GROUP BY carrier, origin HAVING sum(distance) >= 1e5 AND origin <> 'LGA'
                ORDER BY max(distance) DESC, carrier, origin LIMIT 20
                """),
        FlightGroups(
            keys: ["tailnum"], aggregates: ["sum(arr_delay)", "min(time_hour)"], predicate: "dest IN {'HNL', 'ANC'}",
            sort: ["sum(arr_delay)"],
            sql: """
                SELECT tailnum, ifnull(sum(arr_delay), 0), min(time_hour) FROM flight WHERE dest IN ('HNL', 'ANC')
                GROUP BY tailnum ORDER BY 2, 1
                """),
        FlightGroups(
            keys: ["month", "day"], sort: ["-month", "day"],
            sql: "SELECT DISTINCT month, day FROM flight ORDER BY month DESC, day"),
    ]
}
