import LoamStorage
import Testing

/// The history that others read of changed relationships.
@Suite struct RelationshipHistoryTests {
    let folder: TemporaryStore
    let store: Store
    let world: RelatedRows

    init() throws {
        folder = try TemporaryStore()
        store = try folder.open()
        try store.apply(.addEntities(WorldSchema.definitions))
        world = RelatedRows(store: store)
    }

    private func history(after save: UInt64) throws -> [HistoryEntry] {
        try store.read { try HistoryReader.entries(in: $0, after: save) }
    }

    @Test func theHistoryKeepsLinksAndPreviousTargets() throws {
        let countries = try (0..<2).map { try world.insert("Country", "k\($0)") }
        let city = try world.insert("City", "c", ["country": countries[0]])
        let tag = try world.insert("Tag", "t")
        let result = try world.save { batch in
            try batch.link("cities", of: tag, "Tag", to: city)
            try batch.set("country", of: city, "City", to: countries[1])
        }
        let entry = try #require(try history(after: result.save - 1).first)
        let tags = try world.relationship("tags", of: "City").id
        #expect(entry.links == [LinkChange(relationship: tags, source: city, destination: tag, isAdded: true)])
        #expect(entry.links == result.links)
        let reference = try #require(try world.relationship("country", of: "City").referenceProperty)
        #expect(entry.rows.first?.previous.map(\.property).contains(reference) == true)
        // Rows that only a rule has reached are listed as those of the batch are.
        let deletion = try world.save { try $0.delete(countries[1], "Country") }
        let deleted = try #require(try history(after: deletion.save - 1).first)
        #expect(Set(deleted.rows.map(\.rowID)) == [countries[1], city])
        #expect(try store.check().faults == [])
    }

    @Test func aSaveOfLinksAloneSaysWhichEntitiesItConcerns() throws {
        let city = try world.insert("City", "c")
        let tag = try world.insert("Tag", "t")
        let result = try world.save { try $0.link("tags", of: city, "City", to: tag) }
        #expect(result.rows.isEmpty)
        #expect(
            try result.linked == [
                world.entity("City").id: [world.relationship("tags", of: "City").id],
                world.entity("Tag").id: [world.relationship("cities", of: "Tag").id],
            ])
        let again = try world.save { try $0.unlink("tags", of: city, "City", from: city) }
        #expect(again.links.isEmpty && again.linked.isEmpty)
    }

    @Test func aBulkLoadSetsNoRelationships() throws {
        let country = try world.insert("Country", "k")
        #expect(throws: StorageError.self) {
            _ = try store.load(.existingEntity("City")) { try $0.append([.string("c"), .uint(country), .null]) }
        }
        _ = try store.load(.existingEntity("City")) { try $0.append([.string("c"), .null, .null]) }
        #expect(try store.read { try $0.count(of: $0.entity(named: "City")) } == 1)
        #expect(try world.related(country, "cities", of: "Country") == [])
        let city = try world.insert("City", "d", ["country": country])
        #expect(try world.related(country, "cities", of: "Country") == [city])
        #expect(try store.check().faults == [])
    }
}
