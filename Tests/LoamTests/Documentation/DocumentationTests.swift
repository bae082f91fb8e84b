import Foundation
import Loam
import Testing

@Suite("Models of SwiftData's documentation")
struct DocumentationTests {
    private func container(_ types: any PersistentModel.Type...) throws -> ModelContainer {
        try ModelContainer(
            for: Schema(types),
            configurations: ModelConfiguration(UUID().uuidString, isStoredInMemoryOnly: true))
    }

    @Test("Categories and their animals come back, and go together")
    func animals() throws {
        let container = try container(Animal.self)
        let context = ModelContext(container)
        let mammal = AnimalCategory(name: "Mammal")
        let dog = Animal(name: "Dog", diet: .carnivorous)
        context.insert(mammal)
        context.insert(dog)
        dog.category = mammal
        mammal.animals.append(Animal(name: "Sloth", diet: .herbivorous))
        try context.save()

        let other = ModelContext(container)
        let animals = try other.fetch(FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)]))
        #expect(animals.map(\.name) == ["Dog", "Sloth"])
        #expect(animals.map(\.diet) == [.carnivorous, .herbivorous])
        #expect(animals.map { $0.category?.name } == ["Mammal", "Mammal"])
        let category = try #require(animals.first?.category)
        other.delete(category)
        try other.save()
        #expect(try other.fetchCount(FetchDescriptor<Animal>()) == 0)
    }

    @Test("A quake with a known code updates the stored one, and keeps its composite value")
    func quakes() throws {
        let container = try container(Quake.self)
        let context = ModelContext(container)
        func quake(_ magnitude: Double, _ place: String) -> Quake {
            Quake(code: "q1", magnitude: magnitude, time: .now, name: place, longitude: 1.5, latitude: -2)
        }
        context.insert(quake(3, "Oslo"))
        try context.save()
        let other = ModelContext(container)
        other.insert(quake(4, "Bergen"))
        try other.save()
        let fresh = ModelContext(container)
        let quakes = try fresh.fetch(FetchDescriptor<Quake>())
        #expect(quakes.map(\.description) == ["q1: 4.0 at Bergen"])
        #expect(quakes.map(\.location.latitude) == [-2])
    }

    @Test("A transient property has its default value in another context")
    func images() throws {
        let container = try container(RemoteImage.self)
        let context = ModelContext(container)
        let url = try #require(URL(string: "https://example.org/a.png"))
        let image = RemoteImage(sourceURL: url, data: Data(repeating: 7, count: 100_000))
        image.isDownloading = true
        context.insert(image)
        try context.save()
        let other = ModelContext(container)
        let stored = try #require(try other.fetch(FetchDescriptor<RemoteImage>()).first)
        #expect(stored.sourceURL == url)
        #expect(stored.data == Data(repeating: 7, count: 100_000))
        #expect(!stored.isDownloading)
        #expect(image.isDownloading)
    }

    @Test("Trips have the indexes and constraints that they declare, and lead to the rest of the schema")
    func trips() throws {
        let schema = Schema([Trip.self])
        #expect(schema.entities.map(\.name) == ["BucketListItem", "LivingAccommodation", "Trip"])
        let trip = try #require(schema.entity(for: Trip.self))
        #expect(trip.indices == [["name"], ["startDate"], ["endDate"], ["name", "startDate", "endDate"]])
        #expect(trip.uniquenessConstraints == [["name", "startDate", "endDate"]])
        #expect(trip.attributesByName["name"]?.originalName == "title")
        #expect(trip.attributes.map(\.name) == ["name", "destination", "startDate", "endDate"])
        #expect(trip.relationships.map(\.name) == ["bucketList", "livingAccommodation"])
        #expect(trip.relationshipsByName["bucketList"]?.deleteRule == .cascade)
    }

    @Test("Default values without a written type are stored")
    func recipes() throws {
        let container = try container(Recipe.self)
        let context = ModelContext(container)
        let recipe = Recipe(name: "Soup")
        recipe.ingredients.append("Water")
        recipe.steps["boil"] = 1
        context.insert(recipe)
        try context.save()
        let other = ModelContext(container)
        let stored = try #require(try other.fetch(FetchDescriptor<Recipe>()).first)
        #expect(stored.id == recipe.id)
        #expect(stored.created == recipe.created)
        #expect(stored.ingredients == ["Water"])
        #expect(stored.steps == ["boil": 1])
        #expect(stored.rating == nil)
        #expect(stored.source == nil)
    }
}
