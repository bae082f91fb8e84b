import Foundation
import LMDB
import LoamStorage
import Testing

@Suite struct OpeningTests {
    private static let note = EntityDefinition("Note", properties: [PropertyDefinition("text", type: .string)])

    /// Replaces a part of the catalog's JSON, as another version of the library would have written it.
    static func rewriteCatalog(at path: String, _ text: String, with other: String) throws {
        let environment = try Environment.open(path: path, options: .init())
        let key = Array("document".utf8)
        let generation = Array("generation".utf8)
        try environment.write { transaction in
            let database = try transaction.openDatabase(named: "catalog", integerKeys: false)
            let json = try transaction.value(for: key.span.bytes, in: database)?.withUnsafeBytes {
                String(decoding: $0, as: UTF8.self)
            }
            guard let json else { return }
            let changed = Array(json.replacingOccurrences(of: text, with: other).utf8)
            try transaction.put(changed.span.bytes, for: key.span.bytes, in: database)
            let number = withUnsafeBytes(of: UInt64(1_000).littleEndian) { Array($0) }
            try transaction.put(number.span.bytes, for: generation.span.bytes, in: database)
            let sum = Checksum.hash64(changed.span.bytes, seed: 1_000)
            let sumBytes = withUnsafeBytes(of: sum.littleEndian) { Array($0) }
            try transaction.put(sumBytes.span.bytes, for: Array("checksum".utf8).span.bytes, in: database)
        }
    }

    @Test func aMissingFileIsMadeOnlyWhenAllowed() throws {
        let temporary = try TemporaryStore()
        #expect(throws: LMDBError.self) { try temporary.open { $0.createsFile = false } }
        #expect(throws: LMDBError.self) { try temporary.open { $0.isReadOnly = true } }
        #expect(!FileManager.default.fileExists(atPath: temporary.path))
        _ = try temporary.open()
        #expect(FileManager.default.fileExists(atPath: temporary.path))
    }

