import Foundation
import Observation
import Testing

@testable import Loam

/// Others save after a context has looked at the store and before it writes; its notification marks that moment.
@Suite("What others save, and observers change, in the midst of a save")
struct InterleavingTests {
    let container: ModelContainer

    init() throws {
        container = try memoryContainer(Country.self)
    }

    private func insert(_ names: String..., into context: ModelContext) throws -> [City] {
        let cities = names.map { City($0, population: 1) }
        for city in cities { context.insert(city) }
        try context.save()
        return cities
    }

    /// Saves a context; another context saves a change just before the commit.
    private func save(_ context: ModelContext, after change: @escaping (ModelContext) throws -> Void) throws {
        nonisolated(unsafe) let change = change
        let container = container
        let observer = NotificationCenter.default.addObserver(
            forName: ModelContext.willSave, object: context, queue: nil
        ) { _ in
            let other = ModelContext(container)
            do {
                try change(other)
                try other.save()
            } catch {
                Issue.record(error)
            }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try context.save()
    }

    @Test("a row that a save has written again outlives the news of its deletion")
    func writtenAgain() throws {
        let context = ModelContext(container)
        context.mergePolicy = .memoryWins
        let city = try #require(insert("Oslo", into: context).first)
        let identifier = city.persistentModelID
        city.name = "Kristiania"
        try save(context) { other in
            if let theirs = other.model(for: identifier) as? City { other.delete(theirs) }
        }
        context.processPendingChanges()
        #expect(city.modelContext === context)
        city.population = 9
        try context.save()
        let stored = try ModelContext(container).fetch(FetchDescriptor<City>())
        #expect(stored.map(\.name) == ["Kristiania"])
        #expect(stored.map(\.population) == [9])
    }

    @Test("what an observer changes while its context saves is saved next")
    func observers() throws {
        let context = ModelContext(container)
        let cities = try insert("Oslo", "Bergen", into: context)
        let identifier = cities[0].persistentModelID
        nonisolated(unsafe) let bergen = cities[1]
        withObservationTracking {
            _ = cities[0].population
        } onChange: {
            bergen.population = 7
            bergen.name = "Bjørgvin"
        }
        cities[0].name = "Kristiania"
        bergen.name = "Bergen!"
        try save(context) { other in (other.model(for: identifier) as? City)?.population = 5 }
        #expect(cities[0].population == 5)
        #expect(bergen.population == 7)
        #expect(bergen.hasChanges)
        #expect(context.changedModelsArray.count == 1)
        try context.save()
        let stored = try ModelContext(container).fetch(FetchDescriptor<City>(sortBy: [SortDescriptor(\.name)]))
        #expect(stored.map(\.name) == ["Bjørgvin", "Kristiania"])
        #expect(stored.map(\.population) == [7, 5])
    }

    @Test(
        "a rollback shows what others have saved, in properties that were not set here too", arguments: [true, false])
    func rollback(storeWins: Bool) throws {
        let context = ModelContext(container)
        if storeWins { context.mergePolicy = .storeWins }
        let city = try #require(insert("Oslo", into: context).first)
        #expect(city.population == 1)
        city.name = "Kristiania"
        let other = ModelContext(container)
        let theirs = try #require(other.model(for: city.persistentModelID) as? City)
        theirs.population = 5
        theirs.name = "Christiania"
        try other.save()
        context.rollback()
        context.processPendingChanges()
        #expect(city.name == "Christiania")
        #expect(city.population == 5)
    }

    @Test("a rollback lets go of a model whose row is gone")
    func rollbackOfDeleted() throws {
        let context = ModelContext(container)
        let city = try #require(insert("Oslo", into: context).first)
        city.name = "Kristiania"
        let other = ModelContext(container)
        other.delete(try #require(other.model(for: city.persistentModelID) as? City))
        try other.save()
        context.rollback()
        #expect(city.modelContext == nil)
        #expect(city.name == "Oslo")
        #expect(city.population == 1)
    }
}
