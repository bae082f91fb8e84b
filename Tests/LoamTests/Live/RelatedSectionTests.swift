import Foundation
import Loam
import Testing

@Model private final class Hamlet {
    var name: String
    var size: Int
    var country: Nation?

    init(_ name: String, size: Int = 0, in country: Nation? = nil) {
        (self.name, self.size, self.country) = (name, size, country)
    }
}

@Model private final class Nation {
    enum Climate: Int, Codable, Comparable {
        case cold, mild, warm

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    var name: String
    var climate: Climate
    var region: District?
    @Relationship(inverse: \Hamlet.country) var towns: [Hamlet] = []

    init(_ name: String, _ climate: Climate, in region: District? = nil) {
        (self.name, self.climate, self.region) = (name, climate, region)
    }
}

@Model private final class District {
    var name: String
    @Relationship(inverse: \Nation.region) var lands: [Nation] = []

    init(_ name: String) { self.name = name }
}

@Suite("Sections by a property of a related model")
@MainActor
struct RelatedSectionTests {
    private let context: ModelContext
    private let lands: [Nation]

    init() throws {
        let container = try ModelContainer(
            for: Hamlet.self, Nation.self, District.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        context = ModelContext(container)
        context.autosaveEnabled = false
        let north = District("North")
        lands = [Nation("Norway", .cold, in: north), Nation("Chile", .mild), Nation("Chad", .warm)]
        for land in lands { context.insert(land) }
        for (name, land) in [("Oslo", 0), ("Bergen", 0), ("Arica", 1), ("Moundou", 2)] {
            context.insert(Hamlet(name, in: lands[land]))
        }
        context.insert(Hamlet("Atlantis"))
        try context.save()
    }

    private func sections<Title>(_ observer: ResultsObserver<Hamlet, Title>) -> [[String]] {
        observer.sections?.map { section in ["\(section.title)"] + section.map(\.name) } ?? []
    }

    @Test("are titled by it, with \"\" for models without the related one, in the direction of the sort")
    func titles() throws {
        let ascending = try ResultsObserver(
            sortBy: [SortDescriptor(\Hamlet.name)], sectionBy: \.country?.name, modelContext: context)
        #expect(
            sections(ascending) == [
                ["", "Atlantis"], ["Chad", "Moundou"], ["Chile", "Arica"], ["Norway", "Bergen", "Oslo"],
            ])
        let descending = try ResultsObserver(
            sortBy: [SortDescriptor(\Hamlet.country?.name, order: .reverse), SortDescriptor(\Hamlet.name)],
            sectionBy: \.country?.name, modelContext: context)
        #expect(
            sections(descending) == [
                ["Norway", "Bergen", "Oslo"], ["Chile", "Arica"], ["Chad", "Moundou"], ["", "Atlantis"],
            ])
        let farther = try ResultsObserver(
            sortBy: [SortDescriptor(\Hamlet.name)], sectionBy: \.country?.region?.name, modelContext: context)
        #expect(sections(farther) == [["", "Arica", "Atlantis", "Moundou"], ["North", "Bergen", "Oslo"]])
        // Models without a related one have a section of their own where the key path says that none are.
        let forced = try ResultsObserver(
            sortBy: [SortDescriptor(\Hamlet.name)], sectionBy: \.country!.region!.name, modelContext: context)
        #expect(sections(forced) == [["", "Arica", "Atlantis", "Moundou"], ["North", "Bergen", "Oslo"]])
        #expect(forced.sections?.index(ofSectionTitled: "North") == 1)
        context.insert(Hamlet("Tromsø", in: Nation("Svalbard", .cold, in: District(""))))
        try context.save()
        forced.refresh()
        #expect(
            sections(forced) == [
                ["", "Arica", "Atlantis", "Moundou"], ["", "Tromsø"], ["North", "Bergen", "Oslo"],
            ])
    }

    @Test("have titles of any type, and are titled by functions of it")
    func kinds() throws {
        let climates = try ResultsObserver(
            filterBy: #Predicate<Hamlet> { $0.country != nil }, sortBy: [SortDescriptor(\Hamlet.name)],
            sectionBy: \.country!.climate, modelContext: context)
        #expect(sections(climates) == [["cold", "Bergen", "Oslo"], ["mild", "Arica"], ["warm", "Moundou"]])
        let lengths = try ResultsObserver(
            filterBy: #Predicate<Hamlet> { $0.country != nil }, sortBy: [SortDescriptor(\Hamlet.name)],
            sectionBy: \.country!.name.count, modelContext: context)
        #expect(sections(lengths) == [["4", "Moundou"], ["5", "Arica"], ["6", "Bergen", "Oslo"]])
    }

    @Test("follow the related model, saved and not, in one difference")
    func changes() async throws {
        let observer = try ResultsObserver(
            sortBy: [SortDescriptor(\Hamlet.name)], sectionBy: \.country?.name, modelContext: context)
        var differences = observer.makeDifferences().makeAsyncIterator()
        lands[0].name = "Chile"
        var difference = try #require(await differences.next())
        #expect(difference.deletedSections == [3] && difference.insertedSections.isEmpty)
        #expect(difference.moves.map(\.to) == [[2, 1], [2, 2]])
        #expect(
            sections(observer) == [["", "Atlantis"], ["Chad", "Moundou"], ["Chile", "Arica", "Bergen", "Oslo"]])
        context.rollback()
        difference = try #require(await differences.next())
        #expect(difference.insertedSections.map(\.title) == ["Norway"])
        let other = ModelContext(context.container)
        let land = try #require(
            try other.fetch(FetchDescriptor<Nation>(predicate: #Predicate { $0.name == "Chad" })).first)
        other.delete(land)
        try other.save()
        difference = try #require(await differences.next())
        #expect(difference.deletedSections == [1] && difference.moves.map(\.to) == [[0, 1]])
        #expect(
            sections(observer) == [["", "Atlantis", "Moundou"], ["Chile", "Arica"], ["Norway", "Bergen", "Oslo"]])
    }

    @Test("are set in place, and refused for what has no stored value")
    func setInPlace() throws {
        let observer = try ResultsObserver(
            sortBy: [SortDescriptor(\Hamlet.name)], sectionBy: \.name, modelContext: context)
        #expect(observer.sections?.count == 5)
        observer.sectionBy = \Hamlet.country?.name
        #expect(observer.fetchError == nil)
        #expect(observer.sections?.sectionTitles == ["", "Chad", "Chile", "Norway"])
        observer.sectionBy = \Hamlet.country?.towns.count
        #expect(observer.fetchError != nil)
        let error = #expect(throws: SwiftDataError.self) {
            _ = try ResultsObserver(
                sortBy: [SortDescriptor(\Hamlet.name)], sectionBy: \.name.localizedCapitalized, modelContext: context)
        }
        #expect(error?.description.contains("cannot be used for sections") == true, "\(String(describing: error))")
    }
}
