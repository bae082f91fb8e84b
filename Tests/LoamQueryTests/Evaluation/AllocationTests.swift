import AllocationCount
import Foundation
import LoamStorage
import Testing

@testable import LoamQuery

/// Testing rows takes nothing from the heap: twice as many rows, the same number of allocations.
@Suite(.enabled(if: allocation_count_is_exact(), "a sanitizer has a heap of its own"))
struct AllocationTests {
    /// What the rows are read from.
    enum Source: CaseIterable {
        case records
        /// Blocks of an index that hold the values in fields beside the key.
        case included
        /// Blocks of an index that hold the values in the key; where a key does not give a text back, the record is
        /// read.
        case keys

        /// The most allocations by which twice as many rows may exceed the others. The memory of a scan of blocks grows
        /// to the largest block and the longest text that it meets, a few times whatever their number.
        var growth: Int { self == .records ? 0 : 12 }
    }

    private static let rowCount = 600
    private static let stores = Result { (try WordStore(rowCount: rowCount), try WordStore(rowCount: 2 * rowCount)) }

    static let constants = ["nothing like it", "Straßen ohne Wörter", "ни слова"]
    static let options = [
        StringOptions.none, .init(ignoresCase: true), .init(ignoresDiacritics: true),
        .init(ignoresCase: true, ignoresDiacritics: true),
    ]

    @Test(arguments: Source.allCases)
    func comparisonsOfStringsTakeNothing(source: Source) throws {
        for constant in Self.constants.map({ QueryExpression.constant(.string($0)) }) {
            for options in Self.options {
                for name in ["text", "note"] {
                    let path = QueryExpression.keyPath([name])
                    try check(.comparison(path, .equal, constant, options), source)
                    try check(.text(path, .beginsWith, constant, options), source)
                    try check(.text(path, .endsWith, constant, options), source)
                    try check(.text(path, .contains, constant, options), source)
                }
            }
        }
    }

    /// Every row is tested: nothing is below the empty string, and nothing is above the last code point.
    @Test(arguments: Source.allCases)
    func orderedComparisonsOfStringsTakeNothing(source: Source) throws {
        let last = QueryExpression.constant(.string("\u{10FFFF}"))
        for options in Self.options {
            for path in [QueryExpression.keyPath(["text"]), .keyPath(["note"])] {
                try check(.comparison(path, .less, .constant(.string("")), options), source)
                try check(.comparison(path, .greaterOrEqual, last, options), source)
                try check(.between(path, last, last, options), source)
            }
        }
    }

    @Test(arguments: Source.allCases, [3, 300])
    func membershipTakesNothing(source: Source, elements: Int) throws {
        let strings = (0..<elements).map { number in
            QueryExpression.constant(.string("\(Self.constants[number % 3]) \(number)"))
        }
        for options in Self.options {
            try check(.isIn(.keyPath(["text"]), .list(strings), options), source)
            try check(.isIn(.keyPath(["note"]), .list(strings), options), source)
        }
        let integers = (0..<elements).map { QueryExpression.constant(.int(Int64($0) - 1_000_000)) }
        try check(.isIn(.keyPath(["size"]), .list(integers), .none), source)
        try check(.isIn(.keyPath(["code"]), .list(integers), .none), source)
    }

    @Test(arguments: [3, 300])
    func membershipOfIdentifiersTakesNothing(elements: Int) throws {
        let ids = (0..<elements).map { QueryExpression.constant(.uint(UInt64(1_000_000 + $0))) }
        try check(.isIn(.identifier, .list(ids), .none), .records)
    }

    /// Their bytes are in the record, or in a field of the entry.
    @Test(
        arguments: [Source.records, .included],
        [
            "ANY tags == 'nothing like it'", "tags == {'nothing', 'like it'}", "tags.@count > 7",
            "tags[1] > '\u{10FFFF}'",
            "NONE tags != nil AND tags != {}", "text IN tags", "tags.@max > '\u{10FFFF}'",
            "SUBQUERY(tags, $t, $t == note).@count > 0",
        ])
    func collectionsTakeNothing(source: Source, format: String) throws {
        try check(PredicateParser.parse(format), source)
    }

    /// The count does see allocations: Foundation takes memory for a URL.
    @Test func urlsTakeSomething() throws {
        let (fewer, more) = try allocations(
            PredicateParser.parse("CAST(text, 'url') == 'https://example.org'"), .records)
        #expect(more - fewer >= Self.rowCount / 2)
    }

