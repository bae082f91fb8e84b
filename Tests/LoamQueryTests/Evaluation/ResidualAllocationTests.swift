import AllocationCount
import Foundation
import LoamStorage
import RandomQueries
import Testing

@testable import LoamQuery

/// What each node of a predicate takes from the heap for a row: the table of it. Twice as many rows, the same number of
/// allocations, but for those that ``left`` names, with the numbers of a build without optimization.
@Suite(.enabled(if: allocation_count_is_exact(), "a sanitizer has a heap of its own"))
struct ResidualAllocationTests {
    /// A predicate that is tested on every row.
    struct Node: CustomTestStringConvertible, Sendable {
        let format: String
        var arguments: [Value] = []
        /// The most allocations for a row, in the mean, rounded up.
        var allocations = 0

        var testDescription: String { "\(format): \(allocations)" }
    }

    private static let numbers = [
        "id > 5", "small == 3", "count >= 9223372036854775808", "size < 0.5", "weight > 1", "flag == true",
        "id == small", "id < count", "count > size", "size <= weight", "id != nil", "small == nil",
        "id + 1 > 5", "id + small == count", "id - count < 0", "id * 3 > small", "id / 2 == small", "-id < 0",
        "id / small > 1", "modulus:by:(id, 7) == 3", "modulus:by:(count, small) == 0", "size + 1 > weight * 2",
        "size / small > 0.5", "-size < weight", "count * 2 - 1 > id", "(id + 1) * (small + 1) - (count + 1) * 2 > 0",
        "id BETWEEN {3, 300}", "id BETWEEN {small, count}", "id + 1 BETWEEN {3, size}", "id IN {1, 2, 3}",
        "id + 1 IN {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}", "size IN {0.5, 1.5}", "weight + 1 IN {0.5, 1.5, nil}",
        "id IN {small, count, 7}", "SELF > 5", "SELF IN {1, 2, 3}",
    ].map { Node(format: $0) }

    private static let decimals = [
        "price > 5", "price == 1.25", "price != nil", "price < id", "price >= size", "price == price",
        "price BETWEEN {1, 20.5}", "price BETWEEN {size, id}", "price IN {1, 2.5, 3}", "price IN {id, 2.5}",
        "price IN {1, 2, 3, 4, 5, 6, 7, 8, 9, 10.25}",
        "price + 1 > 5", "price - 0.01 < id", "price * 3 > 10", "price / 4 > 1.5", "-price < 0", "price + price > id",
        "price * 1.5 + small > size",
    ].map { Node(format: $0) }

    private static let others = [
        Node(format: "day > %@", arguments: [.date(Date(timeIntervalSinceReferenceDate: 5))]),
        Node(format: "day == day"), Node(format: "day != nil"),
        Node(format: "day IN {%@, nil}", arguments: [.date(Date(timeIntervalSinceReferenceDate: 5))]),
        Node(format: "key == %@", arguments: [.uuid(UUID())]), Node(format: "key < %@", arguments: [.uuid(UUID())]),
        Node(format: "key == key"), Node(format: "key IN {%@}", arguments: [.uuid(UUID())]),
        Node(format: "blob == %@", arguments: [.data(Data(repeating: 7, count: 40))]), Node(format: "blob == blob"),
        Node(format: "blob > %@", arguments: [.data(Data(repeating: 7, count: 40))]),
        Node(format: "blob IN {%@}", arguments: [.data(Data(repeating: 7, count: 40))]),
        Node(format: "link == 'https://example.org/a/long/path/to/something'"), Node(format: "link == link"),
        Node(format: "link > 'https://example.org/a/long/path/to/something'"),
        Node(format: "link IN {'https://example.org/a/long/path/to/something'}"),
        Node(format: "address == nil"),

        Node(format: "tags == nil"), Node(format: "'a tag that is nowhere to be found' IN tags"),
        Node(format: "name IN tags"), Node(format: "'Ä' IN[cd] tags"),
        Node(format: "length(name) > 40"), Node(format: "floor(size) == 1"), Node(format: "round(size) < id"),
        Node(format: "year(day, 'Europe/Berlin') == 2001"), Node(format: "startOfDay(day) == startOfMonth(day)"),
        Node(format: "id > 5 AND (small == 3 OR NOT size > 1) AND TRUEPREDICATE"),
    ]

    /// Each with every combination of the options c and d.
    private static let texts: [Node] = [
        "name == 'ein Wort, das es nicht gibt'", "name != 'слово'", "name > 'm'", "name <= note", "name == note",
        "name BETWEEN {'a', 'Straße'}", "name BETWEEN {note, 'z'}",
        "name IN {'Überall', 'ein Wort, das es nicht gibt'}",
        "name IN {note, 'Überall'}", "name BEGINSWITH 'Üb'", "name BEGINSWITH note", "name ENDSWITH 'den'",
        "name ENDSWITH note", "name CONTAINS 'e'", "name CONTAINS 'ö'", "name CONTAINS note", "name LIKE '*nichts*'",
        "name LIKE 'ein*Wort'", "name LIKE '*'", "lowercase(name) == 'überall'", "uppercase(name) CONTAINS 'Ü'",
        "lowercase(name) == uppercase(note)", "lowercase(name) LIKE '*a*b*'", "uppercase(name) < note",
        "name MATCHES '.*(Wort|Wörter).*'", "lowercase(name) MATCHES '[a-z ]+'",
    ].flatMap(withOptions)

