import Foundation
import Loam
import Testing

@Suite("The life of a context")
struct LifecycleTests {
    let container: ModelContainer

    init() throws {
        container = try memoryContainer(Country.self)
    }

    @Test("a fetch shows unsaved changes, in order, under limit and offset; a fetch without them does not")
    func pendingChanges() throws {
        let context = ModelContext(container)
        for index in 0..<6 { context.insert(City("City \(index)", population: index)) }
        try context.save()
        let cities = try context.fetch(FetchDescriptor<City>(sortBy: [SortDescriptor(\.population)]))
        cities[0].population = 10
        context.delete(cities[1])
        context.insert(City("New", population: 3))
        var descriptor = FetchDescriptor<City>(sortBy: [SortDescriptor(\.population)])
        #expect(try context.fetch(descriptor).map(\.population) == [2, 3, 3, 4, 5, 10])
        #expect(try context.fetchCount(descriptor) == 6)
        descriptor.fetchOffset = 1
        descriptor.fetchLimit = 3
        #expect(try context.fetch(descriptor).map(\.name) == ["City 3", "New", "City 4"])
        #expect(try context.fetchIdentifiers(descriptor).count == 3)
        descriptor = FetchDescriptor()
        descriptor.includePendingChanges = false
        #expect(try context.fetchCount(descriptor) == 6)
        #expect(try context.fetchIdentifiers(descriptor).contains(cities[1].persistentModelID))
    }

