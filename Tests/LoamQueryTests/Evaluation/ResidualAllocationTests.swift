import AllocationCount
import Foundation
import LoamStorage
import RandomQueries
import Testing

@testable import LoamQuery

/// What each node of a predicate takes from the heap for a row: the table of it. Twice as many rows, the same number of
/// allocations, but for those that ``left`` names.
///
/// CI runs this without optimization; `swift test -c release -Xswiftc -enable-testing --filter AllocationTests` confirms
/// the numbers of an optimized build.
@Suite(.enabled(if: allocation_count_is_exact(), "a sanitizer has a heap of its own"))
struct ResidualAllocationTests {
    /// A predicate that is tested on every row.
    struct Node: CustomTestStringConvertible, Sendable {
        let format: String
        var arguments: [Value] = []
        /// The most allocations for a row, in the mean, rounded up.
        var allocations: AllocationBound = 0

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

    private static let calls = [
        "length(name) > 3", "id & 3 == 1", "id | 3 == 1", "id ^ 3 == 1", "~id == 1", "id << 2 == 4", "id >> 1 == 2",
        "abs:(id) == 1", "sqrt:(size) > 1", "floor:(size) == 1", "ceiling:(size) > 1", "ln:(size) > 1",
        "raise:toPower:(size, 2) > 4", "trunc:(size) == 2", "CAST(id, 'string') == '5'", "year(day) == 2001",
        "max({id, small, 7}) > 8", "min({id, small, 7}) > 8", "sum({id, small, 7}) > 8", "average({id, small, 7}) > 8",
        "count({id, small}) > 1", "TERNARY(id > 5, small, count) > 3", "NOT (id > 5 AND NOT small IN {1, 2})",
        "name == nil OR note == nil", "3 IN marks", "id IN marks",
        // Members of structures.
        "address.city == 'a city that is nowhere'", "address.city BEGINSWITH 'a city that is nowhere'",
        "address.city == name", "address.city == nil", "address.zip != nil", "address.zip > 5", "address.zip + 1 > id",
        "address.zip IN {1, 2}",
        // Quotients without an end, and patterns that are others for each row.
        "price / 3 > 1", "price / 7 > id / 3", "name LIKE note", "name LIKE[cd] note",
        "name LIKE[cd] '??*nichts*'", "name LIKE[c] '?*?o?*'",
    ].map { Node(format: $0, allocations: .unoptimized(14)) }

    /// Arrays, dictionaries and structures are read where they lie, and so are their elements.
    private static let collections = [
        "tags == tags", "tags == {'short', ''}", "tags != {'short'}", "marks == marks", "labels == labels",
        "address == address", "labels['a'] == 'short'", "labels['a'] CONTAINS 'e'", "labels['a'] != nil",
        "labels[name] == note", "tags[0] == name", "tags[LAST] > name", "tags[FIRST] == 'short'", "marks[1] > 2",
        "tags[SIZE] > 2", "tags.@count > 2", "marks.@count == 3", "marks.@sum > 5", "marks.@avg > 2", "marks.@max == 3",
        "marks.@min < id", "tags.@max > name", "ANY tags == 'short'", "ANY tags BEGINSWITH 'sh'",
        "ALL tags CONTAINS[c] 'E'", "NONE tags == name", "ANY marks > 3", "ANY marks > id",
        "SUBQUERY(tags, $t, $t == 'short').@count > 0", "SUBQUERY(tags, $t, $t == name).@count > 0",
        "SUBQUERY(marks, $m, $m > small).@sum > 3", "median(marks) > 2",
    ].map { Node(format: $0) }

    /// Values that are brought in order, of an array or of several parts of a row.
    private static let lists = [
        "mode(tags) == name", "stddev(marks) > 1",
        "median({id, small, 7}) > 8", "mode({id, small, 7}) > 8", "stddev({id, small, 7}) > 8",
        "median({size, id, weight}) > 8", "sum({size, id, weight}) > 8", "average({size, weight}) > 8",
        "mode({name, note, 'a'}) == 'a'", "max({name, note}) > 'a'", "sum({price, id}) > 8", "median({price, 2.5}) > 1",
        "TERNARY(id > 5, name, note) == 'short'", "TERNARY(name == note, price, size) > 1",
        "TERNARY(ANY tags == name, id, small) > 5",
    ].map { Node(format: $0, allocations: .unoptimized(6)) }

