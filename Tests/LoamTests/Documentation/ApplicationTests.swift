import Foundation
import Loam
import Testing

@Suite("Models and predicates as applications write them")
struct ApplicationTests {
    private let container: ModelContainer
    private let context: ModelContext
    private let noon = Date(timeIntervalSinceReferenceDate: 43_200)

    init() throws {
        container = try ModelContainer(
            for: Schema([Station.self, Reading.self]),
            configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
        context = ModelContext(container)
        for number in 1...20 {
            let station = Station(number: Int64(number), kind: number % 5 == 0 ? nil : number % 2 == 0 ? .land : .sea)
            context.insert(station)
            station.isFavorite = number % 2 == 0
            station.isIgnored = number % 7 == 0
            station.hops = Int32(number % 4)
            if number % 3 != 0 { station.hear(at: noon.addingTimeInterval(Double(number - 10))) }
            station.limits = number % 2 == 0 ? .init(lower: Double(number), upper: nil) : nil
            station.language = number % 2 == 0 ? .english : .german
            let reading = Reading(time: noon.addingTimeInterval(Double(number)), value: 1, station: station)
            reading.isValid = number % 2 == 0
            context.insert(reading)
        }
        try context.save()
    }

    /// Expects that a fetch finds what Foundation finds, and so many.
    private func expect<Model: PersistentModel>(
        _ count: Int, _ predicate: Predicate<Model>, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let all = try context.fetch(FetchDescriptor<Model>())
        let found = try context.fetch(FetchDescriptor(predicate: predicate))
        let expected = try all.filter { try predicate.evaluate($0) }
        #expect(found.map(\.persistentModelID) == expected.map(\.persistentModelID), sourceLocation: sourceLocation)
        #expect(found.count == count, sourceLocation: sourceLocation)
    }

    @Test("Filters of which some are off")
    func filters() throws {
        func filter(ignored: Bool, favorite: Bool, direct: Bool, near: Bool, atMost hops: Int32) -> Predicate<Station> {
            #Predicate<Station> { station in
                (ignored || !station.isIgnored) && (!ignored || station.isIgnored)
                    && (!favorite || station.isFavorite) && (!direct || station.hops == 0)
                    && (!near || (station.hops > 0 && station.hops <= hops))
            }
        }
        try expect(18, filter(ignored: false, favorite: false, direct: false, near: false, atMost: 0))
        try expect(9, filter(ignored: false, favorite: true, direct: false, near: false, atMost: 0))
        try expect(5, filter(ignored: false, favorite: true, direct: true, near: false, atMost: 2))
        try expect(4, filter(ignored: false, favorite: true, direct: false, near: true, atMost: 2))
        try expect(20, #Predicate<Station> { _ in true })
        try expect(0, #Predicate<Station> { _ in false })
    }

    @Test("Values that may be nil")
    func optionals() throws {
        let now = noon
        try expect(12, #Predicate<Station> { $0.lastHeard == nil || $0.lastHeard! < now })
        try expect(8, #Predicate<Station> { $0.lastHeard != nil && $0.lastHeard! >= now })
        try expect(
            16,
            #Predicate<Station> { station in
                if let kind = station.kindRaw { return kind == "land" || kind == "sea" } else { return false }
            })
        let query = ""
        try expect(
            20,
            #Predicate<Station> {
                if query.isEmpty { return true } else { return $0.note.localizedStandardContains(query) }
            })
        try expect(16, #Predicate<Station> { $0.kindRaw?.contains("a") == true })
        try expect(8, #Predicate<Station> { $0.kindRaw?.localizedStandardContains("LAND") ?? false })
        try expect(8, #Predicate<Station> { ["land", "air"].contains($0.kindRaw) })
        try expect(7, #Predicate<Station> { ($0.limits?.lower ?? 0) > 6 })
        try expect(10, #Predicate<Station> { $0.limits == nil && $0.latest == nil })
    }

    @Test("Enums, by case and raw value")
    func enums() throws {
        try expect(10, #Predicate<Station> { $0.language == Station.Language.german })
        try expect(10, #Predicate<Station> { $0.language.rawValue == 0 })
        #expect(throws: SwiftDataError.unsupportedKeyPath) {
            try context.fetch(FetchDescriptor<Station>(predicate: #Predicate { $0.language.title == "german" }))
        }
    }

    @Test("Related models")
    func related() throws {
        let numbers: [Int64] = [3, 4, 5, 6]
        try expect(
            2,
            #Predicate<Reading> {
                $0.isValid == true && $0.station != nil
                    && ($0.station.flatMap { numbers.contains($0.number) } ?? false)
            })
        try expect(10, #Predicate<Station> { $0.readings.contains { $0.isValid } })
        try expect(10, #Predicate<Station> { $0.readings.allSatisfy { $0.isValid } && !$0.readings.isEmpty })
        try expect(20, #Predicate<Station> { $0.readings.isEmpty == false && $0.readings.count > 0 })
        try expect(18, #Predicate<Reading> { $0.station?.isIgnored != true })
        let station = try #require(try context.fetch(FetchDescriptor<Station>()).first)
        let id = station.persistentModelID
        try expect(1, #Predicate<Reading> { $0.station?.persistentModelID == id && !$0.isValid })
        try expect(1, #Predicate<Reading> { $0.station == station })
    }

    @Test("Values of every kind come back")
    func values() throws {
        let station = Station(number: 100, kind: .sea)
        station.origin = .import_(file: "stations.csv", line: 7)
        station.limits = .init(lower: 1, upper: 2, reasons: [.init(text: "storm")])
        station.labels = ["a", "b"]
        station.counts = ["gusts": 3]
        station.flags = ["x", "y"]
        station.image = Data([1, 2, 3])
        context.insert(station)
        station.latest = Reading(time: noon, value: 5, station: station)
        try context.save()

        let stored = try #require(
            try ModelContext(container).fetch(FetchDescriptor<Station>(predicate: #Predicate { $0.number == 100 }))
                .first)
        #expect(stored.origin == .import_(file: "stations.csv", line: 7))
        #expect(stored.limits?.reasons == [.init(text: "storm")])
        #expect(stored.labels == ["a", "b"] && stored.counts == ["gusts": 3] && stored.flags == ["x", "y"])
        #expect(stored.image == Data([1, 2, 3]) && stored.kind == .sea && !stored.isSelected)
        #expect(stored.latest?.value == 5 && stored.readings.map(\.value) == [5])
        stored.origin = .user(.init(lower: 4))
        #expect(stored.origin == .user(.init(lower: 4)))
    }

    @Test("Descriptors, identifiers and generic code")
    func descriptors() throws {
        #expect(try context.fetch(Station.favorites).map(\.number) == [20, 18, 16])
        var descriptor = FetchDescriptor<Station>(predicate: #Predicate { $0.number > 3 }, sortBy: [.init(\.number)])
        descriptor.fetchOffset = 1
        descriptor.fetchLimit = 2
        descriptor.relationshipKeyPathsForPrefetching = [\.readings]
        descriptor.propertiesToFetch = [\.number, \.isFavorite]
        let first = try #require(try context.fetch(descriptor).first)
        #expect(first.number == 5)
        #expect((context.model(for: first.persistentModelID) as? Station) === first)
        let registered: Station? = context.registeredModel(for: first.persistentModelID)
        #expect(registered === first)

        let selection = Selection(id: first.persistentModelID, title: "five")
        let copy = try JSONDecoder().decode(Selection.self, from: JSONEncoder().encode(selection))
        #expect(Set([selection, copy]).count == 1)

        let stations = Stations(container: container)
        #expect(try stations.count(of: copy.id) == 1)
        try stations.delete(try stations.read(#Predicate { $0.number <= 5 }, sortBy: [SortDescriptor(\Station.number)]))
        #expect(try stations.count(of: copy.id) == 0)
        #expect(try stations.read().count == 15)
        #expect((try? ModelContext(container).fetchCount(FetchDescriptor<Reading>())) == 15)
    }
}
