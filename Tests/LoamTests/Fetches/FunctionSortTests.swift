import Foundation
import Testing

@testable import Loam

@Model final class Shot {
    #Index<Shot>([.startOfDay(\.taken, in: "Europe/Berlin"), .value(\.id)], [.length(\.title)])
    var id: Int
    var title: String
    var description: String?
    var taken: Date
    var edited: Date?
    var size: Double
    var weight: Float = 0
    var place: ShotPlace?

    init(id: Int, title: String, taken: Date, size: Double) {
        (self.id, self.title, self.taken, self.size) = (id, title, taken, size)
    }
}

@Model final class ShotPlace {
    var name: String

    init(name: String) { self.name = name }
}

/// Orders and sections by functions of properties, as key paths name them.
@Suite("Orders by functions of properties")
@MainActor
struct FunctionSortTests {
    private static let titles = ["b", "Sea", "ab", "harbour", "", "sea", "Äpfel", "🇵🇪"]

    private static func context(saving count: Int = 40, of total: Int = 60) throws -> ModelContext {
        let context = ModelContext(try memoryContainer(Shot.self, ShotPlace.self))
        let places = ["Oslo", "Rome", "Reykjavík"].map { ShotPlace(name: $0) }
        places.forEach(context.insert)
        for number in 0..<total {
            if number == count { try context.save() }
            let shot = Shot(
                id: number, title: titles[number * 5 % 8],
                taken: Date(timeIntervalSinceReferenceDate: Double(number * 37 % total) * 2e4),
                size: Double(number % 7) / 2 - 1)
            context.insert(shot)
            if number % 3 != 0 { shot.description = String(repeating: "x", count: number % 5) }
            if number % 4 != 0 { shot.edited = shot.taken.addingTimeInterval(1e7) }
            if number % 5 != 0 { shot.place = places[number % 3] }
        }
        return context
    }

    private func ids(_ sortBy: [SortDescriptor<Shot>], _ context: ModelContext) throws -> [Int] {
        try context.fetch(FetchDescriptor(sortBy: sortBy)).map(\.id)
    }

    /// The ids in the order of a key, nil first, and then as they were inserted.
    private func expected<Key: Comparable>(
        _ context: ModelContext, descending: Bool = false, by key: (Shot) -> Key?
    ) throws -> [Int] {
        try context.fetch(
            FetchDescriptor<Shot>(sortBy: [SortDescriptor(\.id, order: descending ? .reverse : .forward)])
        )
        .enumerated()
        .sorted { left, right in
            let (first, second) =
                descending ? (key(right.element), key(left.element)) : (key(left.element), key(right.element))
            if first == second { return left.offset < right.offset }
            guard let first else { return true }
            guard let second else { return false }
            return first < second
        }
        .map(\.element.id)
    }

