import Foundation
import SeededRandom
import Testing

@testable import LoamStorage

/// Indexes of the trigrams of a text: a row has as many entries as its text has trigrams.
@Suite struct TrigramIndexTests {
    private static let address = ValueType.structure([.init(name: "street", type: .string)])
    private static let note = EntityDefinition(
        "Note",
        properties: [
            PropertyDefinition("text", type: .string, isOptional: true), PropertyDefinition("number", type: .int64),
            PropertyDefinition("address", type: address, isOptional: true),
        ],
        indexes: [
            .trigrams(of: "text"), .trigrams(of: "address.street"), IndexDefinition([.init("number")], kind: .unique),
        ])

    private let temporary: TemporaryStore
    private let store: Store

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
    }

    private func row(_ text: String?, _ number: Int64, street: String? = nil) -> [String: Value] {
        [
            "text": text.map(Value.string) ?? .null, "number": .int(number),
            "address": street.map { .structure(["street": .string($0)]) } ?? .null,
        ]
    }

    /// The entries of an index, as texts.
    private func entries(_ store: Store, _ index: String = "trigrams(text)") throws -> Set<Entry> {
        try store.read { snapshot in
            let index = try #require(try snapshot.entity(named: "Note").indexes.first { $0.name == index })
            var found: [Entry] = []
            try snapshot.scanIndex(index, range: .all) { batch in
                for position in 0..<batch.count {
                    let entry = try batch.entry(at: position)
                    let trigram = try #require(TrigramSet.trigram(of: entry.key))
                    found.append(Entry(text: TrigramSet.text(of: trigram), rowID: entry.rowID))
                }
                return true
            }
            #expect(Set(found).count == found.count)
            return Set(found)
        }
    }

    private struct Entry: Hashable {
        var text: String
        var rowID: RowID
    }

    /// The entries that rows are to have, by a plain walk over the letters.
    private func expected(_ rows: [RowID: String?]) -> Set<Entry> {
        var entries: Set<Entry> = []
        for (rowID, text) in rows {
            let folded = text.flatMap { StringForms.folded($0, form: .caseAndDiacriticFolded) } ?? ""
            let scalars = Array(folded.unicodeScalars)
            for start in scalars.indices where start + 3 <= scalars.count {
                let trigram = String(String.UnicodeScalarView(scalars[start..<start + 3]))
                entries.insert(Entry(text: trigram, rowID: rowID))
            }
        }
        return entries
    }

    @Test func savesKeepThemUp() throws {
        try store.apply(.addEntity(Self.note))
        let ids = try store.insert(
            [row("Été", 1, street: "Rue de l'Été"), row("eter", 2), row(nil, 3), row("ab", 4)], into: "Note")
        #expect(try entries(store).map(\.text).sorted() == ["ete", "ete", "ter"])
        #expect(try entries(store, "trigrams(address.street)").count == 10)
        try store.update(ids[1], of: "Note", ["text": .string("PETER"), "number": .int(-2)])
        #expect(try entries(store).filter { $0.rowID == ids[1] }.map(\.text).sorted() == ["ete", "pet", "ter"])
        try store.update(ids[2], of: "Note", ["text": .string("abc")])
        try store.update(ids[0], of: "Note", ["text": .null, "address": .null])
        try store.delete(ids[1], of: "Note")
        #expect(try entries(store) == [Entry(text: "abc", rowID: ids[2])])
        #expect(try entries(store, "trigrams(address.street)") == [])
        #expect(try store.info().indexes.map(\.entries) == [1, 0, 3])
        #expect(try store.check().faults == [])
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func theyEqualARescanWhateverHappens(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var plain = Self.note
        if seed % 2 == 1 { plain.indexes = [IndexDefinition([.init("number")], kind: .unique)] }
        try store.apply(.addEntity(plain))
        var rows: [RowID: String?] = [:]
        func text() -> String? {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: nil
            case 1: String(repeating: HardText.text(5, &random), count: 2_000)
            default: HardText.text(Int.random(in: 0...15, using: &random), &random)
            }
        }
        for step in 0..<120 {
            let new = text()
            let value = new.map(Value.string) ?? .null
            switch (Int.random(in: 0..<6, using: &random), rows.keys.sorted().randomElement(using: &random)) {
            case (0, let row?):
                try store.delete(row, of: "Note")
                rows[row] = nil
            case (1...3, let row?):
                try store.update(row, of: "Note", ["text": value])
                rows[row] = .some(new)
            case (4, let row?):
                // Nothing of a save that is refused stays.
                let taken = try #require(try store.values(row, of: "Note"))
                let kind = storageError {
                    try store.insert([["text": value, "number": taken[1], "address": .null]], into: "Note")
                }
                #expect(kind == .uniqueViolation(existing: row))
            default:
                // Many new rows at once go another way than a few.
                let texts = [new] + (0..<(step % 40 == 7 ? 100 : 0)).map { _ in text() }
                let fresh = texts.enumerated().map { row($1, Int64(step * 1_000 + $0), street: $1) }
                for (id, text) in zip(try store.insert(fresh, into: "Note"), texts) { rows[id] = .some(text) }
            }
            if step == 60, seed % 2 == 1 {
                try store.apply(.addIndex(.trigrams(of: "text"), to: "Note"))
                try store.apply(.addIndex(.trigrams(of: "address.street"), to: "Note"))
            }
        }
        #expect(try entries(store) == expected(rows))
        #expect(try store.check().faults == [])
        let (folder, other) = try RelationshipDumpTests.load(RelationshipDumpTests.dump(store))
        _ = folder
        #expect(try entries(other) == expected(rows))
        #expect(try other.check().faults == [])
        for row in rows.keys { try store.delete(row, of: "Note") }
        #expect(try entries(store) == [] && entries(store, "trigrams(address.street)") == [])
        #expect(try store.check().faults == [])
    }

    /// While the index is built, on another thread rows get texts, lose theirs and go.
    @Test func oneThatIsBuiltBesideSavesHasWhatTheRowsHaveThen() throws {
        var plain = Self.note
        plain.indexes = []
        try store.apply(.addEntity(plain))
        var rows: [RowID: String?] = [:]
        let texts = (0..<4_200).map { $0 % 7 == 0 ? nil : "text number \($0 % 300)" }
        for (id, text) in zip(
            try store.insert(texts.enumerated().map { row($1, Int64($0)) }, into: "Note"), texts)
        { rows[id] = .some(text) }
        let (store, ids) = (store, rows.keys.sorted())
        var isDone = false
        try store.apply(.addIndex(.trigrams(of: "text"), to: "Note")) { _, _ in
            guard !isDone else { return }
            isDone = true
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                do {
                    for id in ids[..<20] { try store.update(id, of: "Note", ["text": .string("other numbers")]) }
                    for id in ids[20..<40] { try store.update(id, of: "Note", ["number": .int(-5)]) }
                    for id in ids[40..<60] { try store.delete(id, of: "Note") }
                    for id in ids[60..<80] { try store.update(id, of: "Note", ["text": .null]) }
                    for id in ids[80..<90] {
                        try store.update(id, of: "Note", ["text": .string("gone")])
                        try store.update(id, of: "Note", ["text": .string("gone and back: text number 1")])
                    }
                } catch {
                    Issue.record(error)
                }
                done.signal()
            }
            done.wait()
        }
        #expect(isDone)
        for id in ids[..<20] { rows[id] = .some("other numbers") }
        for id in ids[40..<60] { rows[id] = nil }
        for id in ids[60..<80] { rows[id] = .some(nil) }
        for id in ids[80..<90] { rows[id] = .some("gone and back: text number 1") }
        #expect(try entries(store) == expected(rows))
        #expect(try store.check().faults == [])
        try store.apply(.rebuildIndex("trigrams(text)", of: "Note"))
        #expect(try entries(store) == expected(rows))
        #expect(try store.check().faults == [])
    }

    /// Beside saves, those texts alone are taken apart again that were saved since, each once in a step.
    @Test func aBuildBesideSavesTakesApartWhatTheySaved() throws {
        try store.apply(.addEntity(Self.note))
        let texts = (0..<40).map { number in (0..<400).map { "\(number * 1_000 + $0)" }.joined(separator: " ") }
        let ids = try store.insert(texts.enumerated().map { row($1, Int64($0)) }, into: "Note")
        let index = try #require(try store.entity("Note").indexes.first)
        let (before, base) = try store.read { snapshot in
            var before: [IndexEntry] = []
            try snapshot.scanIndex(index, range: .all) { batch in
                for position in 0..<batch.count { before.append(try batch.entry(at: position)) }
                return true
            }
            return (before, try snapshot.lastSave())
        }
        try store.update(ids[0], of: "Note", ["text": .string("other")])
        try store.update(ids[1], of: "Note", ["number": .int(-1)])
        try store.update(ids[2], of: "Note", ["text": .string("300 and more")])
        try store.delete(ids[3], of: "Note")
        for (stepBytes, steps) in [(Int.max, 1), (1 << 17, 10)] {
            var feed = IndexFeed(store, index: index.id, baseSave: base, stepBytes: stepBytes)
            for entry in before { try feed.add(entry) }
            try feed.flush()
            let textsTakenApart = feed.textsTakenApart
            #expect(before.count > 5_000 && 3...3 * steps ~= textsTakenApart, "\(before.count) \(textsTakenApart)")
            #expect(try store.check().faults == [])
        }
    }

    /// One whose entries another rule has made is neither read nor kept up, until it is built again.
    @Test func oneOfAnotherRuleIsStale() throws {
        let temporary = try TemporaryStore()
        do {
            let store = try temporary.open()
            try store.apply(.addEntity(Self.note))
            try store.insert([row("abc", 1)], into: "Note")
            #expect(try store.entity("Note").indexes.map(\.isCurrent) == [true, true, true])
        }
        try OpeningTests.rewriteCatalog(
            at: temporary.path, "\"formVersion\":\"\(TrigramSet.formVersion)\"",
            with: "\"formVersion\":\"\(StringForms.formVersion)\"")
        let store = try temporary.open()
        #expect(
            storageError { _ = try store.rows(in: "trigrams(text)", of: "Note") } == .indexNotReady(state: "stale"))
        let id = try store.insert([row("bcd", 2)], into: "Note")[0]
        #expect(try store.entity("Note").indexes.map(\.state) == [.stale, .stale, .ready])
        #expect(try store.check().faults == [])
        try store.apply(.rebuildIndex("trigrams(text)", of: "Note"))
        #expect(try entries(store) == [Entry(text: "abc", rowID: 1), Entry(text: "bcd", rowID: id)])
        #expect(try store.check().faults == [])
    }

    /// The history has no old texts for the sake of an index that holds none.
    @Test func theHistoryHasNoTextsForIt() throws {
        try store.apply(.addEntity(Self.note))
        let id = try store.insert([row("abc", 1)], into: "Note")[0]
        try store.update(id, of: "Note", ["text": .string("bcd"), "number": .int(2)])
        let history = try store.read { try HistoryReader.entries(in: $0, after: 0) }
        let number = try store.entity("Note").properties[1].id
        #expect(history.last?.rows.map { $0.previous.map(\.property) } == [[number]])
    }

    @Test func loadsMakeThem() throws {
        let long = String(repeating: "long ", count: 8_000)
        _ = try store.load(.newEntity(Self.note), sortBudget: 1 << 10) { load in
            for number in 0..<9_000 { try load.append([.string("row \(number)"), .int(Int64(number)), .null]) }
            try load.append([.string(long), .int(-1), .structure(["street": .string(long + "Straße")])])
            try load.append([.null, .int(-2), .null])
        }
        #expect(try store.check().faults == [])
        _ = try store.load(.existingEntity("Note")) { load in
            try load.append([.string("another"), .int(-3), .null])
        }
        #expect(try entries(store).count { $0.text == "ano" } == 1)
        #expect(try entries(store).count { $0.text == "g l" } == 1)
        #expect(try entries(store, "trigrams(address.street)").count == 12)
        #expect(try store.check().faults == [])
    }

    /// Over the names of the sample's cities, which have nine letters on average.
    @Test func itTakesThreeTimesTheRoomOfAnOrderedIndex() throws {
        let samples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Tools/Samples")
        let lines = try String(contentsOf: samples.appending(path: "cities.csv"), encoding: .utf8)
            .split(whereSeparator: \.isNewline).dropFirst()
        let city = EntityDefinition(
            "Note", properties: [PropertyDefinition("name", type: .string)],
            indexes: [IndexDefinition([.init("name")]), .trigrams(of: "name")])
        _ = try store.load(.newEntity(city)) { load in
            for line in lines { try load.append([.string(String(line.split(separator: ",")[1]))]) }
        }
        let bytes = try store.info().indexes.map { Double($0.bytes) }
        #expect(25...40 ~= bytes[1] / Double(lines.count) && 2.5...3.5 ~= bytes[1] / bytes[0], "\(bytes)")
        #expect(try store.check().faults == [])
    }

    /// A text that is too long to be taken apart has one entry, and no other text has it.
    @Test func aVeryLongTextHasOneEntry() throws {
        try store.apply(.addEntity(Self.note))
        let long = String(repeating: "abc", count: TrigramSet.longestText / 3 + 1)
        let ids = try store.insert([row(long, 1), row("abcd", 2)], into: "Note")
        #expect(try entries(store).filter { $0.rowID == ids[0] }.map(\.text) == [""])
        #expect(try entries(store).count == 3)
        try store.update(ids[0], of: "Note", ["text": .string("abc")])
        try store.update(ids[1], of: "Note", ["text": .string(long)])
        #expect(try entries(store) == [Entry(text: "abc", rowID: ids[0]), Entry(text: "", rowID: ids[1])])
        #expect(try store.check().faults == [])
    }

    @Test(arguments: [IndexChange.Kind.remove, .insert])
    func checkFindsAnEntryThatIsMissingOrTooMuch(kind: IndexChange.Kind) throws {
        try store.apply(.addEntity(Self.note))
        let row = try store.insert([row("abcdef", 1), row("abc", 2)], into: "Note")[0]
        let trigram = TrigramSet(kind == .remove ? "cde" : "xyz").trigrams[0]
        let entry = IndexEntry(key: TrigramSet.key(of: trigram), rowID: row, isInexact: false, included: [])
        try store.run(
            WriterJob { transaction, state in
                try IndexWriter.apply(
                    [IndexChange(kind, entry: entry)],
                    shape: state.catalog.access(named: "Note").indexes[0].blockShape, in: &transaction,
                    databases: state.databases.blocks)
            })
        let faults = try store.check().faults
        #expect(faults.map(\.rowID) == [row] && faults.map(\.index) == ["trigrams(text)"])
        try store.apply(.rebuildIndex("trigrams(text)", of: "Note"))
        #expect(try store.check().faults == [])
    }

    @Test func whatHasNoTrigramsIsRefused() throws {
        try store.apply(.addEntity(Self.note))
        func refusal(_ definition: IndexDefinition) -> String? {
            guard case .invalidIndex(let text) = storageError({ try store.apply(.addIndex(definition, to: "Note")) })
            else { return nil }
            return text
        }
        func refusal(
            _ component: IndexDefinition.Component, isSectioned: Bool = false, included: [String] = []
        ) -> String? {
            refusal(
                IndexDefinition(
                    [component], name: "x", kind: .trigrams, isSectioned: isSectioned, included: included))
        }
        let form = TrigramSet.form
        #expect(refusal(.trigrams(of: "number")) == "'number' is a int64, and only strings have folded forms")
        #expect(refusal(.init("text")) == "one of trigrams is over a text without case and diacritics")
        #expect(refusal(.init("number")) == "one of trigrams is over a text without case and diacritics")
        #expect(refusal(.init("text", function: .lowercase, form: form)) == "one of trigrams takes no function")
        #expect(
            refusal(.init("text", direction: .descending, form: form))
                == "one of trigrams serves no order, and has no direction")
        #expect(refusal(.init("text", form: form), isSectioned: true) == "one of trigrams serves no sections")
        #expect(refusal(.init("text", form: form), included: ["number"]) == "one of trigrams includes no fields")
        let two = IndexDefinition([.init("text", form: form), .init("text", form: form)], name: "x", kind: .trigrams)
        #expect(refusal(two) == "one of trigrams is over one text; add an index for each")
        #expect(storageError { try store.apply(.addIndex(.trigrams(of: "text"), to: "Note")) } == .indexExists)
        #expect(storageError { try store.apply(.addIndex(.trigrams(of: "txt"), to: "Note")) } == .unknownProperty)
    }

    @Test func itFollowsItsPropertyAndIsDropped() throws {
        try store.apply(.addEntity(Self.note))
        try store.insert([row("abcd", 1)], into: "Note")
        try store.apply(.renameProperty("text", to: "words", in: "Note"))
        #expect(try store.entity("Note").indexes[0].definition.properties == ["words"])
        try store.insert([["words": .string("bcd"), "number": .int(2), "address": .null]], into: "Note")
        #expect(try entries(store).map(\.text).sorted() == ["abc", "bcd", "bcd"])
        #expect(try store.analyze(store.entity("Note").indexes) == 3)
        #expect(try store.check().faults == [])
        try store.apply(.dropIndex("trigrams(text)", from: "Note"))
        #expect(try store.check().faults == [])
    }
}
