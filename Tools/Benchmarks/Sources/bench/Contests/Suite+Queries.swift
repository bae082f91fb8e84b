import Foundation
import GRDB
import Loam

extension Suite {
    /// Queries that find few rows, as a program asks them all day: the same question with other constants. The time is
    /// that of one query, from the predicate to the identifiers or the number, in a state of the store of its own.
    /// GRDB's statements are kept.
    var queries: [Contest] {
        get throws {
            let (loam, grdb) = (loam, grdb)
            return try Question.all(workload, identifiers: loam.identifiers()).map { question in
                Contest(
                    name: "query: \(question.name)", unit: .time, target: "faster than SQLite", rounds: 21,
                    entries: [
                        .init(side: .loam, operations: question.arguments.count) {
                            let context = try loam.makeContext()
                            let answers = try question.descriptors().map { try question.answer($0, context) }
                            return { try answers.reduce(0) { try $0 &* 31 &+ $1.digest(in: loam) } }
                        },
                        .init(side: .grdb, operations: question.arguments.count) {
                            let answers = try question.arguments.map { try grdb.integers(question.sql, $0) }
                            return { answers.reduce(0) { $0 &* 31 &+ $1.reduce(0) { $0 &+ UInt64($1) } } }
                        },
                    ])
            }
        }
    }
}

/// A question for both sides, with the constants of many times.
private struct Question {
    /// What a fetch gives.
    enum Answer {
        case identifiers([PersistentIdentifier])
        case count(Int)

        func digest(in loam: LoamSide) throws -> UInt64 {
            switch self {
            case .identifiers(let identifiers): try loam.sum(identifiers)
            case .count(let count): UInt64(count)
            }
        }
    }

    static let times = 200

    let name: String
    let sql: String
    /// Of each time, for SQLite.
    let arguments: [[any DatabaseValueConvertible]]
    /// Of each time, for Loam.
    let descriptor: (Int) -> FetchDescriptor<Earthquake>
    let counts: Bool

    private init(
        _ name: String, counts: Bool = false, sql: String,
        arguments: (Int) -> [any DatabaseValueConvertible],
        _ descriptor: @escaping (Int) -> FetchDescriptor<Earthquake>
    ) {
        (self.name, self.counts, self.descriptor) = (name, counts, descriptor)
        self.sql = "SELECT \(counts ? "count(*)" : "id") FROM quake \(sql)"
        self.arguments = (0..<Self.times).map(arguments)
    }

    func descriptors() -> [FetchDescriptor<Earthquake>] { (0..<Self.times).map(descriptor) }

    func answer(_ descriptor: FetchDescriptor<Earthquake>, _ context: ModelContext) throws -> Answer {
        counts
            ? .count(try context.fetchCount(descriptor))
            : .identifiers(try context.fetchIdentifiers(descriptor))
    }

