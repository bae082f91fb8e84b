import Testing

@testable import LoamUI

@Suite("Fetch requests with the storage of a view") @MainActor
struct FetchRequestTests {
    let container: ModelContainer
    var place: PropertyPlace { PropertyPlace(container.mainContext) }

    init() throws { container = try makeTowns() }

    /// Declarations as people write them.
    @MainActor struct Declared {
        @FetchRequest(sortDescriptors: [SortDescriptor(\.name, order: .forward)]) var sorted: FetchedResults<Town>
        @FetchRequest var plain: FetchedResults<Town>
        @FetchRequest(
            sortDescriptors: [NSSortDescriptor(keyPath: \Town.founded, ascending: true)], predicate: nil,
            animation: .default)
        var items: FetchedResults<Town>
        @SectionedFetchRequest<String, Town>(
            sectionIdentifier: \.initial, sortDescriptors: [SortDescriptor(\.people, order: .reverse)])
        var initials: SectionedFetchResults<String, Town>

        /// As the host has it before its body.
        func mounted(in context: ModelContext) -> Self {
            var view = self
            view._sorted.mount(in: PropertyPlace(context))
            view._plain.mount(in: PropertyPlace(context))
            view._items.mount(in: PropertyPlace(context))
            view._initials.mount(in: PropertyPlace(context))
            return view
        }
    }

    @Test("Every form of a fetch request gives its models") func forms() {
        let declared = Declared().mounted(in: container.mainContext)
        #expect(declared.sorted.count == 1000)
        #expect(declared.plain.count == 1000)
        #expect(declared.items.count == 1000)
        #expect(declared.initials.map(\.id) == ["0"])
    }

    @Test("Several settings of a fetch request in a turn are one fetch; a limit holds")
    func fetchRequest() async throws {
        let source = NSFetchRequest<Town>(entityName: "Town")
        source.fetchLimit = 3
        let request = FetchRequest(fetchRequest: source).mounted(in: place)
        #expect(request.wrappedValue.map(\.people) == [0, 1, 2])
        request.wrappedValue.nsPredicate = NSPredicate(format: "people > %@", 900)
        request.wrappedValue.sortDescriptors = [SortDescriptor(\.people, order: .reverse)]
        request.projectedValue.nsPredicate.wrappedValue = NSPredicate(format: "people < %@", 900)
        #expect(request.wrappedValue.map(\.people) == [899, 898, 897] && request.core.fetchCount == 2)
        #expect(request.wrappedValue.sortDescriptors == [SortDescriptor(\.people, order: .reverse)])
        var differences = request.wrappedValue.makeDifferences().makeAsyncIterator()
        request.wrappedValue[0].people = 0
        let difference = await differences.next()
        #expect(difference?.deletions.count == 1 && difference?.insertions.count == 1)
        #expect(request.wrappedValue.map(\.people) == [898, 897, 896])
    }

    @Test("A format that cannot be read, and a variable without a value, show in the error, with the last rows kept")
    func formatErrors() {
        let request = FetchRequest<Town>(sortDescriptors: [], predicate: NSPredicate(format: "people < 4"))
            .mounted(in: place)
        #expect(request.wrappedValue.count == 4)
        request.wrappedValue.nsPredicate = NSPredicate(format: "people <")
        #expect(request.wrappedValue.count == 4 && request.fetchError is SwiftDataError)
        request.wrappedValue.nsPredicate = NSPredicate(format: "people < $most")
        #expect(request.wrappedValue.count == 4 && request.wrappedValue.fetchError is SwiftDataError)
        request.wrappedValue.nsPredicate = nil
        #expect(request.wrappedValue.count == 1000 && request.fetchError == nil)
    }

    @Test("Sections by a computed property read it once for each model and change, in the order of first models")
    func computedSections() async throws {
        let request = SectionedFetchRequest<String, Town>(
            sectionIdentifier: \.initial, sortDescriptors: [SortDescriptor(\.people, order: .reverse)]
        ).mounted(in: place)
        #expect(request.wrappedValue.map(\.id) == ["0"] && request.groups.readCount == 1000)
        let town = try #require(request.wrappedValue.first?.first)
        town.name = "Zürich"
        #expect(request.wrappedValue.map(\.id) == ["Z", "0"] && request.groups.readCount == 1001)
        try container.mainContext.save()
        #expect(request.wrappedValue.map(\.count) == [1, 999] && request.groups.readCount == 1001)
    }

    @Test("Another property, predicate and order are set in place, through the results and the binding")
    func sectionSettings() {
        let request = SectionedFetchRequest(
            entity: Town.entity(), sectionIdentifier: \Town.land,
            sortDescriptors: [
                .init(keyPath: \Town.land, ascending: false), .init(keyPath: \Town.people, ascending: true),
            ]
        ).mounted(in: place)
        #expect(request.wrappedValue.map(\.id) == ["B", "A"])
        request.projectedValue.nsPredicate.wrappedValue = NSPredicate(format: "people < 6")
        #expect(request.wrappedValue.map { $0.map(\.people) } == [[1, 2, 4, 5], [0, 3]])
        request.wrappedValue.sectionIdentifier = \.name
        #expect(request.wrappedValue.count == 6)
    }
}
