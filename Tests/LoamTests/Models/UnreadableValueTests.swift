import Foundation
import LoamStorage
import Testing

@testable import Loam

/// The models of an older program.
private enum Older {
    enum Kind: String, Codable, Comparable {
        case hotel, museum

        static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
    }

    /// An enum with a case for raw values that it does not know.
    enum Mood: Int, Codable {
        case unknown, good

        init(from decoder: any Decoder) throws {
            self = Mood(rawValue: try decoder.singleValueContainer().decode(Int.self)) ?? .unknown
        }
    }

    enum Fare: Codable, Hashable, OpaqueCodable {
        case free
        case paid(Int)
    }

    @Model final class Visit {
        var place: String
        var kind: Kind
        var second: Kind?
        var mood: Mood
        var fare: Fare?

        init(_ place: String, kind: Kind) { (self.place, self.kind, mood) = (place, kind, .good) }
    }
}

/// The models of a newer program, with more cases.
private enum Newer {
    enum Kind: String, Codable { case hotel, museum, garden, zoo }
    enum Mood: Int, Codable { case unknown, good, bad }

    enum Fare: Codable, Hashable, OpaqueCodable {
        case free
        case paid(Int)
        case refunded(Int)
    }

    @Model final class Visit {
        var place: String
        var kind: Kind
        var second: Kind?
        var mood: Mood
        var fare: Fare?

        init(_ place: String, kind: Kind, second: Kind? = nil, mood: Mood = .good, fare: Fare? = nil) {
            (self.place, self.kind, self.second, self.mood, self.fare) = (place, kind, second, mood, fare)
        }
    }
}

@Suite("A stored value that its type does not have")
struct UnreadableValueTests {
    private let newer: ModelContext
    private let older: ModelContext
    /// The containers of both programs, on one store.
    private let programs: [ModelContainer]

    init() throws {
        let configuration = ModelConfiguration("visits \(UUID())", isStoredInMemoryOnly: true)
        let new = try ModelContainer(for: Newer.Visit.self, configurations: configuration)
        let old = try ModelContainer(for: Older.Visit.self, configurations: configuration)
        (newer, older, programs) = (ModelContext(new), ModelContext(old), [new, old])
        newer.insert(Newer.Visit("Ritz", kind: .hotel))
        newer.insert(Newer.Visit("Kew", kind: .garden, second: .zoo, mood: .bad, fare: .refunded(3)))
        newer.insert(Newer.Visit("Tate", kind: .museum, second: .hotel, fare: .paid(5)))
        newer.insert(Newer.Visit("Berlin", kind: .zoo))
        try newer.save()
    }

    private func visit(_ place: String) throws -> Older.Visit {
        try #require(try older.fetch(FetchDescriptor<Older.Visit>(predicate: #Predicate { $0.place == place })).first)
    }

    @Test("reads as one that it has, and says what it is when it is asked")
    func reading() throws {
        let kew = try visit("Kew")
        #expect(kew.kind == .hotel && kew.second == nil && kew.mood == .unknown && kew.fare == nil)
        #expect(kew.unreadableValue(of: \.kind)?.rawValue as? String == "garden")
        #expect(kew.unreadableValue(of: \.second)?.rawValue as? String == "zoo")
        #expect(kew.unreadableValue(of: \.mood) == nil)
        let fare = try #require(kew.unreadableValue(of: \.fare))
        #expect(fare.entityName == "Visit" && fare.propertyName == "fare" && fare.rawValue == nil)
        #expect(kew.unreadableValue(of: \.place) == nil)
        let tate = try visit("Tate")
        #expect(tate.kind == .museum && tate.second == .hotel && tate.fare == .paid(5))
        #expect(tate.unreadableValue(of: \.kind) == nil && tate.unreadableValue(of: \.second) == nil)
        #expect(tate.unreadableValue(of: \.fare) == nil && tate.unreadableValue(of: \.mood) == nil)
    }