    private static func withOptions(_ format: String) -> [Node] {
        let operators = [
            " == ", " != ", " > ", " <= ", " < ", " BETWEEN ", " IN ", " BEGINSWITH ", " ENDSWITH ", " CONTAINS ",
            " LIKE ", " MATCHES ",
        ]
        guard let found = operators.first(where: format.contains) else { return [] }
        return ["", "[c]", "[d]", "[cd]"].map { options in
            Node(format: format.replacing(found, with: found.dropLast() + options + " ", maxReplacements: 1))
        }
    }

    /// What takes something, and why.
    private static let left: [Node] = [
        // A member is looked for by its name.
        Node(format: "address.city == 'a city that is nowhere'", allocations: 2),
        Node(format: "address.city BEGINSWITH 'a city that is nowhere'", allocations: 2),
        Node(format: "address.city == name", allocations: 1), Node(format: "address.zip > 5", allocations: 1),
        Node(format: "address.zip + 1 > id", allocations: 1), Node(format: "address.zip IN {1, 2}", allocations: 1),
        // A quotient that has no end is rounded, by Foundation.
        Node(format: "price / 3 > 1", allocations: 6),
        // The pattern is another one for each row.
        Node(format: "name LIKE note", allocations: 105),
        // Each letter from outside Latin is folded alone: it may become several.
        Node(format: "name LIKE[cd] '??*nichts*'", allocations: 105),
    ]

    @Test(arguments: numbers + decimals + others + texts + left)
    func aRowTakesWhatTheTableSays(node: Node) throws {
        let (fewer, more) = try Self.stores.get()
        let (first, second) = (try fewer.allocations(node), try more.allocations(node))
        // The memory for texts grows a few times.
        let growth = max(0, second - first - 8)
        let perRow = (growth + Self.rowCount - 1) / Self.rowCount
        #expect(perRow <= node.allocations, "\(node.format): \(first), then \(second)")
    }

    private static let rowCount = 150
    private static let stores = Result { (try ThingStore(rowCount: rowCount), try ThingStore(rowCount: 2 * rowCount)) }
}

/// Rows with values of all kinds.
private final class ThingStore: Sendable {
    private let store: Store

    private static let texts = [
        "a text of plain letters, longer than any small string", "Überall stehen große Wörter, die länger sind",
        "Слова́ бывают длинными, как это предложение", "cafe\u{301} und noch ein de\u{301}compose\u{301} dazu",
        "文字は長いこともある、とても長いこともある", "lines\r\nthat end as lines once ended\r\n", "short", "",
        String(repeating: "ein längerer Text, ", count: 12), "👩‍👩‍👧 family 🇫🇷 flags",
    ]

    init(rowCount: Int) throws {
        var options = StoreOptions()
        options.isInMemory = true
        store = try Store.open(path: "", options: options)
        let address = ValueType.structure([
            .init(name: "city", type: .string), .init(name: "zip", type: .int32, isOptional: true),
        ])
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Thing",
                    properties: [
                        .init("id", type: .int64), .init("small", type: .int8, isOptional: true),
                        .init("count", type: .uint64), .init("size", type: .double, isOptional: true),
                        .init("weight", type: .float), .init("price", type: .decimal, isOptional: true),
                        .init("name", type: .string), .init("note", type: .string, isOptional: true),
                        .init("day", type: .date, isOptional: true), .init("flag", type: .bool, isOptional: true),
                        .init("key", type: .uuid, isOptional: true), .init("blob", type: .data, isOptional: true),
                        .init("link", type: .url, isOptional: true), .init("address", type: address, isOptional: true),
                        .init("tags", type: .array(of: .string, optional: false), isOptional: true),
                    ])))
        let entity = try store.read { try $0.entity(named: "Thing") }
        var batch = WriteBatch(author: "test")
        for number in 0..<rowCount {
            batch.insert(
                try store.catalog().encode(Self.values(number), as: entity.id), into: entity.id,
                rowID: try store.makeRowID())
        }
        try store.save(batch)
    }

    private static func values(_ number: Int) -> [Value] {
        let text = texts[number % texts.count]
        let values: [Value] = [
            .int(Int64(number)), .int(Int64(number % 9)), .uint(UInt64(number) << 56), .double(Double(number) / 7),
            .float(Float(number) / 3), .decimal(Decimal(number) + Decimal(number % 4) / 4), .string(text),
            .string(texts[number / 3 % texts.count]), .date(Date(timeIntervalSinceReferenceDate: Double(number))),
            .bool(number % 2 == 0), .uuid(UUID()), .data(Data(repeating: UInt8(number % 256), count: number % 60)),
            URL(string: "https://example.org/a/long/path/to/something?number=\(number)").map(Value.url) ?? .null,
            .structure(["city": .string(text), "zip": .int(Int64(number))]),
            .array(texts.prefix(number % 5).map(Value.string)),
        ]
        // Each optional property is nil in some rows.
        return values.enumerated().map { position, value in
            [0, 2, 4, 6].contains(position) || (number + position) % 11 != 0 ? value : .null
        }
    }

    /// The allocations when every row is tested for the second time.
    func allocations(_ node: ResidualAllocationTests.Node) throws -> Int {
        try store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            let predicate = try TypeChecker(entity: entity)
                .check(PredicateParser.parse(node.format, arguments: node.arguments))
            let program = try FilterProgram(Filter(predicate))
            func run() throws {
                try snapshot.scanRows(of: entity) { row in
                    _ = try program.matches(row)
                    return true
                }
            }
            // The first run makes what is made once, such as tables of folded letters.
            try run()
            let before = allocation_count()
            try run()
            return Int(allocation_count() - before)
        }
    }
}