    private static let conversions = [
        "CAST(name, 'double') > 5", "CAST(name, 'int64') > 5", "CAST(name, 'bool') == true",
        "CAST(price, 'double') > 2",
        "CAST(price, 'int64') > 2", "CAST(price, 'float') > 2", "CAST(id, 'decimal') > price",
        "CAST(size, 'int32') > 2",
        "CAST(day, 'double') > 2", "CAST(flag, 'int64') == 1", "CAST(key, 'string') == name",
        "CAST(link, 'string') CONTAINS 'long'", "CAST(count, 'string') == '5'", "CAST(id, 'date') > day",
        "floor:(price) == 1", "ceiling:(price) > 1", "round:(price) > 1", "trunc:(price) == 2", "sqrt:(price) > 1",
        "ln:(id) > 1", "abs:(price) > 1", "CAST(size, 'decimal') > 5", "CAST(weight, 'decimal') > price",
        "CAST(day, 'decimal') > 5", "CAST(id, 'int8') == 3", "CAST(id, 'int16') == 3", "CAST(id, 'uint64') == 3",
        "CAST(id, 'uint32') == 3", "CAST(id, 'uint16') == 3", "CAST(id, 'uint8') == 3", "log:(id) > 1",
        "exp:(size) > 2",
        "noindex:(id) == 3", "month(day) == 2", "day(day) == 2", "CAST(key, 'uuid') == key",
        "CAST(link, 'url') == link",
    ].map { Node(format: $0, allocations: .unoptimized(9)) }

    /// Characters, bytes and what lies one behind the other.
    private static let parts = [
        Node(format: "name[FIRST] == 'x'"), Node(format: "name[LAST] == note"), Node(format: "blob[FIRST] == 7"),
        Node(format: "blob[3] == 7"), Node(format: "SUBQUERY(name, $c, $c == 'e').@count > 3"),
        Node(format: "SUBQUERY(blob, $b, $b > small).@max > 3"),
        Node(format: "SUBQUERY(tags, $t, $t != name)[FIRST] == note"),
        Node(format: "tags BEGINSWITH {'short'}"), Node(format: "tags CONTAINS tags"),
        Node(format: "marks ENDSWITH {3, 4}"),
        Node(format: "blob CONTAINS %@", arguments: [.data(Data([7, 7]))]),
    ]

    /// What is computed once, and subqueries over lists.
    private static let repeated = [
        "lowercase(name) == 'x' OR lowercase(name) BEGINSWITH 'y'", "id * 3 > 5 AND id * 3 < small",
        "SUBQUERY({id, small, 7}, $x, $x > 5).@count > 1",
    ].map { Node(format: $0, allocations: .unoptimized(8)) }

    private static let nodes =
        numbers + decimals + others + texts + calls + collections + lists + conversions + parts + repeated

    @Test(arguments: nodes)
    func aRowTakesWhatTheTableSays(node: Node) throws {
        let (fewer, more) = try Self.stores.get()
        let (first, second) = (try fewer.allocations(node), try more.allocations(node))
        // The memory for texts grows a few times.
        let growth = max(0, second - first - 8)
        let perRow = (growth + Self.rowCount - 1) / Self.rowCount
        #expect(perRow <= node.allocations.value, "\(node.format): \(first), then \(second)")
    }

    /// No function, aggregate, text operator or step of a program is left out of the table. A step of a new kind does not
    /// build here until it has its line.
    @Test func nothingIsLeftOut() throws {
        var inventory = NodeInventory()
        for node in Self.nodes { try Self.stores.get().0.add(node, to: &inventory) }
        #expect(Set(Function.allCases).subtracting(inventory.functions).subtracting([.now]) == [])
        #expect(Set(Aggregate.allCases).subtracting(inventory.aggregates) == [])
        #expect(Set(TextOperator.allCases).subtracting(inventory.texts) == [])
        #expect(Set(NodeInventory.Step.allCases).subtracting(inventory.steps) == [])
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
                        .init("marks", type: .array(of: .int64, optional: false), isOptional: true),
                        .init(
                            "labels", type: .dictionary(key: .string, value: .string, optional: false), isOptional: true
                        ),
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
            .array((0..<number % 6).map { .int(Int64($0)) }),
            .dictionary([.string("a"): .string(text), .string("b"): .string("short")]),
        ]
        // Each optional property is nil in some rows.
        return values.enumerated().map { position, value in
            [0, 2, 4, 6].contains(position) || (number + position) % 11 != 0 ? value : .null
        }
    }

    func add(_ node: ResidualAllocationTests.Node, to inventory: inout NodeInventory) throws {
        let entity = try store.read { try $0.entity(named: "Thing") }
        let predicate = try TypeChecker(entity: entity)
            .check(PredicateParser.parse(node.format, arguments: node.arguments))
        try inventory.add(predicate)
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
