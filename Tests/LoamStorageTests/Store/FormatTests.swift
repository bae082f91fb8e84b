import Foundation
import LMDB
import Testing

@testable import LoamStorage

/// A small store of each format, as a version of Loam has left it: three rows, a unique index and an ordered one.
@Suite struct FormatTests {
    /// Opens a copy, since opening makes a lock file beside the store.
    private static func open(_ name: String, in temporary: TemporaryStore) throws -> Store {
        let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures")
        try FileManager.default.copyItem(atPath: fixtures.appendingPathComponent(name).path, toPath: temporary.path)
        return try temporary.open()
    }

    @Test func aStoreOfTheFirstFormatIsRefusedWithTheWayOut() throws {
        let temporary = try TemporaryStore()
        do {
            _ = try Self.open("format1.store", in: temporary)
            Issue.record("it was opened")
        } catch let error as StorageError {
            #expect(error.kind == .olderStore(format: 1, supported: 2))
            #expect(error.description.contains("'loam dump'") && error.description.contains("'loam load'"))
        }
    }

    @Test func aStoreOfThisFormatIsOpened() throws {
        let temporary = try TemporaryStore()
        let store = try Self.open("format2.store", in: temporary)
        #expect(try store.check().faults == [])
        #expect(try store.info().format == CatalogDocument.currentFormat)
        let rows: [[Value]] = [
            [.string("A"), .int(-5), .double(1.5), .string("x")], [.string("É"), .null, .double(0.25), .null],
            [.string("longer name than the others"), .int(70_000), .null, .string("y")],
        ]
        #expect(try (1...3).map { try store.values($0, of: "Sample") } == rows)
        #expect(try store.rows(in: "name", of: "Sample") == [1, 3, 2])
        #expect(try store.rows(in: "kind,-year", of: "Sample") == [2, 1, 3])
    }

    // MARK: Last numbers

    @Test func theLastSaveNumberIsGivenOnceAndNeverWraps() throws {
        for last in [RecordHeader.maximumSave - 1, RecordHeader.maximumSave, .max] {
            let temporary = try TemporaryStore()
            let store = try temporary.open()
            try store.apply(
                .addEntity(EntityDefinition("Note", properties: [PropertyDefinition("text", type: .string)])))
            let row = try store.insert([["text": .string("a")]], into: "Note")[0]
            try store.environment.write { transaction in
                let counters = try transaction.openDatabase(named: Keyspace.counters, integerKeys: false)
                var numbers = try StoreCounters.read(in: transaction, from: counters)
                numbers.lastSave = last
                try numbers.write(in: &transaction, to: counters)
            }
            if last == RecordHeader.maximumSave - 1 {
                try store.update(row, of: "Note", ["text": .string("b")])
                #expect(try store.read { try $0.lastSave() } == RecordHeader.maximumSave)
            }
            let kind = storageError { try store.update(row, of: "Note", ["text": .string("c")]) }
            #expect(kind == .noMoreSaves)
            let load = storageError { _ = try store.load(.existingEntity("Note")) { _ in } }
            #expect(load == .noMoreSaves)
            #expect(try store.values(row, of: "Note") == [.string(last == RecordHeader.maximumSave - 1 ? "b" : "a")])
        }
    }

    @Test func layoutsAreCountedForEachEntityAndAnEarlierOneIsUsedAgain() throws {
        let temporary = try TemporaryStore()
        let store = try temporary.open()
        for name in ["First", "Second"] {
            try store.apply(
                .addEntity(
                    EntityDefinition(
                        name,
                        properties: [PropertyDefinition("a", type: .int64), PropertyDefinition("b", type: .string)])))
        }
        func layouts() throws -> [LayoutID] {
            try store.catalog().document.layouts.map(\.id).sorted()
        }
        #expect(try layouts() == [1, 1])
        let rows = try store.insert([["a": .int(1), "b": .string("x")]], into: "Second")
        for round in 0..<3 {
            let optional = PropertyDefinition("c", type: .int64, isOptional: true)
            try store.apply(.addProperty(optional, to: "Second"))
            #expect(try layouts() == [1] + Array(1...LayoutID(2 + round)))
            try store.update(rows[0], of: "Second", ["c": .int(7), "a": .int(Int64(round))])
            try store.apply(.removeProperty("c", from: "Second"))
            #expect(try layouts() == [1] + Array(1...LayoutID(2 + round)), "the first layout is used again")
            #expect(try store.values(rows[0], of: "Second") == [.int(Int64(round)), .string("x")])
        }
        #expect(try store.check().faults == [])
    }

    @Test func aChangeThatNeedsOneLayoutTooManyIsRefused() throws {
        var document = CatalogDocument(storeID: "")
        let definition = EntityDefinition("Note", properties: [PropertyDefinition("text", type: .string)])
        try document.addEntities([definition])
        document.layouts[0].id = .max
        document.currentLayouts[1] = .max
        try document.validate()
        let before = document
        let added = PropertyDefinition("more", type: .string, isOptional: true)
        #expect(storageError { try document.addProperty(added, to: "Note") } == .noMoreLayouts)
        #expect(document.schema == before.schema && document.layouts == before.layouts)
        #expect(StorageError(.noMoreLayouts).description.contains("'loam load'"))
        try document.addEntities([EntityDefinition("Other", properties: [PropertyDefinition("text", type: .string)])])
    }
}
