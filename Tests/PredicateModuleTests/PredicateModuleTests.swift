import Foundation
import Loam
import Testing

/// Predicates of a module that declares `#Predicate` and `#Expression` by the package's plugin, in files that import
/// Foundation.
@Suite struct PredicateModuleTests {
    private let container: ModelContainer
    private let context: ModelContext
    private let predicates: Predicates

    init() throws {
        container = try ModelContainer(
            for: Note.self, Folder.self, Tag.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        context = ModelContext(container)
        let home = Folder("Home")
        let inbox = Folder("Inbox", isPinned: true, parent: home)
        context.insert(Folder("Archive"))
        let (first, second) = (Tag("a"), Tag("other"))
        for number in 0..<40 {
            let note = Note(
                ["a", "ab", "Café", "zebra"][number % 4], body: number % 3 == 0 ? "b" : nil,
                created: Date(timeIntervalSinceReferenceDate: Double(number) * 9_000),
                rating: number % 7 == 0 ? nil : number % 6, folder: [home, inbox, nil, inbox, home][number % 5])
            if number % 5 == 0 { note.tags = number % 2 == 0 ? [first] : [first, second] }
            context.insert(note)
        }
        try context.save()
        let wanted = try #require(try context.fetch(FetchDescriptor<Note>()).first)
        predicates = Predicates(folder: inbox.id, folders: [home.id, UUID()], wanted: wanted.persistentModelID)
    }

    @Test func everyPredicateOfNotesFindsWhatItHoldsFor() throws {
        let all = try context.fetch(FetchDescriptor<Note>(sortBy: [SortDescriptor(\.created)]))
        for (position, predicate) in (predicates.ofNotes + predicates.withExpressions).enumerated() {
            let found = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.created)]))
            let expected = try all.filter(predicate.evaluate)
            #expect(found == expected, "predicate \(position)")
            #expect(!found.isEmpty, "predicate \(position)")
        }
    }

    @Test func everyPredicateOfFoldersFindsWhatItHoldsFor() throws {
        let all = try context.fetch(FetchDescriptor<Folder>(sortBy: [SortDescriptor(\.name)]))
        for (position, predicate) in predicates.ofFolders.enumerated() {
            let found = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)]))
            #expect(found == (try all.filter(predicate.evaluate)), "predicate \(position)")
            #expect(!found.isEmpty, "predicate \(position)")
        }
    }

    @Test func predicatesOverPlainTypesCompileToo() throws {
        struct City { var name: String, population: Int? }
        let cities = [City(name: "Rome", population: 2_800_000), City(name: "Orta", population: nil)]
        let large = #Predicate<City> { $0.population != nil && ($0.population ?? 0) > 1_000_000 && $0.name != "" }
        #expect(try cities.filter(large.evaluate).map(\.name) == ["Rome"])
    }

    @Test func expressionsTakeSeveralInputs() throws {
        let product = #Expression<Int?, Int, Int> { $0 == nil ? $1 : $0! * $1 }
        #expect(try product.evaluate(nil, 4) == 4 && product.evaluate(3, 4) == 12)
        let predicate = #Predicate<Note> { product.evaluate($0.rating, 4) < 8 }
        let all = try context.fetch(FetchDescriptor<Note>())
        let expected = all.filter { ($0.rating.map { $0 * 4 } ?? 4) < 8 }
        #expect(try all.filter(predicate.evaluate) == expected)
        #expect(try context.fetch(FetchDescriptor(predicate: predicate)) == expected && !expected.isEmpty)
    }
}
