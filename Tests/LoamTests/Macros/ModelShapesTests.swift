import Foundation
import Loam
import Observation
import Testing

@Suite("Shapes of model classes")
struct ModelShapesTests {
    private func container(_ types: any PersistentModel.Type...) throws -> ModelContainer {
        try ModelContainer(
            for: Schema(types),
            configurations: ModelConfiguration(UUID().uuidString, isStoredInMemoryOnly: true))
    }

    @Test("An object outside any context has its default and initial values, and keeps what is set")
    func freeObject() {
        let bird = Bird(id: "b")
        #expect(bird.id == "b")
        #expect(bird.default)
        #expect(bird.knownSecret == 7)
        #expect(bird.weight == nil)
        #expect(bird.species == nil)
        #expect(bird.friends == nil)
        #expect(bird.fans.isEmpty)
        bird.knownSecret = 8
        bird.weight = 2
        bird.species = BirdSpecies(name: "wren")
        #expect(bird.knownSecret == 8)
        #expect(bird.weight == 2)
        #expect(bird.species?.name == "wren")
        #expect(bird.modelContext == nil)
    }

    @Test("A public class with members of every access is stored")
    func publicClass() throws {
        let container = try container(Bird.self)
        let context = ModelContext(container)
        let (a, b) = (Bird(id: "a"), Bird(id: "b"))
        a.species = BirdSpecies(name: "wren", palette: .init(wing: [1], name: "grey"))
        a.knownSecret = 9
        a.fans = [b]
        context.insert(a)
        try context.save()
        let other = ModelContext(container)
        let birds = try other.fetch(FetchDescriptor<Bird>(sortBy: [SortDescriptor(\.id)]))
        #expect(birds.map(\.id) == ["a", "b"])
        #expect(birds.first?.knownSecret == 9)
        #expect(birds.first?.species?.palette == .init(wing: [1], name: "grey"))
        #expect(birds.first?.fans.map(\.id) == ["b"])
        #expect(birds.last?.friends?.map(\.id) == ["a"])
    }

    @Test("Relationships to models that are Codable are relationships")
    func codableModels() throws {
        let container = try container(Album.self)
        let context = ModelContext(container)
        let album = Album(title: "One")
        album.songs = [Song(title: "a"), Song(title: "b")]
        album.best = album.songs.last
        context.insert(album)
        try context.save()
        let other = ModelContext(container)
        let stored = try #require(try other.fetch(FetchDescriptor<Album>()).first)
        #expect(stored.songs.map(\.title) == ["a", "b"])
        #expect(stored.best === stored.songs.last)
        #expect(stored.songs.first?.album === stored)
    }

    @Test("Every kind of attribute comes back")
    func attributes() throws {
        let container = try container(Catalogue.Everything.self)
        let context = ModelContext(container)
        let made = Catalogue.Everything()
        made.optionalLevel = .low
        made.int8 = -128
        context.insert(made)
        try context.save()
        let other = ModelContext(container)
        let read = try #require(try other.fetch(FetchDescriptor<Catalogue.Everything>()).first)
        #expect(read !== made)
        #expect(read.bool && read.int == 1 && read.int8 == -128 && read.uint64 == .max)
        #expect(read.float == 1.5 && read.double == 2.5 && read.string == "a" && read.date == made.date)
        #expect(read.data == made.data && read.uuid == made.uuid && read.url == made.url && read.decimal == 1.25)
        #expect(read.level == .high && read.optionalLevel == .low && read.levels == [.low])
        #expect(read.tags == ["x"] && read.counts.isEmpty && read.optionals == [nil, 1])
    }

    @Test("Observers hear of a change, and of that property only")
    func observation() {
        let bird = Bird(id: "b")
        nonisolated(unsafe) var heard = 0
        withObservationTracking {
            _ = bird.weight
        } onChange: {
            heard += 1
        }
        bird.id = "c"
        #expect(heard == 0)
        bird.weight = 3
        #expect(heard == 1)
    }

    @Test("An actor has a context of its own")
    func modelActor() async throws {
        let container = try container(Album.self)
        try await Importer(modelContainer: container).add(["a", "b"])
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Album>()) == 2)
    }
}
