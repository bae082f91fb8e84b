import Testing

/// A question in both languages. Rows without a sort key come in row-id order; so do equal rows, in the direction of
/// the last key as it was written.
struct FlightQuery: Sendable, CustomTestStringConvertible {
    enum Kind: Sendable { case rows, count, sections }

    var predicate: String?
    var sort: [String] = []
    var limit: Int?
    var offset = 0
    var section: String?
    var kind = Kind.rows
    var sql: String

    var testDescription: String { sql }

    static func rows(
        _ predicate: String?, sort: String..., limit: Int? = nil, offset: Int = 0, sql: String
    ) -> FlightQuery {
        FlightQuery(
            predicate: predicate, sort: sort, limit: limit, offset: offset,
            sql: "SELECT id FROM flight WHERE \(sql)")
    }

    static func count(_ predicate: String?, sql: String) -> FlightQuery {
        FlightQuery(predicate: predicate, kind: .count, sql: "SELECT count(*) FROM flight WHERE \(sql)")
    }

    static func sections(
        _ key: String, _ predicate: String? = nil, descending: Bool = false, sql: String
    ) -> FlightQuery {
        FlightQuery(
            predicate: predicate, sort: descending ? ["-" + key] : [], section: key, kind: .sections, sql: sql)
    }
}

extension FlightQuery {
    static let all = comparisons + alternatives + strings + nils + arithmetic + orders + sectionings

    private static let comparisons: [FlightQuery] = [
        .rows("dest = 'HNL'", sql: "dest = 'HNL' ORDER BY id"),
        .rows("'HNL' = dest", sql: "dest = 'HNL' ORDER BY id"),
        .rows("dest = 'HNL' AND distance > 4970", sql: "dest = 'HNL' AND distance > 4970 ORDER BY id"),
        .rows("distance BETWEEN {2000, 2200}", sql: "distance BETWEEN 2000 AND 2200 ORDER BY id"),
        .rows("distance >= 2500.5 AND distance < 2600", sql: "distance >= 2500.5 AND distance < 2600 ORDER BY id"),
        .rows("NOT (distance < 2500)", sql: "NOT (distance < 2500) ORDER BY id"),
        .rows("month = 2 AND day = 29", sql: "month = 2 AND day = 29 ORDER BY id"),
        .rows(
            "origin = 'JFK' AND time_hour >= '2013-07-04' AND time_hour < '2013-07-05'",
            sql: "origin = 'JFK' AND time_hour >= '2013-07-04' AND time_hour < '2013-07-05' ORDER BY id"),
        .rows(
            "time_hour = '2013-03-01T15:00:00Z'", sql: "time_hour = '2013-03-01T15:00:00Z' ORDER BY id"),
        .count("TRUEPREDICATE", sql: "1"),
        .count("FALSEPREDICATE", sql: "0"),
        .count("origin != 'JFK'", sql: "origin IS NOT 'JFK'"),
    ]

    private static let alternatives: [FlightQuery] = [
        .rows("dest IN {'HNL', 'ANC', 'BQN', 'nowhere'}", sql: "dest IN ('HNL', 'ANC', 'BQN') ORDER BY id"),
        .rows("dest = 'HNL' OR tailnum = 'N14228'", sql: "dest = 'HNL' OR tailnum = 'N14228' ORDER BY id"),
        .rows(
            "(dest = 'SFO' OR dest = 'LAX') AND carrier = 'VX' AND dep_delay > 60",
            sql: "(dest = 'SFO' OR dest = 'LAX') AND carrier = 'VX' AND dep_delay > 60 ORDER BY id"),
        .count("NOT dest IN {'ATL', 'ORD'}", sql: "dest NOT IN ('ATL', 'ORD') OR dest IS NULL"),
        .count("distance IN {2475, 2586, 1}", sql: "distance IN (2475, 2586, 1)"),
    ]

    private static let strings: [FlightQuery] = [
        .rows("tailnum BEGINSWITH 'N14'", sql: "tailnum GLOB 'N14*' ORDER BY id"),
        .rows("tailnum BEGINSWITH[c] 'n14'", sql: "lower(tailnum) GLOB 'n14*' ORDER BY id"),
        .count("tailnum ENDSWITH 'AA'", sql: "tailnum GLOB '*AA'"),
        .count("tailnum CONTAINS '777'", sql: "tailnum GLOB '*777*'"),
        .rows("tailnum LIKE 'N?1*Q'", sql: "tailnum GLOB 'N?1*Q' ORDER BY id"),
        .count("carrier MATCHES '[A-D].'", sql: "carrier GLOB '[A-D]?'"),
        .count("NOT tailnum BEGINSWITH 'N'", sql: "NOT coalesce(tailnum GLOB 'N*', 0)"),
    ]