    @Test func aStoreIsPrivateToItsUser() throws {
        let temporary = try TemporaryStore()
        let path = temporary.folder.appendingPathComponent("deeper/still/test.loam").path
        _ = try Store.open(path: path)
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(path) == 0o600)
        #expect(try mode(path + "-lock") == 0o600)
        #expect(try mode(temporary.folder.appendingPathComponent("deeper/still").path) == 0o700)
    }

    @Test func aReadOnlyStoreReadsAndRefusesToSave() throws {
        let temporary = try TemporaryStore()
        do {
            let store = try temporary.open()
            try store.apply(.addEntity(Self.note))
            try store.insert([["text": .string("a")]], into: "Note")
        }
        let store = try temporary.open { $0.isReadOnly = true }
        #expect(try store.read { try $0.count(of: $0.entity(named: "Note")) } == 1)
        #expect(storageError { try store.apply(.removeEntity("Note")) } == .readOnlyStore)
        #expect(storageError { _ = try store.makeRowID() } == .readOnlyStore)
    }

    @Test func anLMDBFileThatIsNoStoreIsRefused() throws {
        let temporary = try TemporaryStore()
        do {
            let environment = try Environment.open(path: temporary.path, options: .init())
            try environment.write { transaction in
                _ = try transaction.openDatabase(named: "others", integerKeys: false)
            }
        }
        #expect(storageError { _ = try temporary.open() } == .notAStore)
    }

    @Test func aStoreOfANewerFormatIsRefusedWithBothVersions() throws {
        let temporary = try TemporaryStore()
        _ = try temporary.open()
        try Self.rewriteCatalog(at: temporary.path, "\"format\":2", with: "\"format\":3")
        #expect(storageError { _ = try temporary.open() } == .newerStore(format: 3, supported: 2))
        // Whatever else is in it.
        try Self.rewriteCatalog(at: temporary.path, "nextEntity", with: "next")
        #expect(storageError { _ = try temporary.open() } == .newerStore(format: 3, supported: 2))
        try Self.rewriteCatalog(at: temporary.path, "\"format\":3", with: "\"format\":2")
        #expect(storageError { _ = try temporary.open() } == .damagedCatalog("its JSON cannot be read"))
    }

    @Test func aSchemaIsAskedOnlyWhereAStoreHasToBeMade() throws {
        struct Refusal: Error {}
        let temporary = try TemporaryStore()
        #expect(throws: Refusal.self) { _ = try Store.open(path: temporary.path) { _ in throw Refusal() } }
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.folder.path) == [])
        // An empty file becomes a store.
        #expect(FileManager.default.createFile(atPath: temporary.path, contents: Data()))
        #expect(throws: Refusal.self) { _ = try Store.open(path: temporary.path) { _ in throw Refusal() } }
        var asked = 0
        func open() throws -> Store {
            try Store.open(path: temporary.path) { draft in
                asked += 1
                try draft.apply(.addEntity(Self.note))
            }
        }
        #expect(try open().entity("Note").name == "Note")
        #expect(asked == 1)
        #expect(try open().entity("Note").name == "Note")
        #expect(asked == 1)
    }

    @Test func aDamagedCatalogIsAnErrorNotATrap() throws {
        for (text, other) in [("{", "["), ("nextEntity", "nothing"), ("\"id\":1", "\"id\":9"), ("string", "strong")] {
            let temporary = try TemporaryStore()
            do {
                let store = try temporary.open()
                try store.apply(.addEntity(Self.note))
            }
            try Self.rewriteCatalog(at: temporary.path, text, with: other)
            #expect(throws: StorageError.self) { _ = try temporary.open() }
        }
    }

    @Test func anIndexOfOtherStringFormsIsNeitherReadNorMaintained() throws {
        let temporary = try TemporaryStore()
        var definition = Self.note
        definition.indexes = [
            IndexDefinition([.init("text", form: .caseAndDiacriticFolded)]), IndexDefinition([.init("text")]),
        ]
        do {
            let store = try temporary.open()
            try store.apply(.addEntity(definition))
            try store.insert([["text": .string("Ä")]], into: "Note")
        }
        try Self.rewriteCatalog(
            at: temporary.path, "\"formVersion\":\"\(StringForms.formVersion)\"", with: "\"formVersion\":\"old\"")
        let store = try temporary.open()
        #expect(storageError { _ = try store.rows(in: "fold(text)", of: "Note") } == .indexNotReady(state: "stale"))
        let ids = try store.insert([["text": .string("a")]], into: "Note")
        #expect(try store.entity("Note").indexes.map(\.state) == [.stale, .ready])
        let report = try store.check()
        #expect(report.faults == [] && report.notes.count == 1)
        try store.apply(.rebuildIndex("fold(text)", of: "Note"))
        #expect(try store.rows(in: "fold(text)", of: "Note") == [1, ids[0]])
        #expect(try store.check().notes == [])
    }

    @Test func aStoreInMemoryLeavesNoFile() throws {
        var options = StoreOptions()
        options.isInMemory = true
        let store = try Store.open(path: "", options: options)
        try store.apply(.addEntity(Self.note))
        try store.insert([["text": .string("a")]], into: "Note")
        #expect(!FileManager.default.fileExists(atPath: store.path))
        #expect(try store.read { try HistoryReader.entries(in: $0, after: 0) } == [])
        #expect(try store.check().faults == [])
    }

    @Test func aFullMapIsATypedErrorAndDeletionsStillWork() throws {
        let temporary = try TemporaryStore()
        let store = try temporary.open {
            $0.mapSize = 1 << 20
            $0.maximumMapSize = 1 << 20
        }
        try store.apply(.addEntity(Self.note))
        var ids: [RowID] = []
        var failure: LMDBError?
        while failure == nil, ids.count < 10_000 {
            do {
                let text = String(repeating: "x", count: 2_000)
                ids += try store.insert((0..<10).map { _ in ["text": .string(text)] }, into: "Note")
            } catch {
                failure = error as? LMDBError
            }
        }
        #expect(failure?.kind == .mapFull)
        #expect(try store.read { try $0.count(of: $0.entity(named: "Note")) } == ids.count)
        for id in ids { try store.delete(id, of: "Note") }
        #expect(try store.read { try $0.count(of: $0.entity(named: "Note")) } == 0)
        try store.insert([["text": .string("room again")]], into: "Note")
        #expect(try store.check().faults == [])
    }

    @Test func theMapGrowsByItself() throws {
        let temporary = try TemporaryStore()
        let store = try temporary.open { $0.mapSize = 1 << 20 }
        try store.apply(.addEntity(Self.note))
        for _ in 0..<40 {
            let text = String(repeating: "y", count: 10_000)
            try store.insert((0..<10).map { _ in ["text": .string(text)] }, into: "Note")
        }
        #expect(try store.info().mapBytes > 1 << 20)
        #expect(try store.check().faults == [])
    }

    @Test func aCompactedCopyIsTheSameStore() throws {
        let temporary = try TemporaryStore()
        let store = try temporary.open()
        try store.apply(.addEntity(Self.note))
        let ids = try store.insert((0..<500).map { ["text": .string("n\($0)")] }, into: "Note")
        for id in ids.prefix(400) { try store.delete(id, of: "Note") }
        let destination = temporary.folder.appendingPathComponent("copy.loam").path
        try store.compact(to: destination)
        #expect(throws: LMDBError.self) { try store.compact(to: destination) }
        let copy = try Store.open(path: destination)
        #expect(try copy.values(ids[450], of: "Note") == [.string("n450")])
        #expect(try copy.check().faults == [])
        #expect(try copy.read { try $0.lastSave() } == store.read { try $0.lastSave() })
        #expect(try copy.makeRowID() > ids[499])
    }
}
