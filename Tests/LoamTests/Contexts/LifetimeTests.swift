import Foundation
import Testing

@testable import Loam

@Suite("How long objects live")
struct LifetimeTests {
    let container: ModelContainer

    init() throws {
        container = try memoryContainer(Country.self)
        let context = ModelContext(container)
        for number in 0..<50 { context.insert(City("City \(number)", population: number)) }
        try context.save()
    }

    private func cities(_ context: ModelContext) throws -> [City] {
        try context.fetch(FetchDescriptor<City>(sortBy: [SortDescriptor(\.population)]))
    }

    @Test("an object dies when it is released, and the context forgets it")
    func released() throws {
        let context = ModelContext(container)
        var cities = try cities(context)
        #expect(context.identities.count == 50)
        weak let first = cities.first
        let identifier = try #require(first?.persistentModelID)
        #expect(first != nil)
        cities.removeFirst()
        #expect(first == nil)
        #expect(context.identities.count == 49)
        #expect(context.registeredModel(for: identifier) as City? == nil)
        let again = try #require(context.model(for: identifier) as? City)
        #expect(again.name == "City 0")
        cities = []
        #expect(context.identities.count == 1)
    }

    @Test("a model without changes keeps its context, and both go together")
    func keepsContext() throws {
        var context: ModelContext? = ModelContext(container)
        weak let kept = context
        var city = try context.map { try cities($0) }?.last
        context = nil
        #expect(kept != nil)
        #expect(city?.name == "City 49")
        #expect(city?.modelContext === kept)
        city = nil
        #expect(kept == nil)
    }

    @Test("a context keeps models with changes, and is not kept by them")
    func keepsChanges() throws {
        var context: ModelContext? = ModelContext(container)
        weak let kept = context
        weak let changed = try context.flatMap { try cities($0).first }
        #expect(changed == nil)
        var city = try context.flatMap { try cities($0).first }
        weak let same = city
        city?.name = "Changed"
        city = nil
        #expect(same?.name == "Changed")
        try context?.save()
        #expect(same == nil)
        city = try context.flatMap { try cities($0).first }
        city?.name = "Changed again"
        context = nil
        #expect(kept == nil)
        #expect(city?.name == "Changed again")
        #expect(city?.modelContext == nil)
    }

    @Test("a model that alone keeps its context may let go of it by a relationship")
    func relatedLast() throws {
        let writer = ModelContext(container)
        writer.insert(City("Oslo", country: Country(code: "no", name: "Norway")))
        try writer.save()
        let city = try #require(
            try ModelContext(container).fetch(FetchDescriptor<City>(predicate: #Predicate { $0.name == "Oslo" })).first)
        #expect(city.country?.name == "Norway")
        city.country = nil
        #expect(city.modelContext == nil)
        #expect(city.name == "Oslo")
    }

    @Test("a model that was deleted and inserted again keeps its context, and both go together")
    func takenBack() throws {
        var context: ModelContext? = ModelContext(container)
        weak let kept = context
        context?.insert(City("New"))
        var city = try context.flatMap { try cities($0).first { $0.name == "City 7" } }
        city.map { context?.delete($0) }
        city.map { context?.insert($0) }
        #expect(city?.hasChanges == false)
        city = nil
        context = nil
        #expect(kept == nil)
    }

    @Test("models that were inserted or deleted leave the identity map with their row")
    func insertedAndDeleted() throws {
        let context = ModelContext(container)
        var city: City? = City("New")
        city.map(context.insert)
        #expect(context.identities.count == 1)
        context.rollback()
        #expect(context.identities.count == 0)
        city.map(context.insert)
        try context.save()
        #expect(context.identities.count == 1)
        city.map(context.delete)
        try context.save()
        #expect(context.identities.count == 0)
        city = nil
        #expect(try context.fetchCount(FetchDescriptor<City>()) == 50)
    }

    @Test("objects that another thread releases while the context fetches their rows are found whole or made anew")
    func releasedElsewhere() throws {
        let context = ModelContext(container)
        let names = try cities(context).map(\.name)
        let elsewhere = DispatchQueue(label: "elsewhere")
        for round in 0..<400 {
            let box = Box(try cities(context))
            elsewhere.async { box.empty() }
            for _ in 0..<4 {
                let again = try cities(context)
                #expect(again.map(\.name) == names)
                #expect(Set(again.map(ObjectIdentifier.init)).count == names.count)
                if round % 2 == 0 {
                    let known = again.compactMap { context.registeredModel(for: $0.persistentModelID) as City? }
                    #expect(known.map(ObjectIdentifier.init) == again.map(ObjectIdentifier.init))
                }
            }
        }
        elsewhere.sync {}
        #expect(context.identities.count == 0)
    }
}

/// Takes models to another thread, which only lets go of them. That thread empties it, and nobody else uses it.
private final class Box: @unchecked Sendable {
    private var models: [City]

    init(_ models: [City]) { self.models = models }

    func empty() { models = [] }
}
