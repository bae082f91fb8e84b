import Foundation
import LoamStorage
import Testing

/// Saves that place rows, and so renumber others quietly, while an index over positions is built.
@Suite struct PlacedMeanwhileTests {
    private let temporary: TemporaryStore
    private let store: Store
    private let world: RelatedRows
    private let country: RowID
    private let cities: [RowID]

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
        try store.apply(.addEntities(WorldSchema.definitions))
        world = RelatedRows(store: store)
        let country = try world.insert("Country", "Iceland")
        var cities: [RowID] = []
        try world.save { batch in
            for number in 0..<4_200 { cities.append(try batch.insert("City", "c\(number)", ["country": country])) }
        }
        (self.country, self.cities) = (country, cities)
    }

    /// Places rows behind the first one, on another thread, until others must be renumbered.
    private func placeMany() throws {
        let (world, cities) = (world, cities)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            do {
                for city in cities.suffix(60) {
                    try world.save { try $0.place(city, "City", "country", .after(cities[0])) }
                }
            } catch {
                Issue.record(error)
            }
            done.signal()
        }
        done.wait()
    }

    private func requireOrder() throws {
        let expected = [cities[0]] + cities.suffix(60).reversed() + cities[1..<4_140]
        #expect(try world.related(country, "cities", of: "Country") == expected)
        #expect(try store.check().faults == [])
    }

    private func referenceIndex() throws -> Index {
        let relationship = try world.relationship("country", of: "City")
        guard case .reference(_, _, let id) = relationship.storage,
            let index = try store.entity("City").indexes.first(where: { $0.id == id })
        else { throw StorageError(.unknownIndex) }
        return index
    }

    @Test func aRebuiltReferenceIndexAgreesWithTheRecords() throws {
        var hasPlaced = false
        try store.apply(.rebuildIndex(referenceIndex().name, of: "City")) { _, _ in
            guard !hasPlaced else { return }
            hasPlaced = true
            do { try placeMany() } catch { Issue.record(error) }
        }
        #expect(hasPlaced)
        try requireOrder()
    }

    @Test func aLoadIntoAnEntityWithAToOneKeepsItsReferenceIndex() throws {
        var hasPlaced = false
        let entity = try store.entity("City")
        let blank = entity.properties.map { $0.name == "name" ? Value.string("loaded") : .null }
        _ = try store.load(
            .existingEntity("City"),
            progress: { step in
                guard case .index = step, !hasPlaced else { return }
                hasPlaced = true
                do { try placeMany() } catch { Issue.record(error) }
            }
        ) { load in
            for _ in 0..<10 { try load.append(blank) }
        }
        #expect(hasPlaced)
        #expect(try store.read { try $0.count(of: $0.entity(named: "City")) } == 4_210)
        try requireOrder()
    }
}
