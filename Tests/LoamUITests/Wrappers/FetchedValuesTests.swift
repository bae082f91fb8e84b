import Testing

@testable import LoamUI

private struct Values: View {
    static let names: NSFetchRequest<[String: Any]> = {
        let request = NSFetchRequest<[String: Any]>(entityName: "Town")
        request.predicate = NSPredicate(format: "people < 3")
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Town.people, ascending: true)]
        request.propertiesToFetch = ["name", "founded"]
        request.resultType = .dictionaryResultType
        return request
    }()

    @FetchRequest(fetchRequest: Values.names) private var names: FetchedResults<[String: Any]>
    @FetchRequest(
        entity: Town.entity(), sortDescriptors: [NSSortDescriptor(keyPath: \Town.people, ascending: false)],
        predicate: NSPredicate(format: "people < 3"))
    private var identifiers: FetchedResults<PersistentIdentifier>

    var body: some View {
        ForEach(identifiers, id: \.self) { Label($0.entityName) }
        ForEach(names.indices, id: \.self) { Label("\(names[$0]["name"] ?? "none") \(names[$0].count)") }
    }
}

@Suite("Results of fetch requests that are no models") @MainActor
struct FetchedValuesTests {
    let container: ModelContainer
    var place: PropertyPlace { PropertyPlace(container.mainContext) }

    init() throws { container = try makeTowns(1_000) }

    @Test("are followed as models are, with values that change in their place", .timeLimit(.minutes(30)))
    func following() async throws {
        let context = container.mainContext
        let host = ViewHost { Values().modelContainer(container) }
        #expect(host.texts == ["Town", "Town", "Town", "00000 1", "00001 1", "00002 1"])
        let town = try #require(
            try context.fetch(FetchDescriptor(predicate: #Predicate<Town> { $0.people == 1 })).first)
        town.name = "Ulm"
        while host.isRenderPending { await Task.yield() }
        #expect(host.texts.dropFirst(3) == ["00000 1", "Ulm 1", "00002 1"])
        town.founded = Date(timeIntervalSince1970: 0)
        context.insert(Town("new", people: -1))
        while host.texts.count < 8 { await Task.yield() }
        #expect(host.texts == ["Town", "Town", "Town", "Town", "new 1", "00000 1", "Ulm 2", "00002 1"])
    }

    @Test("are identifiers for which no record is read, in the order that is set")
    func identifiers() throws {
        let request = FetchRequest<PersistentIdentifier>(
            fetchRequest: NSFetchRequest(entityName: "Town")
        ).mounted(in: PropertyPlace(ModelContext(container)))
        let towns = try container.mainContext.fetch(FetchDescriptor<Town>(sortBy: [SortDescriptor(\.people)]))
        #expect(request.wrappedValue.count == 1_000 && request.core.readCount == 0)
        #expect(request.wrappedValue.last?.entityName == "Town" && request.core.readCount == 0)
        request.wrappedValue.nsSortDescriptors = [NSSortDescriptor(key: "people", ascending: true)]
        request.projectedValue.nsPredicate.wrappedValue = NSPredicate(format: "people >= 998")
        #expect(Array(request.wrappedValue) == towns.suffix(2).map(\.persistentModelID))
        #expect(request.wrappedValue.identifiers == Array(request.wrappedValue) && request.core.fetchCount == 2)
    }

    @Test("have all attributes by themselves, as Foundation's dictionaries too")
    func dictionaries() throws {
        let asked = NSFetchRequest<NSDictionary>(entityName: "Town")
        asked.sortDescriptors = [NSSortDescriptor(key: "people", ascending: false)]
        let request = FetchRequest(fetchRequest: asked, animation: .default).mounted(in: place)
        let first = try #require(request.wrappedValue.first)
        #expect(first["name"] as? String == "00999" && first["people"] as? Int == 999 && first.count == 3)
    }

    @Test("are errors where entity, property or kind are not there")
    func errors() throws {
        let unknown = FetchRequest(fetchRequest: NSFetchRequest<[String: Any]>(entityName: "Village"))
            .mounted(in: place)
        #expect(unknown.wrappedValue.isEmpty && (unknown.fetchError as? SwiftDataError) == .unknownSchema)
        let property = NSFetchRequest<[String: Any]>(entityName: "Town")
        property.propertiesToFetch = ["size"]
        let misnamed = FetchRequest(fetchRequest: property).mounted(in: place)
        #expect((misnamed.fetchError as? SwiftDataError) == .unsupportedKeyPath)
        let kind = NSFetchRequest<PersistentIdentifier>(entityName: "Town")
        kind.resultType = .dictionaryResultType
        let mistaken = FetchRequest(fetchRequest: kind).mounted(in: place)
        #expect(mistaken.wrappedValue.isEmpty && mistaken.fetchError is SwiftDataError)
        let homeless = FetchRequest(fetchRequest: NSFetchRequest<[String: Any]>(entityName: "Town"))
            .mounted(in: PropertyPlace(nil))
        #expect(homeless.wrappedValue.isEmpty && (homeless.fetchError as? SwiftDataError) == .missingModelContext)
    }

    @Test("are of the properties and the entity that the newest request names, and keep what was set until then")
    func newRequests() throws {
        func ask(_ entity: String, _ properties: [String]) -> GivenFetch<[String: Any]> {
            let asked = NSFetchRequest<[String: Any]>(entityName: entity)
            (asked.predicate, asked.propertiesToFetch) = (NSPredicate(format: "people == 7"), properties)
            return GivenFetch(asked)
        }
        let context = container.mainContext
        let core = FetchRequestCore(ask("Town", ["name"]))
        core.settings.nsPredicate = NSPredicate(format: "people == 8")
        core.update(to: ask("Town", ["name"]), in: context)
        #expect(core.value.map { $0["name"] as? String } == ["00008"] && core.fetchCount == 1)
        core.update(to: ask("Town", ["name", "people"]), in: context)
        #expect(core.value.map { $0["people"] as? Int } == [7] && core.value.first?.count == 2)
        core.update(to: ask("Village", ["name"]), in: context)
        #expect(core.value.count == 1 && (core.fetchError as? SwiftDataError) == .unknownSchema)
        core.settings.nsPredicate = NSPredicate(format: "people == 9")
        core.update(to: ask("Town", ["land"]), in: context)
        #expect(core.value.map { $0["land"] as? String } == ["B"] && core.fetchError == nil)
        core.settings.nsPredicate = NSPredicate(format: "people == 9")
        core.stop(because: SwiftDataError.missingModelContext)
        #expect(core.value.isEmpty && (core.fetchError as? SwiftDataError) == .missingModelContext)
        core.update(to: ask("Town", ["land"]), in: context)
        #expect(core.value.map { $0["land"] as? String } == ["A"] && core.fetchError == nil)
        core.update(to: ask("Town", ["land"]), in: try makeTowns(8).mainContext)
        #expect(core.value.isEmpty && core.fetchError == nil)
        core.update(to: ask("Town", ["land"]), in: try makeTowns(10).mainContext)
        #expect(core.value.map { $0["land"] as? String } == ["A"])
    }
}
