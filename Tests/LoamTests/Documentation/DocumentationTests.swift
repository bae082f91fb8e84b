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
        #expect(Set(trip.attributes.map(\.name)) == ["name", "destination", "startDate", "endDate"])
        #expect(trip.properties.filter(\.isAttribute).map(\.name) == ["name", "destination", "startDate", "endDate"])
        #expect(trip.properties.filter(\.isRelationship).map(\.name) == ["bucketList", "livingAccommodation"])
        #expect(Set(trip.relationships.map(\.name)) == ["bucketList", "livingAccommodation"])
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

    @Test("Quakes that a server sent are found by day and place, and by their identifiers")
    func search() throws {
        let container = try container(Quake.self)
        let context = ModelContext(container)
        let day = Date(timeIntervalSince1970: 1_700_000_000)
        for (number, place) in ["Oslo", "Bergen", "Oslofjord", "Oslo"].enumerated() {
            let time = day.addingTimeInterval(number == 3 ? 200_000 : Double(number))
            let quake = Quake(
                from: Quake.Feature(
                    mag: Double(number), place: place, time: time, code: "q\(number)", coordinates: [1, 2]))
            if quake.magnitude >= 0 { context.insert(quake) }
        }
        func codes(_ text: String) throws -> [String] {
            let predicate = Quake.predicate(searchText: text, searchDate: day)
            let order = [SortDescriptor(\Quake.magnitude, order: .reverse)]
            return try context.fetch(FetchDescriptor(predicate: predicate, sortBy: order)).map(\.code)
        }
        #expect(try codes("") == ["q2", "q1", "q0"])
        #expect(try codes("Oslo") == ["q2", "q0"])
        try context.save()
        #expect(try codes("Oslo") == ["q2", "q0"])
        let quakes = try context.fetch(FetchDescriptor<Quake>())
        let selected: Quake.ID? = quakes.last?.id
        #expect(quakes[selected]?.code == quakes.last?.code)
        #expect(quakes[nil] == nil)
    }

    @Test("Fetches are described in place, and predicates made of others")
    @MainActor func descriptors() throws {
        let container = try container(Trip.self, BucketListItem.self)
        let context = container.mainContext
        for day in 0..<5 {
            let trip = Trip(
                name: "Trip \(day)", destination: day % 2 == 0 ? "Oslo" : "Rome",
                startDate: Date.now.addingTimeInterval(Double(day - 1) * 86_400 + 60))
            context.insert(trip)
            #expect(trip.destinationWeather.degrees() == 21)
        }
        var upcoming = FetchDescriptor<Trip>(
            predicate: #Predicate { $0.startDate > Date.now },
            sortBy: [
                .init(\.startDate)
            ])
        upcoming.fetchLimit = 3
        upcoming.includePendingChanges = true
        #expect(try context.fetch(upcoming).map(\.name) == ["Trip 1", "Trip 2", "Trip 3"])

        let searchText = "ro"
        let search = #Predicate<Trip> {
            searchText.isEmpty
                ? true
                : $0.name.localizedStandardContains(searchText)
                    || $0.destination.localizedStandardContains(searchText)
        }
        let other = #Predicate<Trip> { $0.name != "Trip 1" }
        let both = #Predicate<Trip> { other.evaluate($0) && search.evaluate($0) }
        #expect(try context.fetch(FetchDescriptor(predicate: both)).map(\.name) == ["Trip 3"])

        try context.delete(model: Trip.self, where: #Predicate { $0.destination == "Rome" })
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 3)
    }

    @Test("Models of several versions stand side by side, and a store goes from one to the next")
    func versions() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = ModelConfiguration(
            url: folder.appendingPathComponent("notes.loam"), cloudKitDatabase: .none)
        do {
            let container = try ModelContainer(
                for: Schema(versionedSchema: NotesV1.self), configurations: [configuration])
            let context = ModelContext(container)
            context.insert(NotesV1.Note(title: "first"))
            try context.save()
        }
        let schema = Schema(versionedSchema: NotesV2.self)
        #expect(schema.version == Schema.Version(2, 0, 0))
        let container = try ModelContainer(
            for: schema, migrationPlan: NotesPlan.self, configurations: [configuration])
        let context = ModelContext(container)
        let note = try #require(try context.fetch(FetchDescriptor<Note>()).first)
        #expect(note.title == "first")
        #expect(!note.isPinned)
        note.folder = NotesV2.Folder(name: "all")
        // The flag is the application's own, which the library does not read.
        note.isDeleted = true
        try context.save()
        let deleted = FetchDescriptor<Note>(predicate: #Predicate { $0.isDeleted && $0.folder?.name == "all" })
        #expect(try ModelContext(container).fetch(deleted).map(\.title) == ["first"])
    }

    @Test("What needs services of other systems, or a plan's custom stages, says so")
    func refusals() throws {
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [NotesV1.self, NotesV2.self] }
            static var stages: [MigrationStage] {
                [.custom(fromVersion: NotesV1.self, toVersion: NotesV2.self, willMigrate: nil, didMigrate: nil)]
            }
        }
        let mirrored = ModelConfiguration(isStoredInMemoryOnly: true, cloudKitDatabase: .private("iCloud.notes"))
        #expect(throws: SwiftDataError.loadIssueModelContainer) {
            try ModelContainer(for: Note.self, configurations: mirrored)
        }
        #expect(throws: SwiftDataError.loadIssueModelContainer) {
            try ModelContainer(
                for: Schema(versionedSchema: NotesV2.self), migrationPlan: Plan.self,
                configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        }
        let group = ModelConfiguration("notes", groupContainer: .identifier("group.notes"))
        #expect(group.url.pathComponents.suffix(2) == ["group.notes", "notes.loam"])
    }

    @Test("Containers in memory without a name have a store each")
    func unnamed() throws {
        let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        let first = try ModelContainer(for: Item.self, configurations: configuration)
        let second = try ModelContainer(for: Item.self, configurations: configuration)
        let context = ModelContext(first)
        context.insert(Item(timestamp: .now))
        try context.save()
        #expect(try ModelContext(first).fetchCount(FetchDescriptor<Item>()) == 1)
        #expect(try ModelContext(second).fetchCount(FetchDescriptor<Item>()) == 0)
        first.deleteAllData()
        #expect(try ModelContext(first).fetchCount(FetchDescriptor<Item>()) == 0)
    }
}
