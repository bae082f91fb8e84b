import Foundation
import SeededRandom
import Testing

@testable import LoamStorage

/// Indexes whose components are functions of properties.
@Suite struct FunctionIndexTests {
    private static let address = ValueType.structure([
        .init(name: "street", type: .string), .init(name: "floor", type: .int8, isOptional: true),
    ])
    private static let lowercase = IndexDefinition([.init("text", function: .lowercase)])
    private static let negated = IndexDefinition([.init("number", function: .negate)], name: "negated", kind: .unique)

    private static let note = EntityDefinition(
        "Note",
        properties: [
            PropertyDefinition("text", type: .string, isOptional: true), PropertyDefinition("number", type: .int64),
            PropertyDefinition("address", type: address, isOptional: true),
        ],
        indexes: [
            lowercase, negated,
            IndexDefinition(
                [
                    .init("address.floor", direction: .descending, function: .negate),
                    .init("text", function: .lowercase, form: .caseAndDiacriticFolded), .init("number"),
                ],
                name: "three", included: ["text"]),
        ])

    private let temporary: TemporaryStore
    private let store: Store

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
    }

    private func row(_ text: String?, _ number: Int64, floor: Int64? = nil) -> [String: Value] {
        [
            "text": text.map(Value.string) ?? .null, "number": .int(number),
            "address": floor.map { .structure(["street": .string("x"), "floor": .int($0)]) } ?? .null,
        ]
    }

    @Test func savesKeepThemUp() throws {
        try store.apply(.addEntity(Self.note))
        let ids = try store.insert(
            [row("b", 1), row("A", 2, floor: 3), row(nil, 3), row("C", 4, floor: -4)], into: "Note")
        #expect(try store.rows(in: "lowercase(text)", of: "Note") == [ids[2], ids[1], ids[0], ids[3]])
        #expect(try store.rows(in: "negated", of: "Note") == ids.reversed())
        // The floors are -3 and 4, and the greatest negated one comes first.
        #expect(Array(try store.rows(in: "three", of: "Note").prefix(2)) == [ids[3], ids[1]])
        #expect(try store.check().faults == [])
        try store.update(ids[1], of: "Note", ["text": .string("Z"), "number": .int(-2)])
        try store.delete(ids[0], of: "Note")
        #expect(try store.rows(in: "lowercase(text)", of: "Note") == [ids[2], ids[3], ids[1]])
        #expect(try store.rows(in: "negated", of: "Note") == [ids[3], ids[2], ids[1]])
        #expect(try store.check().faults == [])
    }

    @Test(arguments: [ValueType.uint8, .uint32, .uint64])
    func anUnsignedNumberWithTheOtherSignHasAKey(type: ValueType) throws {
        let index = IndexDefinition([.init("count", function: .negate)], name: "negated")
        let properties = [PropertyDefinition("count", type: type)]
        try store.apply(.addEntity(EntityDefinition("Stock", properties: properties, indexes: [index])))
        let ids = try store.insert([0, 5, 200].map { ["count": .uint($0)] }, into: "Stock")
        #expect(try store.rows(in: "negated", of: "Stock") == ids.reversed())
        #expect(try store.check().faults == [])
    }

    /// Where a function has no result its value is nil, which conflicts with nothing.
    @Test func aConstraintIsOverTheResults() throws {
        try store.apply(.addEntity(Self.note))
        let ids = try store.insert([row(nil, .min), row(nil, .min), row(nil, 7)], into: "Note")
        guard case .uniqueViolation = storageError({ try store.insert([row(nil, 7)], into: "Note") }) else {
            Issue.record("two rows have the same negated number")
            return
        }
        #expect(Array(try store.rows(in: "negated", of: "Note").prefix(2)) == Array(ids.prefix(2)))
        #expect(try store.check().faults == [])
    }

    @Test func theyAreBuiltOverRowsThatAreThere() throws {
        var plain = Self.note
        plain.indexes = []
        try store.apply(.addEntity(plain))
        let long = String(repeating: "LONG", count: 10_000)
        let ids = try store.insert([row(long, 1), row("B", 2), row("a", 3)], into: "Note")
        try store.apply(.addIndex(Self.lowercase, to: "Note"))
        #expect(try store.rows(in: "lowercase(text)", of: "Note") == [ids[2], ids[1], ids[0]])
        _ = try store.load(.existingEntity("Note")) { load in
            try load.append([.string("AA"), .int(4), .null])
            try load.append([.string(long + "er"), .int(5), .null])
        }
        let all = try store.rows(in: "lowercase(text)", of: "Note")
        #expect(all.count == 5 && all[0] == ids[2] && all[2] == ids[1] && !ids.contains(all[1]))
        try store.apply(.addIndex(Self.negated, to: "Note"))
        try store.apply(.rebuildIndex("lowercase(text)", of: "Note"))
        #expect(try store.check().faults == [])
        let loaded = temporary.folder.appendingPathComponent("loaded.loam")
        let other = try Store.open(path: loaded.path)
        _ = try other.load(.newEntity(Self.note)) { load in
            for number in 0..<300 { try load.append([.string("T\(number)"), .int(Int64(number)), .null]) }
        }
        #expect(try other.check().faults == [])
        #expect(try other.rows(in: "negated", of: "Note").first == 300)
    }

    @Test(arguments: 0..<3 as Range<UInt64>)
    func theyEqualARescanWhateverHappens(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try store.apply(.addEntity(Self.note))
        var rows: [RowID: String?] = [:]
        let texts: [String?] = [nil, "", "é", "É", "e\u{301}", "STRASSE", "straße", "İ", "i", "ΑΣ", "ας", "Z\u{0}z"]
        for step in 0..<150 {
            let text = texts.randomElement(using: &random) ?? nil
            let number = Int64(step)
            if let chosen = rows.keys.sorted().randomElement(using: &random), step % 3 > 0 {
                if step % 7 == 0 {
                    try store.delete(chosen, of: "Note")
                    rows[chosen] = nil
                } else {
                    try store.update(chosen, of: "Note", ["text": text.map(Value.string) ?? .null])
                    rows[chosen] = .some(text)
                }
            } else {
                let floor = Int64.random(in: -128...127, using: &random)
                rows[try store.insert([row(text, number, floor: floor)], into: "Note")[0]] = .some(text)
            }
        }
        #expect(try store.check().faults == [])
        func key(_ text: String?) -> [UInt8] {
            text.map { [1] + Array($0.lowercased().precomposedStringWithCanonicalMapping.utf8) } ?? []
        }
        let expected = rows.sorted { left, right in
            let (one, other) = (key(left.value), key(right.value))
            return one == other ? left.key < right.key : one.lexicographicallyPrecedes(other)
        }
        #expect(try store.rows(in: "lowercase(text)", of: "Note") == expected.map(\.key))
    }

    @Test func whatCannotBeIndexedIsRefused() throws {
        try store.apply(.addEntity(Self.note))
        func refusal(_ component: IndexDefinition.Component, _ kind: IndexKind = .ordered) -> StorageError.Kind? {
            storageError { try store.apply(.addIndex(IndexDefinition([component], name: "x", kind: kind), to: "Note")) }
        }
        #expect(
            refusal(.init("number", function: .lowercase))
                == .invalidIndex("'number' is a int64, of which there is no 'lowercase:'"))
        #expect(
            refusal(.init("text", function: .lowercase), .unique)
                == .invalidIndex("a unique index takes no function that another version of Unicode may change"))
        #expect(refusal(.init("number", function: .add)) == .unknownFunction("add"))
        #expect(
            refusal(.init(names: ["text"], function: IndexFunction("lowercase", timeZone: "Europe/Berlin")))
                == .unknownFunction("lowercase"))
        guard case .invalidIndex = refusal(.init("number", function: .negate, form: .caseFolded)) else {
            Issue.record("a number has a folded form")
            return
        }
        #expect(try store.entity("Note").indexes.count == 3)
    }

    /// A process whose letters are of another Unicode version meets an index over them.
    @Test func anIndexOfAnotherVersionOfAFunctionIsNeitherReadNorMaintained() throws {
        try store.apply(.addEntity(Self.note))
        let first = try store.insert([row("B", 1)], into: "Note")[0]
        let version = try #require(Function.lowercase.version)
        let path = temporary.folder.appendingPathComponent("other.loam").path
        try store.compact(to: path)
        try OpeningTests.rewriteCatalog(
            at: path, "\"functionVersion\":\"\(version)\"", with: "\"functionVersion\":\"letters of old\"")
        let other = try Store.open(path: path)
        #expect(
            storageError { _ = try other.rows(in: "lowercase(text)", of: "Note") } == .indexNotReady(state: "stale"))
        #expect(try other.rows(in: "negated", of: "Note") == [first])
        let second = try other.insert([row("a", 2)], into: "Note")[0]
        #expect(try other.entity("Note").indexes.map(\.state) == [.stale, .ready, .stale])
        #expect(try other.check().faults == [] && other.check().notes.count == 2)
        try other.apply(.rebuildIndex("lowercase(text)", of: "Note"))
        #expect(try other.rows(in: "lowercase(text)", of: "Note") == [second, first])
        #expect(try other.check().faults == [])
    }

    private static let event = EntityDefinition(
        "Event",
        properties: [
            PropertyDefinition("title", type: .string, isOptional: true), PropertyDefinition("cost", type: .double),
            PropertyDefinition("price", type: .decimal, isOptional: true),
            PropertyDefinition("time", type: .date, isOptional: true),
        ],
        indexes: [
            IndexDefinition([.init("time", function: .startOfDay, timeZone: "Europe/Berlin")], isSectioned: true),
            IndexDefinition([
                .init("time", direction: .descending, function: .year, timeZone: "America/Havana"),
                .init("title", function: .length),
            ]),
            IndexDefinition([.init("time", function: .month), .init("cost", function: .round)]),
            IndexDefinition([
                .init("price", function: .floor), .init("cost", direction: .descending, function: .ceiling),
            ]),
        ])

    @Test func theyAreNamedAsTheyAreAskedFor() {
        #expect(
            Self.event.indexes.map(\.name) == [
                "startOfDay(time, 'Europe/Berlin')", "-year(time, 'America/Havana'),length(title)",
                "month(time, 'UTC'),round(cost)", "floor(price),-ceiling(cost)",
            ])
    }

    /// Rows that are saved, changed and deleted while indexes are built: the entries are those of a rescan.
    @Test(arguments: 0..<3 as Range<UInt64>)
    func thoseOfDatesAndNumbersEqualARescan(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var plain = Self.event
        plain.indexes.removeLast(2)
        try store.apply(.addEntity(plain))
        let long = String(repeating: "é", count: 20_000)
        let texts = ["", "a", "e\u{301}", "🇵🇪🇵🇪", "a\r\nb", "\u{0}", long]
        func value(_ name: String) -> Value {
            switch (name, Int.random(in: 0..<5, using: &random)) {
            case ("cost", 0): .double([.nan, .infinity, -0.5, -0.0, 2.5].randomElement(using: &random) ?? 0)
            case ("cost", _): .double(.random(in: -9...9, using: &random))
            case (_, 0): .null
            case ("title", _): .string(texts.randomElement(using: &random) ?? "")
            case ("price", _): .decimal(Decimal(Int.random(in: -999...999, using: &random)) / 100)
            case (_, 1): .date(Date(timeIntervalSinceReferenceDate: .nan))
            default: .date(Date(timeIntervalSinceReferenceDate: .random(in: -3e9...3e9, using: &random)))
            }
        }
        var ids: [RowID] = []
        for step in 0..<150 {
            if step == 70 { try store.apply(.addIndex(Self.event.indexes[2], to: "Event")) }
            if step == 90 { try store.apply(.addIndex(Self.event.indexes[3], to: "Event")) }
            if step % 3 > 0, let id = ids.randomElement(using: &random) {
                if step % 7 == 0 {
                    try store.delete(id, of: "Event")
                    ids.removeAll { $0 == id }
                } else {
                    let name = ["title", "cost", "price", "time"].randomElement(using: &random) ?? "cost"
                    try store.update(id, of: "Event", [name: value(name)])
                }
            } else {
                let names = ["title", "cost", "price", "time"]
                let row = Dictionary(uniqueKeysWithValues: names.map { ($0, value($0)) })
                ids += try store.insert([row], into: "Event")
            }
        }
        #expect(try store.check().faults == [])
        try store.apply(.rebuildIndex(Self.event.indexes[0].name, of: "Event"))
        #expect(try store.check().faults == [])
        #expect(try store.entity("Event").indexes.allSatisfy(\.isReadable))
    }

    @Test func daysAreThoseOfTheTimeZone() throws {
        try store.apply(.addEntity(Self.event))
        // An hour before midnight in UTC it is the next day in Berlin, and equal days come by row.
        let days = [1.5, 23.0 / 24, 0.5].map { Value.date(Date(timeIntervalSinceReferenceDate: $0 * 86_400)) }
        let ids = try store.insert(days.map { ["time": $0, "cost": .double(1)] }, into: "Event")
        #expect(try store.rows(in: "startOfDay(time, 'Europe/Berlin')", of: "Event") == [ids[2], ids[0], ids[1]])
    }

    @Test func aTimeZoneThatIsNotKnownIsRefused() throws {
        try store.apply(.addEntity(Self.event))
        func refusal(_ component: IndexDefinition.Component, _ kind: IndexKind = .ordered) -> StorageError.Kind? {
            storageError {
                try store.apply(.addIndex(IndexDefinition([component], name: "x", kind: kind), to: "Event"))
            }
        }
        #expect(
            refusal(.init("time", function: .day, timeZone: "Mars/Olympus")) == .unknownTimeZone("Mars/Olympus"))
        #expect(refusal(.init(names: ["time"], function: IndexFunction("day"))) == .unknownFunction("day"))
        #expect(
            refusal(.init("cost", function: .day))
                == .invalidIndex("'cost' is a double, of which there is no 'day:in:'"))
        #expect(
            refusal(.init("time", function: .day), .unique)
                == .invalidIndex("a unique index takes no function that a new law of time may change"))
    }

    /// A process for which the clocks of a time zone were changed otherwise meets an index over its days.
    @Test func anIndexOfOtherOffsetsIsNeitherReadNorMaintained() throws {
        try store.apply(.addEntity(Self.event))
        try store.insert([["cost": .double(1)]], into: "Event")
        let version = try #require(Zone("Europe/Berlin")?.version)
        let path = temporary.folder.appendingPathComponent("other.loam").path
        try store.compact(to: path)
        try OpeningTests.rewriteCatalog(
            at: path, "\"functionVersion\":\"\(version)\"", with: "\"functionVersion\":\"zone of old\"")
        let other = try Store.open(path: path)
        let name = Self.event.indexes[0].name
        #expect(storageError { _ = try other.rows(in: name, of: "Event") } == .indexNotReady(state: "stale"))
        let second = try other.insert([["cost": .double(2)]], into: "Event")[0]
        #expect(try other.entity("Event").indexes.map(\.state) == [.stale, .ready, .ready, .ready])
        #expect(try other.check().faults == [] && other.check().notes.count == 1)
        try other.apply(.rebuildIndex(name, of: "Event"))
        #expect(try other.rows(in: name, of: "Event").last == second)
        #expect(try other.check().faults == [])
    }

    @Test func aDumpKeepsThem() throws {
        try store.apply(.addEntity(Self.note))
        try store.insert([row("B", 1, floor: 1), row("a", 2)], into: "Note")
        let dump = try RelationshipDumpTests.dump(store)
        let (folder, loaded) = try RelationshipDumpTests.load(dump)
        defer { withExtendedLifetime(folder) {} }
        #expect(try loaded.entity("Note").indexes.map(\.definition) == Self.note.indexes)
        #expect(try RelationshipDumpTests.dump(loaded) == dump)
        #expect(try loaded.rows(in: "lowercase(text)", of: "Note") == [2, 1])
        #expect(try loaded.check().faults == [])
        try store.apply(.addEntity(Self.event))
        let (otherFolder, other) = try RelationshipDumpTests.load(try RelationshipDumpTests.dump(store))
        defer { withExtendedLifetime(otherFolder) {} }
        #expect(try other.entity("Event").indexes.map(\.definition) == Self.event.indexes)
    }

    @Test func theyFollowTheirPropertyAndGoWithIt() throws {
        try store.apply(.addEntity(Self.note))
        try store.apply(.renameProperty("text", to: "words", in: "Note"))
        let id = try store.insert([["words": .string("A"), "number": .int(1)]], into: "Note")[0]
        let reopened = try temporary.open()
        #expect(try reopened.entity("Note").indexes.first?.definition.components.first?.written == "lowercase(words)")
        #expect(try reopened.rows(in: "lowercase(text)", of: "Note") == [id])
        try reopened.apply(.removeProperty("words", from: "Note"))
        #expect(try reopened.entity("Note").indexes.map(\.name) == ["negated"])
        #expect(try reopened.check().faults == [])
    }
}