    static func all(_ workload: Workload, identifiers: [PersistentIdentifier]) -> [Question] {
        let rows = workload.rows
        let length = Double(Workload.dayCount) * 86_400
        /// As much of the time as ten rows take.
        let ten = length * 10 / Double(rows.count)
        func id(_ number: Int) -> Int { number * 7_919 % rows.count }
        func code(_ number: Int) -> String { rows[id(number)].code }
        func seconds(_ number: Int) -> Double { Workload.start + Double(number) / Double(times) * (length - ten) }
        func date(_ number: Int, plus: Double = 0) -> Date {
            Date(timeIntervalSinceReferenceDate: seconds(number) + plus)
        }
        func day(_ number: Int) -> String { workload.days[number * 37 % workload.days.count] }
        func magnitude(_ number: Int) -> Double { Double(number * 83 % 1_000) / 100 }
        func tens<Value>(_ number: Int, _ value: (Int) -> Value) -> [Value] { (0..<10).map { value(number * 10 + $0) } }
        let marks = Array(repeating: "?", count: 10).joined(separator: ", ")
        return [
            Question("by identifier", sql: "WHERE id = ?", arguments: { [Int64(id($0) + 1)] }) { number in
                let wanted = identifiers[id(number)]
                return FetchDescriptor(predicate: #Predicate { $0.persistentModelID == wanted })
            },
            Question("unique", sql: "WHERE code = ?", arguments: { [code($0)] }) { number in
                let wanted = code(number)
                return FetchDescriptor(predicate: #Predicate { $0.code == wanted })
            },
            Question("the first 10 by an index", sql: "ORDER BY time, id LIMIT 10", arguments: { _ in [] }) { _ in
                first(10, FetchDescriptor(sortBy: [SortDescriptor(\.time)]))
            },
            Question(
                "a range of about 10", sql: "WHERE time >= ? AND time < ? ORDER BY time, id",
                arguments: { [seconds($0), seconds($0) + ten] }
            ) { number in
                let (lower, upper) = (date(number), date(number, plus: ten))
                return FetchDescriptor(
                    predicate: #Predicate { $0.time >= lower && $0.time < upper }, sortBy: [SortDescriptor(\.time)])
            },
            Question(
                "equality, the first 10 by time", sql: "WHERE day = ? ORDER BY time, id LIMIT 10",
                arguments: { [day($0)] }
            ) { number in
                let wanted = day(number)
                return first(
                    10, FetchDescriptor(predicate: #Predicate { $0.day == wanted }, sortBy: [SortDescriptor(\.time)]))
            },
            Question(
                "prefix of a code", sql: "WHERE code >= ?1 AND code < ?1 || 'z' ORDER BY code",
                arguments: { [String(code($0).prefix(8))] }
            ) { number in
                let prefix = String(code(number).prefix(8))
                return FetchDescriptor(
                    predicate: #Predicate { $0.code.starts(with: prefix) }, sortBy: [SortDescriptor(\.code)])
            },
            Question("IN of 10, unique", sql: "WHERE code IN (\(marks))", arguments: { tens($0, code) }) { number in
                let wanted = tens(number, code)
                return FetchDescriptor(predicate: #Predicate { wanted.contains($0.code) })
            },
            Question(
                "IN of 10, counted", counts: true, sql: "WHERE magnitude IN (\(marks))",
                arguments: { tens($0, magnitude) }
            ) { number in
                let wanted = tens(number, magnitude)
                return FetchDescriptor(predicate: #Predicate { wanted.contains($0.magnitude) })
            },
            Question(
                "two conditions on two indexes", sql: "WHERE magnitude = ? AND day = ?",
                arguments: { [magnitude($0), day($0)] }
            ) { number in
                let (strength, date) = (magnitude(number), day(number))
                return FetchDescriptor(predicate: #Predicate { $0.magnitude == strength && $0.day == date })
            },
            Question(
                "two ranges on two indexes, counted", counts: true, sql: "WHERE magnitude >= ? AND time < ?",
                arguments: { [9.9, seconds($0) / 50 + Workload.start / 50 * 49 + ten] }
            ) { number in
                let end = Date(
                    timeIntervalSinceReferenceDate: seconds(number) / 50 + Workload.start / 50 * 49 + ten)
                return FetchDescriptor(predicate: #Predicate { $0.magnitude >= 9.9 && $0.time < end })
            },
            Question(
                "OR of two ranges, counted", counts: true, sql: "WHERE magnitude >= 9.99 OR (time >= ? AND time < ?)",
                arguments: { [seconds($0), seconds($0) + ten] }
            ) { number in
                let (lower, upper) = (date(number), date(number, plus: ten))
                return FetchDescriptor(
                    predicate: #Predicate { $0.magnitude >= 9.99 || $0.time >= lower && $0.time < upper })
            },
        ]
    }

    private static func first(
        _ limit: Int, _ descriptor: FetchDescriptor<Earthquake>
    ) -> FetchDescriptor<Earthquake> {
        var descriptor = descriptor
        descriptor.fetchLimit = limit
        return descriptor
    }
}

extension GRDBSide {
    func integers(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> [Int64] {
        try pool.read { database in
            try Int64.fetchAll(database.cachedStatement(sql: sql), arguments: StatementArguments(arguments))
        }
    }
}
