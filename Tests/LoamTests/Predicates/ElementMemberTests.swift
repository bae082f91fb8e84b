import LoamQuery
import SeededRandom
import Testing

@testable import Loam

@Model final class Delivery {
    enum Kind: String, Codable, CaseIterable { case house, flat }
    struct Place: Codable, Hashable {
        var town: String
        var floor: Int?
    }
    struct Stop: Codable, Hashable {
        var street: String
        var house: Int?
        var place: Place
        var kind: Kind
        var notes: [String]
    }

    var id: Int
    var name: String
    var stops: [Stop]
    var byDay: [String: Stop]
    var blob: Data
    var former: [Stop]?

    init(_ id: Int, _ random: inout SeededGenerator) {
        func any<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }
        func stop() -> Stop {
            Stop(
                street: any(["Elm", "Oak", "e\u{301}"]), house: any([nil, 1, 2]),
                place: Place(town: any(["Ulm", "Rom"]), floor: any([nil, 0, 3])), kind: any(Kind.allCases),
                notes: any([[], ["a"], ["a", "b"]]))
        }
        self.id = id
        name = any(["Elm", "Ulm", "x"])
        stops = (0..<any([0, 1, 2])).map { _ in stop() }
        byDay = any([true, false]) ? ["mon": stop(), "tue": stop()] : [:]
        blob = Data(repeating: 7, count: any([0, 1, 300]))
        former = any([nil, [], [stop()]])
    }
}

@Suite("Members of elements of collections, and lengths of what has one")
@MainActor
struct ElementMemberTests {
    private let context: ModelContext
    private let all: [Delivery]

    /// Deliveries of which a quarter is not saved.
    init() throws {
        var random = SeededGenerator(seed: 23)
        context = ModelContext(try memoryContainer(Delivery.self))
        var made: [Delivery] = []
        for id in 0..<120 {
            made.append(Delivery(id, &random))
            context.insert(made[id])
            if id == 90 { try context.save() }
        }
        all = made
    }