    @Test("stays through saves that do not set the property, and goes with one that does")
    func saving() throws {
        let kew = try visit("Kew")
        #expect(kew.kind == .hotel && kew.fare == nil && kew.second == nil)
        kew.place = "Kew Gardens"
        try older.save()
        let stored = try #require(
            try ModelContext(programs[0]).fetch(
                FetchDescriptor<Newer.Visit>(predicate: #Predicate { $0.place == "Kew Gardens" })
            ).first)
        #expect(stored.kind == .garden && stored.second == .zoo && stored.mood == .bad && stored.fare == .refunded(3))

        kew.kind = .museum
        #expect(kew.unreadableValue(of: \.kind) == nil)
        try older.save()
        #expect(kew.unreadableValue(of: \.kind) == nil && kew.unreadableValue(of: \.second) != nil)
        #expect(
            try ModelContext(programs[0]).fetchCount(
                FetchDescriptor<Newer.Visit>(predicate: #Predicate { $0.kind == .museum })) == 2)
    }

    @Test("is what fetches and orders go by, with changes unsaved too")
    func fetching() throws {
        let hotels = FetchDescriptor<Older.Visit>(predicate: #Predicate { $0.kind == .hotel })
        let others = FetchDescriptor<Older.Visit>(predicate: #Predicate { $0.kind != .hotel })
        let raw = FetchDescriptor<Older.Visit>(predicate: #Predicate { $0.kind.rawValue == "garden" })
        for _ in 0..<2 {
            #expect(try older.fetch(hotels).map(\.place) == ["Ritz"])
            #expect(try older.fetchCount(others) == 3)
            #expect(try older.fetch(raw).map(\.place) == ["Kew"])
            let sorted = try older.fetch(FetchDescriptor<Older.Visit>(sortBy: [SortDescriptor(\.kind)]))
            #expect(sorted.map(\.place) == ["Kew", "Ritz", "Tate", "Berlin"])
            for visit in try older.fetch(FetchDescriptor<Older.Visit>()) { visit.mood = .good }
        }
    }

    @Test("has a section of its own, and every section its title")
    func sections() throws {
        let observer = try ResultsObserver<Older.Visit, Older.Kind>(
            sortBy: [SortDescriptor(\.place)], sectionBy: \.kind, modelContainer: programs[1])
        func places() -> [[String]] { observer.sections?.map { $0.map(\.place) } ?? [] }
        #expect(places() == [["Kew"], ["Ritz"], ["Tate"], ["Berlin"]])
        #expect(observer.sections?.sectionTitles == [.hotel, .hotel, .museum, .hotel])
        #expect(
            observer.sections?.map { $0.unreadableTitle?.rawValue as? String } == ["garden", nil, nil, "zoo"])
        #expect(observer.sections?.index(ofSectionTitled: .hotel) == 1)
        #expect(observer.sections?[sectionTitle: .museum]?.map(\.place) == ["Tate"])
        for section in try #require(observer.sections) { #expect(section.allSatisfy { $0.kind == section.title }) }

        for visit in try newer.fetch(FetchDescriptor<Newer.Visit>()) { visit.kind = .zoo }
        newer.insert(Newer.Visit("Kyoto", kind: .garden))
        try newer.save()
        observer.refresh()
        #expect(places() == [["Kyoto"], ["Berlin", "Kew", "Ritz", "Tate"]])
        #expect(observer.sections?.index(ofSectionTitled: .hotel) == 0)
        #expect(observer.sections?.index(ofSectionTitled: .museum) == nil)
    }

    @Test("is told from no value where the title is optional")
    func optionalTitles() {
        let reader = SectionTitleReader<Older.Kind?>(Older.Visit.self, section: \Older.Visit.second)
        let titles = [Value.string("zoo"), .string("museum"), .null].map(reader.read)
        #expect(titles.map(\.title) == [nil, .museum, nil])
        #expect(titles.map { $0.unreadable?.rawValue as? String } == ["zoo", nil, nil])
    }

    @Test("is part of the differences")
    func differences() async throws {
        try newer.delete(model: Newer.Visit.self)
        try newer.save()
        let observer = try ResultsObserver<Older.Visit, Older.Kind>(sectionBy: \.kind, modelContainer: programs[1])
        var differences = observer.makeDifferences().makeAsyncIterator()
        newer.insert(Newer.Visit("Kew", kind: .garden))
        newer.insert(Newer.Visit("Tate", kind: .museum))
        try newer.save()
        observer.refresh()
        let difference = try #require(await differences.next())
        #expect(difference.insertedSections.map(\.section) == [0, 1])
        #expect(difference.insertedSections.map(\.title) == [.hotel, .museum])
    }
}