    @Test("The number of characters is a key path of Swift's")
    func count() throws {
        let context = try Self.context()
        #expect(
            try ids([SortDescriptor(\.title.count), SortDescriptor(\.id)], context)
                == expected(context) { $0.title.count })
        #expect(
            try ids(
                [SortDescriptor(\.description?.count, order: .reverse), SortDescriptor(\.id, order: .reverse)], context)
                == expected(context, descending: true) { $0.description?.count })
        #expect(
            try ids([SortDescriptor(\.place?.name.count), SortDescriptor(\.id)], context)
                == expected(context) { $0.place?.name.count })
    }

    @Test("Other functions stand in a key path in the words of #Index")
    func functions() throws {
        let context = try Self.context()
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let day = SortDescriptor(\Shot[.startOfDay(\.taken, in: "Europe/Berlin")], order: .reverse)
        #expect(
            try ids([day, SortDescriptor(\.id, order: .reverse)], context)
                == expected(context, descending: true) { calendar.startOfDay(for: $0.taken) })
        let month = SortDescriptor(\Shot[.month(\.edited, in: "Europe/Berlin")])
        #expect(
            try ids([month, SortDescriptor(\.id)], context)
                == expected(context) { $0.edited.map { calendar.component(.month, from: $0) } })
        #expect(
            try ids([SortDescriptor(\Shot[.floor(\.size)]), SortDescriptor(\.id)], context)
                == expected(context) { $0.size.rounded(.down) })
        #expect(
            try ids([SortDescriptor(\Shot[.lowercased(\.title)]), SortDescriptor(\.id)], context)
                == expected(context) { $0.title.lowercased() })
        let text = FetchDescriptor<Shot>(sortBy: [day, SortDescriptor(\.description?.count)]).description
        #expect(text == "Shot by startOfDay(taken, 'Europe/Berlin') descending, length(description)")
    }

    @Test("A sort descriptor sorts models in memory, too")
    func inMemory() throws {
        let context = try Self.context()
        let shots = try context.fetch(FetchDescriptor<Shot>(sortBy: [SortDescriptor(\.id)]))
        for descriptor in [
            SortDescriptor(\Shot[.year(\.edited)]), SortDescriptor(\Shot[.length(\.title)]),
            SortDescriptor(\Shot[.rounded(\.size)], order: .reverse), SortDescriptor(\Shot[.startOfMonth(\.taken)]),
            SortDescriptor(\Shot[.uppercased(\.description)]),
        ] {
            let order = [descriptor, SortDescriptor(\.id)]
            #expect(try shots.sorted(using: order).map(\.id) == ids(order, context))
        }
    }

    @Test("Pages go on behind a function")
    func pages() throws {
        let context = try Self.context()
        var descriptor = FetchDescriptor<Shot>(
            sortBy: [
                SortDescriptor(\Shot[.startOfDay(\.edited, in: "Europe/Berlin")], order: .reverse),
                SortDescriptor(\.title.count),
            ])
        let all = try context.fetch(descriptor).map(\.id)
        descriptor.fetchLimit = 7
        var (ids, cursor): ([Int], FetchCursor<Shot>?) = ([], nil)
        repeat {
            let page = try context.fetchPage(descriptor, after: cursor)
            ids += page.models.map(\.id)
            cursor = page.next
        } while cursor != nil
        #expect(ids == all && all.count == 60)
    }

    @Test("Sections are by a function")
    func sections() throws {
        let context = try Self.context(saving: 60, of: 60)
        try context.save()
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let byDay = try ResultsObserver(
            sortBy: [
                SortDescriptor(\Shot[.startOfDay(\.taken, in: "Europe/Berlin")], order: .reverse), SortDescriptor(\.id),
            ],
            sectionBy: \Shot[.startOfDay(\.taken, in: "Europe/Berlin")], modelContext: context)
        let shots = try context.fetch(FetchDescriptor<Shot>())
        let days = Dictionary(grouping: shots) { calendar.startOfDay(for: $0.taken) }
        let sections = try #require(byDay.sections)
        #expect(sections.map(\.title) == days.keys.sorted(by: >))
        for section in sections { #expect(section.map(\.id) == days[section.title]?.map(\.id).sorted()) }
        let byLength = try ResultsObserver<Shot, Int>(sectionBy: \.title.count, modelContext: context)
        let lengths = Dictionary(grouping: shots) { $0.title.count }
        #expect(byLength.sections?.map(\.title) == lengths.keys.sorted())
        #expect(byLength.sections?.map(\.count) == lengths.sorted { $0.key < $1.key }.map(\.value.count))
    }

    @Test("The titles of sections by a function of a Float are its results")
    func sectionsByFloats() throws {
        let context = ModelContext(try memoryContainer(Shot.self, ShotPlace.self))
        for (id, weight) in [-0.5, 0.25, 0.75, 1.5, 2.5, 2.25].enumerated() {
            let shot = Shot(id: id, title: "", taken: Date(timeIntervalSinceReferenceDate: 0), size: 0)
            shot.weight = Float(weight)
            context.insert(shot)
        }
        try context.save()
        let floors = try ResultsObserver<Shot, Float>(sectionBy: \Shot[.floor(\.weight)], modelContext: context)
        #expect(floors.sections?.map(\.title) == [-1, 0, 1, 2] && floors.sections?.map(\.count) == [1, 2, 1, 2])
        let ceilings = try ResultsObserver<Shot, Float>(sectionBy: \Shot[.ceil(\.weight)], modelContext: context)
        #expect(ceilings.sections?.map(\.title) == [0, 1, 2, 3])
        let rounded = try ResultsObserver<Shot, Float>(sectionBy: \Shot[.rounded(\.weight)], modelContext: context)
        #expect(rounded.sections?.map(\.title) == [-1, 0, 1, 2, 3])
        for section in try #require(floors.sections) {
            #expect(section.allSatisfy { $0.weight.rounded(.down) == section.title })
        }
    }

    @Test("Sections come in the order of a comparator, and what is equal in it is one section")
    func sectionsInTheOrderOfAComparator() throws {
        let context = ModelContext(try memoryContainer(Shot.self, ShotPlace.self))
        for (id, title) in ["file 10", "Zoë", "file 9", "adam", "Äpfel", "zoe", "Äpfel", "ÄPFEL"].enumerated() {
            context.insert(Shot(id: id, title: title, taken: Date(timeIntervalSinceReferenceDate: 0), size: 0))
        }
        try context.save()
        func titles(_ comparator: LocalizedComparator, _ order: SortOrder = .forward) throws -> [String] {
            let byTitle = try ResultsObserver(
                sortBy: [SortDescriptor(\Shot.title, comparator: comparator, order: order), SortDescriptor(\.id)],
                sectionBy: \Shot.title, modelContext: context)
            #expect(byTitle.sections?.reduce(0) { $0 + $1.count } == 8)
            return byTitle.sections?.map(\.title) ?? []
        }
        let people = ["adam", "Äpfel", "ÄPFEL", "file 9", "file 10", "zoe", "Zoë"]
        #expect(try titles(.localizedStandard) == people)
        #expect(try titles(.localizedStandard, .reverse) == people.reversed())
        #expect(try titles(.localizedCaseInsensitive) == ["adam", "Äpfel", "file 10", "file 9", "zoe", "Zoë"])
        let byLowercase = try ResultsObserver(
            sortBy: [
                SortDescriptor(\Shot[.lowercased(\.title)], comparator: .localizedStandard), SortDescriptor(\.id),
            ],
            sectionBy: \Shot[.lowercased(\.title)], modelContext: context)
        #expect(byLowercase.sections?.map(\.title) == ["adam", "äpfel", "file 9", "file 10", "zoe", "zoë"])
    }

    @Test("What is no function of a stored property throws")
    func refused() throws {
        let context = try Self.context()
        let order = SortDescriptor(\Shot[.startOfDay(\.taken, in: "Europe/Brelin")])
        #expect(throws: SwiftDataError.self) { try context.fetch(FetchDescriptor(sortBy: [order])) }
        #expect(throws: SwiftDataError.self) {
            try context.fetch(FetchDescriptor<Shot>(sortBy: [SortDescriptor(\.title.utf8.count)]))
        }
    }
}