    private static let nils: [FlightQuery] = [
        .count("tailnum = nil", sql: "tailnum IS NULL"),
        .count("tailnum != nil", sql: "tailnum IS NOT NULL"),
        .count("dep_delay != 5", sql: "dep_delay IS NOT 5"),
        .count("dep_delay < 0", sql: "dep_delay < 0"),
        .count("NOT (dep_delay < 0)", sql: "NOT coalesce(dep_delay < 0, 0)"),
        .count("dep_delay IN {nil, 5}", sql: "dep_delay IS NULL OR dep_delay = 5"),
        .rows(
            "arr_time = nil AND dep_time != nil", sort: "-dep_time",
            sql: "arr_time IS NULL AND dep_time IS NOT NULL ORDER BY dep_time DESC, id DESC"),
    ]

    private static let arithmetic: [FlightQuery] = [
        .rows(
            "arr_delay - dep_delay > 100", sort: "carrier", "-flight",
            sql: "arr_delay - dep_delay > 100 ORDER BY carrier, flight DESC, id DESC"),
        .count("distance * 2 = 4950", sql: "distance * 2 = 4950"),
        .count("dep_time = sched_dep_time", sql: "dep_time IS sched_dep_time"),
        .count("hour * 100 + minute = sched_dep_time", sql: "hour * 100 + minute IS sched_dep_time"),
    ]

    private static let orders: [FlightQuery] = [
        .rows(nil, sort: "-distance", limit: 50, sql: "1 ORDER BY distance DESC, id DESC LIMIT 50"),
        .rows(nil, sort: "distance", limit: 20, offset: 1_000, sql: "1 ORDER BY distance, id LIMIT 20 OFFSET 1000"),
        .rows(
            nil, sort: "origin", "time_hour", limit: 30, offset: 2_000,
            sql: "1 ORDER BY origin, time_hour, id LIMIT 30 OFFSET 2000"),
        .rows(
            "origin = 'LGA'", sort: "-time_hour", limit: 25,
            sql: "origin = 'LGA' ORDER BY time_hour DESC, id DESC LIMIT 25"),
        .rows(
            "distance > 500", sort: "dep_delay", "tailnum", limit: 40,
            sql: "distance > 500 ORDER BY dep_delay, tailnum, id LIMIT 40"),
        .rows(
            "carrier = 'UA'", sort: "-arr_delay", "dest", limit: 60, offset: 15,
            sql: "carrier = 'UA' ORDER BY arr_delay DESC, dest, id LIMIT 60 OFFSET 15"),
        .rows("dest > 'X'", limit: 10, offset: 3, sql: "dest > 'X' ORDER BY id LIMIT 10 OFFSET 3"),
        .rows(nil, sort: "tailnum", limit: 100, sql: "1 ORDER BY tailnum, id LIMIT 100"),
    ]

    private static let sectionings: [FlightQuery] = [
        .sections("origin", sql: "SELECT origin, count(*) FROM flight GROUP BY origin ORDER BY origin"),
        .sections("dest", sql: "SELECT dest, count(*) FROM flight GROUP BY dest ORDER BY dest"),
        .sections(
            "distance", descending: true,
            sql: "SELECT distance, count(*) FROM flight GROUP BY distance ORDER BY distance DESC"),
        .sections(
            "carrier", "month = 7",
            sql: "SELECT carrier, count(*) FROM flight WHERE month = 7 GROUP BY carrier ORDER BY carrier"),
        .sections(
            "tailnum", "dest = 'HNL'",
            sql: "SELECT tailnum, count(*) FROM flight WHERE dest = 'HNL' GROUP BY tailnum ORDER BY tailnum"),
        .sections(
            "origin", "origin >= 'JFK' AND origin < 'K'",
            sql: "SELECT origin, count(*) FROM flight WHERE origin = 'JFK' GROUP BY origin"),
    ]
}
