import Foundation
import SeededRandom
import Testing

@testable import Loam

/// A model with names as people write them.
@Model final class Chapter {
    var title: String
    var subtitle: String?

    init(_ title: String, _ subtitle: String? = nil) {
        self.title = title
        self.subtitle = subtitle
    }
}

@Suite("Sort descriptors with a localized comparator")
@MainActor
struct LocalizedSortTests {
    private let container: ModelContainer
    private static let titles = [
        "file 10", "File 9", "file 9", "Zebra", "apfel", "Äpfel", "Apfel", "äpfel", "zebra", "100", "20", "é", "e", "f",
    ]

    init() throws { container = try memoryContainer(Chapter.self) }

    @Test("know a locale in whatever spelling")
    func spellingsOfLocales() throws {
        for (one, other) in [("en_US", "en-US"), ("en-us", "en_US"), ("de-u-co-phonebk", "de@collation=phonebook")] {
            let (left, right) = (Locale(identifier: one), Locale(identifier: other))
            #expect(LocalizedComparator.localized(locale: left) == .localized(locale: right))
            #expect(LocalizedComparator.localizedStandard(locale: left) == .localizedStandard(locale: right))
            let form = try LocalizedComparator.localizedCaseInsensitive(locale: left).form()
            #expect(try form == LocalizedComparator.localizedCaseInsensitive(locale: right).form())
        }
        #expect(
            LocalizedComparator.localized(locale: Locale(identifier: "sv"))
                != .localized(locale: Locale(identifier: "de")))
    }

    @Test("order as people read, forwards and backwards, with unsaved changes")
    func order() throws {
        let context = ModelContext(container)
        for title in Self.titles { context.insert(Chapter(title, title.hasPrefix("f") ? nil : title)) }
        try context.save()
        context.insert(Chapter("file 9b"))
        let forward = try context.fetch(
            FetchDescriptor(sortBy: [SortDescriptor(\Chapter.title, comparator: .localizedStandard)])
        ).map(\.title)
        #expect(
            forward == [
                "20", "100", "apfel", "Apfel", "äpfel", "Äpfel", "e", "é", "f", "file 9", "File 9", "file 9b",
                "file 10",
                "zebra", "Zebra",
            ])
        let backward = try context.fetch(
            \Chapter.title, sortBy: [SortDescriptor(\.title, comparator: .localizedStandard, order: .reverse)])
        #expect(backward == forward.reversed())
        let optional = try context.fetch(
            FetchDescriptor(sortBy: [SortDescriptor(\Chapter.subtitle, comparator: .localizedStandard)]))
        #expect(optional.map(\.subtitle).prefix(4) == [nil, nil, nil, nil])
        #expect(optional.compactMap(\.subtitle).first == "20" && optional.last?.subtitle == "Zebra")
    }

    @Test("are comparators of arrays, too")
    func sortArrays() throws {
        let chapters = Self.titles.map { Chapter($0) }
        let sorted = chapters.sorted(using: SortDescriptor(\.title, comparator: .localizedStandard))
        #expect(sorted.map(\.title).prefix(3) == ["20", "100", "apfel"])
        let lexical = FetchDescriptor(sortBy: [SortDescriptor(\Chapter.title)])
        let localized = FetchDescriptor(sortBy: [SortDescriptor(\Chapter.title, comparator: .localizedStandard)])
        #expect("\(lexical)" == "Chapter by title" && "\(localized)" == "Chapter by title (localizedStandard)")
    }

    @Test("order the sections of results by the same property")
    func orderSections() throws {
        let context = ModelContext(container)
        for title in ["b 10", "b 9", "a", "A", "Ä", "B 9"] { context.insert(Chapter(title)) }
        try context.save()
        let observer = try ResultsObserver<Chapter, String>(
            sortBy: [SortDescriptor(\.title, comparator: .localizedStandard)], sectionBy: \.title,
            modelContainer: container)
        #expect(observer.sections?.sectionTitles == ["a", "A", "Ä", "b 9", "B 9", "b 10"])
    }

    @Test("have no pages, which say so")
    func refusePages() throws {
        let context = ModelContext(container)
        let descriptor = FetchDescriptor(sortBy: [SortDescriptor(\Chapter.title, comparator: .localizedStandard)])
        #expect(throws: SwiftDataError.unsupportedSortDescriptor) { try context.fetchPage(descriptor) }
    }
}
