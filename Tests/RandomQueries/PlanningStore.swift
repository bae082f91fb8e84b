package import Foundation
package import LoamQuery
package import LoamStorage

/// Parcels by arithmetic, with indexes for every common shape of query: what planning is measured over.
package final class PlanningStore: Sendable {
    package let store: Store
    package let rowCount: Int
    private let folder: URL?

    /// - Parameters:
    ///   - rowCount: at least 1,000.
    ///   - parent: where its folder is made, which goes with it; nil for a store in memory.
    /// - Throws: what the store throws.
    package init(rowCount: Int, in parent: URL? = nil) throws {
        self.rowCount = rowCount
        folder = parent?.appending(path: "loam-parcels-\(UUID().uuidString)")
        var options = StoreOptions()
        options.durability = .recent
        options.isInMemory = folder == nil
        if let folder { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
        store = try Store.open(path: folder?.appending(path: "parcels.loam").path ?? "", options: options)
        _ = try store.load(.newEntity(Self.definition), rowCount: rowCount) { load in
            for number in 0..<rowCount { try load.append(Self.values(number)) }
        }
    }

    deinit { if let folder { try? FileManager.default.removeItem(at: folder) } }

    private static let definition = EntityDefinition(
        "Parcel",
        properties: [
            .init("code", type: .string), .init("number", type: .int64), .init("town", type: .string),
            .init("street", type: .string), .init("depot", type: .int64), .init("sent", type: .date),
            .init("weight", type: .double), .init("lane", type: .int64), .init("height", type: .double),
            .init("note", type: .string),
        ],
        indexes: [
            .init([.init("code")], kind: .unique), .init([.init("number")], kind: .unique), .init([.init("town")]),
            .init([.init("street", function: .lowercase)]), .init([.init("depot"), .init("sent")]),
            .init([.init("sent")]), .init([.init("weight")]), .init([.init("lane"), .init("height")]),
        ])

    private static func values(_ number: Int) -> [Value] {
        let mixed = mix(number)
        return [
            .string(code(number)), .int(Int64(number)), .string(town(Int(mixed >> 4 & 0xFFFF))),
            .string(street(Int(mixed >> 20 & 0xFFFF), isCapital: mixed & 1 == 0)),
            .int(Int64(mixed >> 36 & 0xFFFF) % 400), .date(day(Double(mixed >> 12 & 0xFFFF_FFFF) / 0x1_0000_0000)),
            .double(Double(mixed >> 8 & 0xFF_FFFF) / 1_000), .int(Int64(mixed >> 52 & 7)),
            .double(Double(mixed >> 24 & 0xFF_FFFF) / 1_000), .string("handle with care \(mixed >> 50)"),
        ]
    }

    private static func mix(_ number: Int) -> UInt64 {
        var mixed = UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// No other row has it. Codes follow each other in no order of rows.
    fileprivate static func code(_ number: Int) -> String {
        let code = String(UInt32(truncatingIfNeeded: number + 1) &* 0x9E37_79B1, radix: 16)
        return "pa" + String(repeating: "0", count: 8 - code.count) + code
    }

    /// One of 1,000.
    fileprivate static func town(_ number: Int) -> String { "town of \(10_000 + number * 7 % 1_000)" }

    /// One of 2,000, in two spellings.
    private static func street(_ number: Int, isCapital: Bool) -> String {
        (isCapital ? "Long Street " : "long street ") + "\(10_000 + number % 2_000)"
    }

    /// A share of the way through a year.
    fileprivate static func day(_ share: Double) -> Date {
        Date(timeIntervalSinceReferenceDate: 599_616_000 + share * 31_536_000)
    }
}

/// A shape of query, with whatever constants.
package struct PlanningShape: Sendable {
    package let name: String
    private let make: @Sendable (Int) throws -> Query

    fileprivate init(_ name: String, _ make: @escaping @Sendable (Int) throws -> Query) {
        (self.name, self.make) = (name, make)
    }

    /// A query of the shape. Those of neighbouring numbers have different constants.
    ///
    /// - Throws: nothing but what is wrong with the shape itself.
    package func query(_ number: Int) throws -> Query { try make(number) }
}

extension PlanningStore {
    /// The common shapes.
    package var shapes: [PlanningShape] { points + ranges + orders + others }

    private static func query(
        _ format: String, _ arguments: Value..., sort: [String] = [], limit: Int? = nil, result: ResultKind = .rows
    ) throws -> Query {
        Query(
            entity: "Parcel", predicate: try PredicateParser.parse(format, arguments: arguments),
            sort: sort.map { SortKey($0) }, limit: limit, result: result)
    }

    /// Ten numbers below a bound, spread over all, in no order.
    private static func ten(_ number: Int, below bound: Int) -> [Int] {
        (0..<10).map { (number &* 31 + $0 * (bound / 10 + 7) * 7) % bound }
    }

    private var points: [PlanningShape] {
        let count = rowCount
        return [
            PlanningShape("identifier") { try Self.query("SELF == %@", .uint(UInt64(1 + $0 * 37 % count))) },
            PlanningShape("point of a unique index") {
                try Self.query("code == %@", .string(Self.code($0 * 37 % count)))
            },
            PlanningShape("10 points of a unique index") { number in
                let values = Self.ten(number, below: count).map { Value.int(Int64($0)) }
                return try Self.query("number IN %@", .array(values))
            },
            PlanningShape("10 codes of a unique index") { number in
                let values = Self.ten(number, below: count).map { Value.string(Self.code($0)) }
                return try Self.query("code IN %@", .array(values))
            },
            PlanningShape("point") { try Self.query("town == %@", .string(Self.town($0))) },
            PlanningShape("10 points") { number in
                let values = Self.ten(number, below: 1_000).map { Value.string(Self.town($0)) }
                return try Self.query("town IN %@", .array(values))
            },
            PlanningShape("10 points, in the next order") { number in
                let values = Self.ten(number, below: 400).map { Value.int(Int64($0)) }
                return try Self.query("depot IN %@", .array(values), sort: ["sent"], limit: 10)
            },
            PlanningShape("either of two properties") {
                try Self.query("town == %@ OR depot == %@", .string(Self.town($0)), .int(Int64($0 * 7 % 400)))
            },
            PlanningShape("two equalities on two indexes") {
                try Self.query("town == %@ AND depot == %@", .string(Self.town($0)), .int(Int64($0 * 7 % 400)))
            },
            PlanningShape("point of an index over a function") {
                try Self.query("lowercase(street) == %@", .string("long street \(10_000 + $0 * 7 % 2_000)"))
            },
        ]
    }

    private var ranges: [PlanningShape] {
        [
            PlanningShape("range") {
                let start = Double($0 * 7 % 1_000) / 1_001
                return try Self.query(
                    "sent >= %@ AND sent < %@", .date(Self.day(start)), .date(Self.day(start + 0.001)))
            },
            PlanningShape("half of the rows") {
                try Self.query("sent >= %@", .date(Self.day(0.4 + Double($0 * 7 % 1_000) / 10_000)))
            },
            PlanningShape("two ranges on two indexes") {
                let start = Double($0 * 7 % 1_000) / 1_100
                let weight = Double($0 * 17 % 16_000)
                return try Self.query(
                    "sent BETWEEN {%@, %@} AND weight BETWEEN {%@, %@}", .date(Self.day(start)),
                    .date(Self.day(start + 0.01)), .double(weight), .double(weight + 160))
            },
            PlanningShape("beginning") {
                try Self.query("code BEGINSWITH %@", .string("pa" + String(16 + $0 % 240, radix: 16)))
            },
            PlanningShape("count of a range") {
                try Self.query("sent >= %@", .date(Self.day(Double($0 * 7 % 1_000) / 1_001)), result: .count)
            },
        ]
    }

    private var orders: [PlanningShape] {
        [
            PlanningShape("equality, in the next order") {
                try Self.query("depot == %@", .int(Int64($0 * 7 % 400)), sort: ["sent"])
            },
            PlanningShape("equality and range") {
                try Self.query(
                    "depot == %@ AND sent >= %@", .int(Int64($0 * 7 % 400)), .date(Self.day(Double($0 % 100) / 100)))
            },
            PlanningShape("range, in its order, limit") {
                try Self.query(
                    "sent >= %@", .date(Self.day(Double($0 * 7 % 1_000) / 1_001)), sort: ["sent"], limit: 10)
            },
            PlanningShape("range, in another order, limit") {
                try Self.query(
                    "sent >= %@", .date(Self.day(Double($0 * 7 % 1_000) / 1_001)), sort: ["weight"], limit: 10)
            },
            PlanningShape("equality, in another order, limit") {
                try Self.query("town == %@", .string(Self.town($0)), sort: ["weight"], limit: 10)
            },
            PlanningShape("partial sort") {
                try Self.query("note CONTAINS %@", .string("care \($0 % 90)"), sort: ["town", "weight"], limit: 10)
            },
            PlanningShape("partial sort behind a range") {
                try Self.query(
                    "weight >= %@", .double(Double($0 * 7 % 1_000)), sort: ["town", "weight"], limit: 10)
            },
        ]
    }

    private var others: [PlanningShape] {
        [
            PlanningShape("second component behind few values") {
                let start = Double($0 * 17 % 16_000)
                return try Self.query("height BETWEEN {%@, %@}", .double(start), .double(start + 10))
            },
            PlanningShape("table with a test") { try Self.query("note CONTAINS %@", .string("care \($0 % 9_000)")) },
        ]
    }
}
