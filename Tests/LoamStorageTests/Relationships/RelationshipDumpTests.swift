import LoamStorage
import Testing

/// Dumps of stores with relationships.
@Suite struct RelationshipDumpTests {
    static func dump(_ store: Store, _ names: [String] = []) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try store.read { snapshot in
            let entities = snapshot.schema.entities.filter { names.isEmpty || names.contains($0.name) }
            try StoreDump.write(entities, of: snapshot) { bytes += $0 }
        }
        return bytes
    }

    static func load(_ dump: [UInt8]) throws -> (TemporaryStore, Store) {
        let folder = try TemporaryStore()
        let store = try folder.open()
        var reader = try DumpReader(ByteSource(bytes: dump))
        _ = try StoreDump.load(&reader, into: store)
        return (folder, store)
    }

    @Test(arguments: 0..<3)
    func aDumpOfALoadedDumpIsTheSame(seed: UInt64) throws {
        let folder = try TemporaryStore()
        let store = try folder.open()
        try store.apply(.addEntities(RelatedModelTests.definitions))
        var run = RelatedRun(seed: seed, stores: [RelatedRows(store: store)])
        for _ in 0..<60 { try run.step() }
        // A property that is added later stands behind the references.
        try store.apply(.addProperty(PropertyDefinition("later", type: .string, isOptional: true), to: "B"))
        let dump = try Self.dump(store)
        let (loadedFolder, loaded) = try Self.load(dump)
        #expect(try Self.dump(loaded) == dump)
        #expect(try loaded.check().faults == [])
        // The loaded store takes further rows as the first one would.
        _ = loadedFolder
        let again = RelatedRows(store: loaded)
        let a = try again.insert("A", "new")
        let b = try again.insert("B", "new", ["a": a])
        #expect(try again.related(a, "bs", of: "A") == [b])
    }

    @Test func theDumpReadsWell() throws {
        let folder = try TemporaryStore()
        let store = try folder.open()
        try store.apply(.addEntities(WorldSchema.definitions))
        let world = RelatedRows(store: store)
        let country = try world.insert("Country", "Iceland")
        let city = try world.insert("City", "Reykjavík", ["country": country])
        let tag = try world.insert("Tag", "north")
        try world.save { try $0.link("tags", of: city, "City", to: tag) }
        let text = String(decoding: try Self.dump(store), as: UTF8.self)
        #expect(
            text.contains(
                #"{"entity":"City","row":2,"values":{"name":"Reykjavík","country":1,"country.position":65536}}"#)
        )
        #expect(
            text.hasSuffix(
                #"{"entity":"City","relationship":"tags","source":2,"destination":3,"positions":[65536,65536]}"# + "\n")
        )
    }

    @Test func aDumpOfSomeEntitiesLeavesOutWhatLeadsToOthers() throws {
        let folder = try TemporaryStore()
        let store = try folder.open()
        try store.apply(.addEntities(WorldSchema.definitions))
        let world = RelatedRows(store: store)
        let country = try world.insert("Country", "Iceland")
        _ = try world.insert("City", "Reykjavík", ["country": country])
        let (loadedFolder, loaded) = try Self.load(try Self.dump(store, ["City", "Tag"]))
        _ = loadedFolder
        #expect(try loaded.entity("City").relationships.map(\.name) == ["tags", "twins"])
        #expect(try loaded.entity("City").properties.map(\.name) == ["name"])
        #expect(try loaded.check().faults == [])
    }

    @Test func aDumpThatLostALineOrLeadsNowhereIsRefused() throws {
        let folder = try TemporaryStore()
        let store = try folder.open()
        try store.apply(.addEntities(WorldSchema.definitions))
        let world = RelatedRows(store: store)
        let country = try world.insert("Country", "Iceland")
        let cities = try (0..<2).map { try world.insert("City", "\($0)", ["country": country]) }
        let tag = try world.insert("Tag", "north")
        try world.save { batch in
            for city in cities { try batch.link("tags", of: city, "City", to: tag) }
        }
        let dump = try Self.dump(store)
        let lines = dump.split(separator: 0x0A)
        for missing in lines.indices {
            var rest = lines
            rest.remove(at: missing)
            #expect(throws: StorageError.self) { try Self.load(Array(rest.joined(separator: [0x0A]))) }
        }
        let text = String(decoding: dump, as: UTF8.self)
        for (old, new) in [
            (#""country":1"#, #""country":4"#), (#""destination":4,"#, #""destination":1,"#),
            (#""relationship":"tags""#, #""relationship":"cities""#), (#""storage":"inverse""#, #""storage":"links""#),
        ] {
            let damaged = text.replacing(old, with: new)
            #expect(damaged != text)
            #expect(throws: StorageError.self) { try Self.load(Array(damaged.utf8)) }
        }
    }
}