    @Test("enumerates in batches, and refuses changes that nobody allowed")
    func enumerate() throws {
        let context = ModelContext(container)
        for index in 0..<25 { context.insert(City("City \(index)", population: index)) }
        try context.save()
        let other = ModelContext(container)
        let descriptor = FetchDescriptor<City>(sortBy: [SortDescriptor(\.population)])
        var seen: [Int] = []
        try other.enumerate(descriptor, batchSize: 10) { seen.append($0.population) }
        #expect(seen == Array(0..<25))
        #expect(throws: SwiftDataError.modelValidationFailure) {
            try other.enumerate(descriptor) { $0.population += 1 }
        }
        other.rollback()
        try other.enumerate(descriptor, batchSize: 10, allowEscapingMutations: true) { $0.population += 1 }
        try other.save()
        #expect(try ModelContext(container).fetch(descriptor).map(\.population) == Array(1...25))
    }

    @Test("fetches in batches, with unsaved changes, in the order of the fetch")
    func batches() throws {
        let context = ModelContext(container)
        for index in 0..<25 { context.insert(City("City \(index)", population: index)) }
        try context.save()
        let other = ModelContext(container)
        other.insert(City("New", population: -1))
        let descriptor = FetchDescriptor<City>(sortBy: [SortDescriptor(\.population)])
        let cities = try other.fetch(descriptor, batchSize: 10)
        #expect(cities.map(\.population) == Array(-1..<25))
        #expect(cities.reversed().map(\.population) == (-1..<25).reversed())
        #expect(cities[12] === cities[12])
        let identifiers = try other.fetchIdentifiers(descriptor, batchSize: 10)
        #expect(Array(identifiers) == cities.map(\.persistentModelID))
        #expect(cities.index(of: identifiers[7]) == 7)
    }

    @Test("the deletion of another context's model is refused, and nothing is lost")
    func foreignDeletion() throws {
        let (first, second) = (ModelContext(container), ModelContext(container))
        let city = City("Oslo")
        second.delete(city)
        try second.save()
        first.insert(city)
        second.delete(city)
        #expect(throws: SwiftDataError.modelValidationFailure) { try second.save() }
        try first.save()
        #expect(try second.fetchCount(FetchDescriptor<City>()) == 1)
    }

    @Test("saves after a transaction, and not when it throws")
    func transaction() throws {
        struct Refused: Error {}
        let context = ModelContext(container)
        try context.transaction { context.insert(City("Kept")) }
        #expect(!context.hasChanges)
        #expect(throws: Refused.self) {
            try context.transaction {
                context.insert(City("Lost"))
                throw Refused()
            }
        }
        #expect(context.hasChanges)
        #expect(try ModelContext(container).fetch(FetchDescriptor<City>()).map(\.name) == ["Kept"])
    }

    @Test("a model that was inserted and deleted again is not stored")
    func discarded() throws {
        let context = ModelContext(container)
        let city = City("Gone")
        context.insert(city)
        context.delete(city)
        #expect(!context.hasChanges)
        #expect(city.modelContext == nil)
        #expect(city.name == "Gone")
        context.insert(city)
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<City>()) == 1)
    }

    @Test("a model of another context is refused, and nothing is lost")
    func foreignModel() throws {
        let (first, second) = (ModelContext(container), ModelContext(container))
        let city = City("Oslo")
        first.insert(city)
        second.insert(city)
        #expect(throws: SwiftDataError.modelValidationFailure) { try second.save() }
        try first.save()
        #expect(city.modelContext === first)
    }

    @Test("the main actor's context saves by itself, and hears of others' saves")
    @MainActor func mainContext() async throws {
        let context = container.mainContext
        #expect(context === container.mainContext)
        #expect(context.autosaveEnabled)
        let city = City("Oslo")
        context.insert(city)
        for _ in 0..<1_000 where context.hasChanges { await Task.yield() }
        #expect(!context.hasChanges)
        let other = ModelContext(container)
        (other.model(for: city.persistentModelID) as? City)?.name = "Kristiania"
        try other.save()
        for _ in 0..<1_000 where city.name == "Oslo" { await Task.yield() }
        #expect(city.name == "Kristiania")
    }

    @Test(
        "a container and its main context go when nobody holds them, and either keeps what it needs of the other",
        .timeLimit(.minutes(30)))
    @MainActor func mainContextAndContainer() async throws {
        weak var weakContainer: ModelContainer?
        weak var weakContext: ModelContext?
        do {
            let container = try memoryContainer(Country.self)
            let context = container.mainContext
            (weakContainer, weakContext) = (container, context)
            #expect(context.container == container)
            #expect(context.container.mainContext === context)
            #expect(ModelContext(container).container == context.container)
            context.insert(City("Oslo"))
            try context.save()
        }
        // What is to be saved by itself keeps the context until changes have paused.
        while weakContext != nil { await Task.yield() }
        #expect(weakContainer == nil)
        #expect(weakContext == nil)
        let context = try memoryContainer(Country.self).mainContext
        context.insert(City("Oslo"))
        try context.save()
        #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<City>()) == 1)
        #expect(context.container.mainContext === context)
    }

    @Test("a model actor has a context of its own, on a queue of its own")
    func modelActor() async throws {
        let importer = CityImporter(modelContainer: container)
        let id = try await importer.add("Oslo")
        #expect(try await importer.name(of: id) == "Oslo")
        #expect(try ModelContext(container).fetch(FetchDescriptor<City>()).map(\.name) == ["Oslo"])
    }

    @Test("an object can be read as long as somebody holds it, whatever becomes of the variable that held its context")
    func keptContext() throws {
        let first = ModelContext(container)
        first.insert(City("Oslo", country: Country(code: "no", name: "Norway")))
        try first.save()
        let city = try #require(try ModelContext(container).fetch(FetchDescriptor<City>()).first)
        #expect(city.country?.cities.first === city)
    }

    @Test("a context that sleeps through more than it can keep is brought up to date all the same")
    func sleeper() throws {
        let sleeper = ModelContext(container)
        for index in 0..<3 { sleeper.insert(City("City \(index)", population: index)) }
        try sleeper.save()
        let cities = try sleeper.fetch(FetchDescriptor<City>(sortBy: [SortDescriptor(\.population)]))
        #expect(cities.map(\.name) == ["City 0", "City 1", "City 2"])
        cities[2].population = 9
        let writer = ModelContext(container)
        let written = try writer.fetch(FetchDescriptor<City>(sortBy: [SortDescriptor(\.population)]))
        written[0].name = "Changed"
        writer.delete(written[1])
        try writer.save()
        for index in 0..<70_000 { writer.insert(Tag("\(index)")) }
        try writer.save()
        #expect(cities.map(\.name) == ["City 0", "City 1", "City 2"])
        sleeper.processPendingChanges()
        #expect(cities[0].name == "Changed")
        #expect(cities[1].modelContext == nil)
        #expect(cities[2].population == 9)
        try sleeper.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<City>()) == 2)
    }

    @Test("a context goes with its last holder, also when it has changes")
    func noCycle() throws {
        weak var weakContext: ModelContext?
        do {
            let context = ModelContext(container)
            context.insert(City("Oslo"))
            try context.save()
            let city = try #require(try context.fetch(FetchDescriptor<City>()).first)
            city.name = "Changed"
            context.insert(City("New", country: Country(code: "no", name: "Norway")))
            weakContext = context
        }
        #expect(weakContext == nil)
    }

    @Test("a context goes after it has stored related models")
    func noCycleThroughRelated() throws {
        weak var weakContext: ModelContext?
        do {
            let context = ModelContext(container)
            let country = Country(code: "no", name: "Norway")
            context.insert(country)
            context.insert(City("Oslo", country: country))
            try context.save()
            weakContext = context
        }
        #expect(weakContext == nil)
    }
}

@ModelActor actor CityImporter {
    func add(_ name: String) throws -> PersistentIdentifier {
        let city = City(name)
        modelContext.insert(city)
        try modelContext.save()
        return city.persistentModelID
    }

    func name(of id: PersistentIdentifier) throws -> String? { self[id, as: City.self]?.name }
}
