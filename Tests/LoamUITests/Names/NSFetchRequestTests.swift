import Testing

@testable import LoamUI

private enum Requests {
    /// Any thread may have it.
    static let middle: NSFetchRequest<Town> = {
        let request = NSFetchRequest<Town>()
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Town.people, ascending: true)]
        (request.fetchLimit, request.fetchOffset, request.fetchBatchSize) = (3, 2, 20)
        request.relationshipKeyPathsForPrefetching = []
        request.returnsObjectsAsFaults = false
        return request
    }()
}

private struct ContextView: View {
    @Environment(\.managedObjectContext) private var viewContext
    @FetchRequest(fetchRequest: Requests.middle) private var towns: FetchedResults<Town>

    var body: some View {
        Label(towns.map { "\($0.people)" }.joined(separator: " "))
        Press(name: "add") { viewContext.insert(Town("new", people: -1)) }
    }
}

@Suite("Requests under Core Data's name") @MainActor
struct NSFetchRequestTests {
    let container: ModelContainer
    var place: PropertyPlace { PropertyPlace(container.mainContext) }

    init() throws { container = try makeTowns(10) }

    @Test("Limit and offset hold after changes, in the context of the environment", .timeLimit(.minutes(30)))
    func limits() async throws {
        let context = container.viewContext
        let host = ViewHost { ContextView().environment(\.managedObjectContext, context) }
        #expect(host.texts == ["2 3 4"] && Requests.middle.entityName == "Town")
        host.press("add")
        while host.texts != ["1 2 3"] { await Task.yield() }
        let first = try #require(try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\Town.people)])).first)
        #expect(first.people == -1 && first.objectID == first.persistentModelID)
        context.delete(first)
        while host.texts != ["2 3 4"] { await Task.yield() }
        host.unmount()
        #expect(Requests.middle.fetchBatchSize == 20 && Requests.middle.returnsObjectsAsFaults == false)
        #expect(Requests.middle.relationshipKeyPathsForPrefetching == [])
    }

    @Test("Without a limit all are there; what a wrapper was made with stays as it was then")
    func laterChanges() {
        let source = NSFetchRequest<Town>(entityName: "Town")
        source.fetchLimit = 0
        source.predicate = NSPredicate(format: "people < 8")
        let request = FetchRequest(fetchRequest: source)
        (source.predicate, source.sortDescriptors) = (nil, nil)
        #expect(request.mounted(in: place).wrappedValue.count == 8)
        #expect(FetchRequest(fetchRequest: source).mounted(in: place).wrappedValue.count == 10)
        #expect(source.predicate == nil && source.sortDescriptors?.isEmpty == true)
    }

    @Test("Unsaved changes are left out where the request says so") func pendingChanges() {
        let source = NSFetchRequest<Town>(entityName: "Town")
        source.includesPendingChanges = false
        container.mainContext.insert(Town("new", people: 10))
        #expect(FetchRequest(fetchRequest: source).mounted(in: place).wrappedValue.count == 10)
        source.includesPendingChanges = true
        #expect(FetchRequest(fetchRequest: source).mounted(in: place).wrappedValue.count == 11)
    }

    @Test("A request for another entity, and one with another kind of results, are errors") func errors() {
        let village = FetchRequest(fetchRequest: NSFetchRequest<Town>(entityName: "Village")).mounted(in: place)
        #expect(village.wrappedValue.isEmpty && (village.fetchError as? SwiftDataError) == .unknownSchema)
        let source = NSFetchRequest<Town>(entityName: "Town")
        source.resultType = .managedObjectIDResultType
        #expect(FetchRequest(fetchRequest: source).mounted(in: place).fetchError is SwiftDataError)
        source.resultType = .managedObjectResultType
        #expect(FetchRequest(fetchRequest: source).mounted(in: place).fetchError == nil)
    }
}
