import Foundation
import Loam
import Observation
import Synchronization
import Testing

@Suite("Models and their identifiers")
struct IdentityTests {
    let container: ModelContainer

    init() throws {
        container = try memoryContainer(Country.self)
    }

    @Test("there is one object per identifier in a context")
    func oneObject() throws {
        let context = ModelContext(container)
        let city = City("Oslo")
        context.insert(city)
        let id = city.persistentModelID
        #expect(context.registeredModel(for: id) as City? === city)
        try context.save()
        #expect(city.persistentModelID == id)
        #expect(try context.fetch(FetchDescriptor<City>()).first === city)
        #expect(context.model(for: id) === city)
        #expect(ModelContext(container).registeredModel(for: id) as City? == nil)
    }

    @Test("an identifier can be encoded, and names the model in another context")
    func codable() throws {
        let context = ModelContext(container)
        let city = City("Oslo")
        context.insert(city)
        try context.save()
        let data = try JSONEncoder().encode(city.persistentModelID)
        let id = try JSONDecoder().decode(PersistentIdentifier.self, from: data)
        #expect(id == city.persistentModelID)
        #expect((ModelContext(container).model(for: id) as? City)?.name == "Oslo")
    }

    @Test("a model outside any context has an identifier of its own")
    func free() {
        let (left, right) = (City("A"), City("A"))
        #expect(left.persistentModelID != right.persistentModelID)
        #expect(left.persistentModelID.storeIdentifier == nil)
        #expect(left == left)
        #expect(left != right)
    }

    @Test("a deleted model can be read: its last values, or empty ones")
    func deleted() throws {
        let context = ModelContext(container)
        let city = City("Oslo", population: 5, country: Country(code: "no", name: "Norway"))
        context.insert(city)
        try context.save()
        let other = ModelContext(container)
        let read = try #require(other.model(for: city.persistentModelID) as? City)
        #expect(read.name == "Oslo")
        let third = ModelContext(container)
        let unread = try #require(third.model(for: city.persistentModelID) as? City)
        context.delete(city)
        #expect(city.isDeleted)
        try context.save()
        #expect(!city.isDeleted)
        #expect(city.modelContext == nil)
        #expect(city.name == "Oslo")
        #expect(read.population == 5)
        other.processPendingChanges()
        #expect(read.modelContext == nil)
        #expect(read.name == "Oslo")
        #expect(unread.name == "")
        #expect(unread.country == nil)
        third.processPendingChanges()
        #expect(unread.population == 5)
        #expect(unread.modelContext == nil)
    }

    @Test("an identifier that leads nowhere gives an empty model")
    func unknown() throws {
        let elsewhere = try memoryContainer(City.self)
        let context = ModelContext(elsewhere)
        let city = City("Oslo")
        context.insert(city)
        try context.save()
        let foreign = ModelContext(container).model(for: city.persistentModelID) as? City
        #expect(foreign?.name == "")
    }

    @Test("observers hear of a property that they read, also when another context changed it")
    func observation() throws {
        let context = ModelContext(container)
        let city = City("Oslo")
        context.insert(city)
        try context.save()
        let heard = Mutex(0)
        withObservationTracking {
            _ = city.name
        } onChange: {
            heard.withLock { $0 += 1 }
        }
        city.population = 5
        #expect(heard.withLock { $0 } == 0)
        city.name = "Kristiania"
        #expect(heard.withLock { $0 } == 1)
        try context.save()
        withObservationTracking {
            _ = city.name
        } onChange: {
            heard.withLock { $0 += 1 }
        }
        let other = ModelContext(container)
        (other.model(for: city.persistentModelID) as? City)?.name = "Oslo"
        try other.save()
        context.processPendingChanges()
        #expect(heard.withLock { $0 } == 2)
        #expect(city.name == "Oslo")
    }
}
