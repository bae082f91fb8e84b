import ArgumentParser
import Foundation
import LoamQuery
import LoamStorage
import SQLiteOracle
import Testing

@testable import loam

/// Queries over flights answer as SQLite answers them on the same file, imported as a user would.
///
/// `LOAM_FLIGHTS` names the whole file (336,776 rows) in place of the sample in `Tests/Fixtures`.
@Suite struct FlightOracleTests {
    private static let loaded = Result { try Flights() }

    @Test(arguments: FlightQuery.all)
    func aQueryAnswersAsSQLiteDoes(_ query: FlightQuery) throws {
        let flights = try Self.loaded.get()
        #expect(try flights.answer(query) == flights.oracle.rows(query.sql))
    }

    @Test(arguments: FlightGroups.all)
    func groupsAreAsInSQLite(_ question: FlightGroups) throws {
        let flights = try Self.loaded.get()
        #expect(try flights.answer(question) == flights.oracle.rows(question.sql))
    }

    @Test func theImportedStoreIsSound() throws {
        let flights = try Self.loaded.get()
        #expect(try flights.store.check().faults == [])
        #expect(
            try flights.answer(FlightQuery(kind: .count, sql: "")) == flights.oracle.rows("SELECT count(*) FROM flight")
        )
    }

    /// Every value of every row is imported, in the order of the file.
    @Test func everyValueArrives() throws {
        let flights = try Self.loaded.get()
        let expected = try flights.oracle.rows("SELECT * FROM flight ORDER BY id")
        var position = 0
        var differing = 0
        try flights.store.read { snapshot in
            try snapshot.scanRows(of: try snapshot.entity(named: "Flight")) { row in
                let values = try row.values().map(Flights.text)
                if position >= expected.count || values != Array(expected[position].dropFirst()) { differing += 1 }
                position += 1
                return true
            }
        }
        #expect(position == expected.count)
        #expect(differing == 0)
    }
}

/// The flights in both databases.
private final class Flights: @unchecked Sendable {
    let store: Store
    let oracle: SQLiteOracle
    private let folder: URL
    private let firstRow: RowID

    init() throws {
        let file =
            ProcessInfo.processInfo.environment["LOAM_FLIGHTS"].map { URL(fileURLWithPath: $0) }
            ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/flights.csv")
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("loam-flights-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("flights.loam").path
        let command = try ImportCommand.parse([
            path, "Flight", file.path, "--null", "NA", "--index", "origin,time_hour", "--index", "dest",
            "--index=-distance", "--index", "tailnum",
        ])
        try command.run()
        store = try Store.open(path: path)
        firstRow = try store.read { snapshot in
            var first: RowID = 0
            try snapshot.scanRows(of: try snapshot.entity(named: "Flight")) { row in
                first = row.rowID
                return false
            }
            return first
        }
        oracle = try SQLiteOracle()
        try fillOracle(from: file)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func fillOracle(from file: URL) throws {
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let names = lines[0].split(separator: ",")
        let texts: Set<Substring> = ["carrier", "tailnum", "origin", "dest", "time_hour"]
        let columns = names.map { "\($0) \(texts.contains($0) ? "TEXT" : "INTEGER")" }
        try oracle.run("CREATE TABLE flight (id INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")))")
        let rows: [[String?]] = lines.dropFirst().enumerated().map { position, line in
            var row: [String?] = [String(position)]
            for field in line.split(separator: ",", omittingEmptySubsequences: false) {
                row.append(field == "NA" ? nil : String(field))
            }
            return row
        }
        try oracle.insert(rows, into: "flight")
    }

    /// The answer as SQLite writes it.
    func answer(_ question: FlightQuery) throws -> [[String?]] {
        let query = Query(
            entity: "Flight", predicate: try question.predicate.map { try PredicateParser.parse($0) },
            sort: question.sort.map { key in
                key.hasPrefix("-") ? SortKey(String(key.dropFirst()), direction: .descending) : SortKey(key)
            },
            limit: question.limit, offset: question.offset, columns: [], section: question.section,
            result: question.kind == .rows ? .rows : question.kind == .count ? .count : .sections)
        return try store.read { snapshot in
            let plan = try Planner.plan(query, in: snapshot)
            var work = Work()
            switch question.kind {
            case .rows:
                return try plan.rows(in: snapshot, work: &work).map { ["\($0.rowID - firstRow)"] }
            case .count:
                return [["\(try plan.count(in: snapshot, work: &work))"]]
            case .sections:
                return try plan.sections(in: snapshot, work: &work).map { [Self.text($0.value), "\($0.count)"] }
            }
        }
    }

    /// The groups as SQLite writes them.
    func answer(_ question: FlightGroups) throws -> [[String?]] {
        try store.read { snapshot in
            var work = Work()
            return try GroupedPlan(question.query(), in: snapshot).groups(in: snapshot, work: &work)
                .map { $0.map(Self.text) }
        }
    }

    static func text(_ value: Value) -> String? {
        switch value {
        case .null: nil
        case .int(let number): "\(number)"
        case .double(let number): String(format: "%.6f", number)
        case .string(let text): text
        case .date(let date): date.formatted(.iso8601)
        default: "\(value)"
        }
    }
}