    private func check(_ predicate: QueryPredicate, _ source: Source) throws {
        let (fewer, more) = try allocations(predicate, source)
        #expect(abs(more - fewer) <= source.growth, "\(predicate) on \(source): \(fewer), then \(more)")
    }

    /// The allocations of a scan of one store, and of another one with twice as many rows.
    private func allocations(_ predicate: QueryPredicate, _ source: Source) throws -> (fewer: Int, more: Int) {
        let (fewer, more) = try Self.stores.get()
        return (try allocations(predicate, source, fewer), try allocations(predicate, source, more))
    }

    private func allocations(_ predicate: QueryPredicate, _ source: Source, _ words: WordStore) throws -> Int {
        try words.store.read { snapshot in
            let query = Query(entity: "Word", predicate: predicate, columns: [])
            let resolved = try ResolvedQuery(query, in: snapshot.entity(named: "Word"))
            let program = try FilterProgram(Filter(resolved.predicate))
            func run() throws -> Int {
                let before = allocation_count()
                let found = try words.count(program, resolved, source, in: snapshot)
                let taken = allocation_count() - before
                #expect(found == 0, "\(predicate)")
                return Int(taken)
            }
            // The first run makes what is made once, such as tables of folded letters.
            _ = try run()
            return try run()
        }
    }
}

/// Rows with texts of all kinds, in records and in indexes.
private final class WordStore: Sendable {
    let store: Store
    private let rowCount: Int

    private static let texts = [
        "a text of plain letters, longer than any small string", "Überall stehen große Wörter, die länger sind",
        "Слова́ бывают длинными, как это предложение", "cafe\u{301} und noch ein de\u{301}compose\u{301} dazu",
        "文字は長いこともある、とても長いこともある", "lines\r\nthat end as lines once ended\r\n",
        String(repeating: "ein längerer Text, ", count: 12), "👩‍👩‍👧 family 🇫🇷 flags",
    ]

    init(rowCount: Int) throws {
        self.rowCount = rowCount
        var options = StoreOptions()
        options.isInMemory = true
        store = try Store.open(path: "", options: options)
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Word",
                    properties: [
                        .init("number", type: .int64), .init("size", type: .int32),
                        .init("code", type: .uint64, isOptional: true),
                        .init("text", type: .string), .init("note", type: .string, isOptional: true),
                        .init("tags", type: .array(of: .string, optional: true)),
                    ],
                    indexes: [
                        .init([.init("number")], included: ["size", "code", "text", "note", "tags"]),
                        .init([
                            .init("number"), .init("text"), .init("note", direction: .descending), .init("size"),
                            .init("code"),
                        ]),
                    ])))
        let entity = try store.read { try $0.entity(named: "Word") }
        var batch = WriteBatch(author: "test")
        for number in 0..<rowCount {
            let values: [Value] = [
                .int(Int64(number)), .int(Int64(number % 7)), number % 5 == 0 ? .null : .uint(UInt64(number)),
                .string(Self.texts[number % Self.texts.count] + " \(number)"),
                number % 3 == 0 ? .null : .string(Self.texts[number / 3 % Self.texts.count]),
                .array((0..<number % 3).map { $0 == 1 ? .null : .string("tag \(number)") }),
            ]
            batch.insert(
                try store.catalog().encode(values, as: entity.id), into: entity.id, rowID: try store.makeRowID())
        }
        try store.save(batch)
    }

    /// How many rows match, by testing every one.
    func count(
        _ program: FilterProgram, _ query: ResolvedQuery, _ source: AllocationTests.Source, in snapshot: Snapshot
    ) throws -> Int {
        var (tested, found) = (0, 0)
        if source == .records {
            try snapshot.scanRows(of: query.entity) { row in
                tested += 1
                if try program.matches(row) { found += 1 }
                return true
            }
        } else {
            let index = query.entity.indexes[source == .included ? 0 : 1]
            guard let covering = try Covering(query.predicate.paths, in: index) else { return -1 }
            var row = try CoveredRow(covering, index: index, entity: query.entity)
            try snapshot.scanIndex(index, range: .all) { batch in
                for place in 0..<batch.count {
                    tested += 1
                    if try row.fill(from: batch, at: place) {
                        if try program.matches(row) { found += 1 }
                    } else {
                        let matches = try snapshot.withRow(batch.rowIDs[place], of: query.entity) {
                            try program.matches($0)
                        }
                        if matches ?? true { found += 1 }
                    }
                }
                return true
            }
        }
        return tested == rowCount ? found : -1
    }
}