    private func fetch(_ predicate: Predicate<Delivery>) throws -> [Int] {
        try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.id)])).map(\.id)
    }

    /// The fetch finds what Swift's own closure finds, some but not all; and so does the format that is printed.
    private func expect(_ predicate: Predicate<Delivery>, _ holds: (Delivery) -> Bool, _ line: Int = #line) throws {
        let expected = all.filter(holds).map(\.id)
        #expect(!expected.isEmpty && expected.count < all.count, "line \(line)")
        #expect(try fetch(predicate) == expected, "line \(line)")
        let text = try predicate.predicateFormat
        #expect(try fetch(Predicate<Delivery>(format: text)) == expected, "line \(line): \(text)")
    }

    @Test("the member of a first, last or numbered element, and of a value in a dictionary, is asked as any other")
    func members() throws {
        try expect(#Predicate { $0.stops.first?.street == "Elm" }, { $0.stops.first?.street == "Elm" })
        try expect(#Predicate { $0.stops.last?.street == "é" }, { $0.stops.last?.street == "é" })
        try expect(#Predicate { $0.stops.first?.house == nil }, { $0.stops.first?.house == nil })
        try expect(#Predicate { $0.stops.first?.place.town == "Ulm" }, { $0.stops.first?.place.town == "Ulm" })
        try expect(#Predicate { $0.stops.first?.place.floor == 3 }, { $0.stops.first?.place.floor == 3 })
        try expect(#Predicate { ($0.stops.first?.place.floor ?? 5) > 2 }, { ($0.stops.first?.place.floor ?? 5) > 2 })
        try expect(#Predicate { $0.byDay["mon"]?.street == "Oak" }, { $0.byDay["mon"]?.street == "Oak" })
        try expect(#Predicate { $0.byDay["mon"]?.street == $0.name }, { $0.byDay["mon"]?.street == $0.name })
        try expect(#Predicate { $0.former?.first?.street == "Elm" }, { $0.former?.first?.street == "Elm" })
        try expect(
            #Predicate { $0.stops.first?.street.lowercased() == "elm" },
            { $0.stops.first?.street.lowercased() == "elm" })
        try expect(
            #Predicate { $0.stops.first?.kind.rawValue == "flat" }, { $0.stops.first?.kind.rawValue == "flat" })
        let flat = Delivery.Kind.flat
        try expect(#Predicate { $0.stops.first?.kind == flat }, { $0.stops.first?.kind == flat })
        try expect(
            #Predicate { $0.stops.count > 1 && $0.stops[1].street == "Elm" },
            { $0.stops.count > 1 && $0.stops[1].street == "Elm" })
        #expect(try fetch(#Predicate { $0.stops[7].street == "Elm" }) == [])
    }

    @Test("a collection that is a member of an element is asked as one that is stored itself")
    func collectionsInElements() throws {
        try expect(
            #Predicate { $0.stops.first?.notes.contains("b") ?? false },
            { $0.stops.first?.notes.contains("b") ?? false })
        try expect(#Predicate { $0.stops.first?.notes.count == 2 }, { $0.stops.first?.notes.count == 2 })
        try expect(
            #Predicate { $0.stops.first?.notes.isEmpty ?? true }, { $0.stops.first?.notes.isEmpty ?? true })
        try expect(
            #Predicate { $0.byDay.contains { $0.value.street == "Elm" } },
            { $0.byDay.contains { $0.value.street == "Elm" } })
        try expect(
            #Predicate { $0.byDay.contains { $0.key == "tue" && $0.value.place.town == "Ulm" } },
            { $0.byDay.contains { $0.key == "tue" && $0.value.place.town == "Ulm" } })
        try expect(#Predicate { $0.byDay.keys.contains("mon") }, { $0.byDay.keys.contains("mon") })
        try expect(
            #Predicate { $0.byDay.values.contains { $0.notes.contains("a") } },
            { $0.byDay.values.contains { $0.notes.contains("a") } })
        try expect(
            #Predicate { $0.byDay["tue"]?.notes.contains { $0 == "a" } ?? false },
            { $0.byDay["tue"]?.notes.contains { $0 == "a" } ?? false })
        try expect(
            #Predicate { d in d.stops.contains { $0.place.town == d.name } },
            { d in d.stops.contains { $0.place.town == d.name } })
    }

    @Test("data and dictionaries have a count")
    func counts() throws {
        try expect(#Predicate { $0.blob.count > 1 }, { $0.blob.count > 1 })
        try expect(#Predicate { $0.byDay.count == 2 }, { $0.byDay.count == 2 })
        try expect(#Predicate { $0.byDay.count < $0.stops.count }, { $0.byDay.count < $0.stops.count })
    }

    @Test("formats lead into elements by dots behind brackets")
    func formats() throws {
        func found(_ format: String) throws -> [Int] { try fetch(Predicate(format: format)) }
        #expect(try found("stops[FIRST].street == 'Elm'") == fetch(#Predicate { $0.stops.first?.street == "Elm" }))
        #expect(
            try found("stops[0].place.town == 'Ulm'") == fetch(#Predicate { $0.stops.first?.place.town == "Ulm" }))
        #expect(
            try found("byDay['mon'].notes[SIZE] == 2") == all.filter { $0.byDay["mon"]?.notes.count == 2 }.map(\.id))
        #expect(
            try found("ANY byDay['mon'].notes == 'b'")
                == all.filter { $0.byDay["mon"]?.notes.contains("b") ?? false }.map(\.id))
        #expect(try found("length(blob) == 300") == all.filter { $0.blob.count == 300 }.map(\.id))
    }

    @Test("an unknown member is named, with the nearest one") func unknownMember() throws {
        #expect {
            _ = try fetch(Predicate(format: "stops[0].stret == 'Elm'"))
        } throws: { error in
            "\(error)".contains("stret") && "\(error)".contains("street")
        }
        #expect(throws: SwiftDataError.self) { try fetch(Predicate(format: "stops[0][1] == 'Elm'")) }
        #expect(throws: SwiftDataError.self) { try fetch(Predicate(format: "stops[0].street.x == 'Elm'")) }
    }
}
