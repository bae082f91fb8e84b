import Foundation
import LoamQuery
import SeededRandom
import Testing

@testable import Loam

@Model final class Shipment {
    struct Address: Codable, Hashable {
        var street: String
        var number: Int?
        var tags: [String] = []
    }
    enum State: String, Codable, CaseIterable { case open, sent }

    var id: Int
    var name: String
    var tags: [String]
    var codes: [Int]?
    var marks: Set<String>
    var other: Set<String>
    var weights: [Double]
    var scores: [String: Int]
    var home: Address
    var description: Address?
    var stops: [Address]
    var state: State
    var states: [State]
    var size: Int8
    var price: Decimal
    var due: Date?
    var next: Shipment?
    @Relationship(inverse: \Shipment.next) var before: [Shipment] = []

    init(_ id: Int, _ random: inout SeededGenerator) {
        func few<T>(_ values: [T]) -> [T] {
            (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in values.randomElement(using: &random) }
        }
        func address() -> Address {
            Address(
                street: ["Elm", "Oak", "Cafe\u{301}"].randomElement(using: &random) ?? "",
                number: [nil, 1, 2].randomElement(using: &random) ?? nil, tags: few(["a", "b"]))
        }
        self.id = id
        name = ["", "a", "ab", "abc"].randomElement(using: &random) ?? ""
        tags = few(["a", "b", "c"])
        codes = Bool.random(using: &random) ? few([1, 2]) : nil
        marks = Set(few(["a", "b", "c"]))
        other = Set(few(["a", "b"]))
        weights = few([0.0, -0.0, 1.5, .nan])
        scores = Dictionary(few(["a", "b"]).map { ($0, 1) }) { first, _ in first + 1 }
        home = address()
        description = Bool.random(using: &random) ? address() : nil
        stops = few([address(), address()])
        state = Bool.random(using: &random) ? .open : .sent
        states = few([.open, .sent])
        size = Int8.random(in: -3...3, using: &random)
        price = Decimal(Int.random(in: 0...2, using: &random))
        due = Bool.random(using: &random) ? Date(timeIntervalSinceReferenceDate: 0) : nil
    }
}

@Suite("What compiles in a predicate runs")
@MainActor
struct CompositePredicateTests {
    private let context: ModelContext
    private let all: [Shipment]

    /// Shipments of which a quarter is not saved.
    init() throws {
        var random = SeededGenerator(seed: 99)
        context = ModelContext(try memoryContainer(Shipment.self))
        var made: [Shipment] = []
        for id in 0..<160 {
            let shipment = Shipment(id, &random)
            context.insert(shipment)
            shipment.next = Bool.random(using: &random) ? made.randomElement(using: &random) : nil
            made.append(shipment)
            if id == 120 { try context.save() }
        }
        for shipment in made.prefix(10) { shipment.tags = ["a", "b"] }
        all = made
    }

    /// The fetch finds what the closure says in memory, and so does the format that the predicate prints.
    private func expect(_ predicate: Predicate<Shipment>, _ line: Int = #line) throws {
        let expected = try all.filter { try predicate.evaluate($0) }.map(\.id)
        let found = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.id)])).map(\.id)
        #expect(found == expected, "line \(line)")
        let text = try predicate.predicateFormat
        let format = try Predicate<Shipment>(format: text)
        let again = try context.fetch(FetchDescriptor(predicate: format, sortBy: [SortDescriptor(\.id)])).map(\.id)
        #expect(again == expected, "line \(line): \(text)")
        let written = try PredicateLowering.lower(predicate).description
        let read = try Predicate<Shipment>(format: written)
        #expect(
            try context.fetch(FetchDescriptor(predicate: read, sortBy: [SortDescriptor(\.id)])).map(\.id) == expected,
            "line \(line): \(written)")
    }

    @Test("equality of arrays, sets, dictionaries and structures")
    func equality() throws {
        let home = Shipment.Address(street: "Elm", number: 1, tags: ["a"])
        let accented = Shipment.Address(street: "Caf\u{e9}", number: nil)
        let none: Shipment.Address? = nil
        try expect(#Predicate { $0.tags == ["a", "b"] })
        try expect(#Predicate { $0.tags != ["a"] })
        try expect(#Predicate { $0.tags == [] })
        try expect(#Predicate { $0.codes == [1] })
        try expect(#Predicate { $0.codes != [1, 2] })
        try expect(#Predicate { $0.codes == nil })
        try expect(#Predicate { $0.marks == ["b", "a"] })
        try expect(#Predicate { $0.marks != ["c"] })
        try expect(#Predicate { $0.marks == $0.other })
        try expect(#Predicate { $0.weights == [0.0] })
        try expect(#Predicate { $0.weights == [.nan] })
        try expect(#Predicate { $0.scores == ["a": 1] })
        try expect(#Predicate { $0.scores != [:] })
        try expect(#Predicate { $0.home == home })
        try expect(#Predicate { $0.home == accented })
        try expect(#Predicate { $0.description == home })
        try expect(#Predicate { $0.description != home })
        try expect(#Predicate { $0.description == none })
        try expect(#Predicate { $0.description == $0.home })
        try expect(#Predicate { !($0.home == home || $0.tags == ["a"]) })
        try expect(#Predicate { $0.stops == [home] })
        try expect(#Predicate { $0.states == [.open] })
        try expect(#Predicate { $0.next?.tags == ["a"] })
        try expect(#Predicate { $0.next?.home == home })
        try expect(#Predicate { $0.before.contains { $0.home == home } })
        let homes = [home, accented]
        try expect(#Predicate { homes.contains($0.home) })
        let lists = [["a"], ["a", "b"]]
        try expect(#Predicate { lists.contains($0.tags) })
    }

    @Test("closures over stored arrays, and what is asked of their elements")
    func elements() throws {
        let home = Shipment.Address(street: "Elm", number: 1, tags: ["a"])
        try expect(#Predicate { $0.tags.contains { $0 == "a" } })
        try expect(#Predicate { $0.tags.contains { $0.isEmpty } })
        try expect(#Predicate { $0.tags.allSatisfy { $0 > "a" } })
        try expect(#Predicate { $0.tags.filter { $0 != "b" }.count > 1 })
        try expect(#Predicate { $0.tags.filter { $0 != "b" }.isEmpty })
        try expect(#Predicate { $0.tags.filter { $0 != "b" }.contains("a") })
        try expect(#Predicate { $0.tags.filter { $0 != "b" }.allSatisfy { $0 == "a" } })
        try expect(#Predicate { shipment in shipment.tags.contains { $0 == shipment.name } })
        try expect(#Predicate { $0.tags.count == 2 })
        try expect(#Predicate { $0.tags.isEmpty })
        try expect(#Predicate { $0.tags.first == "a" })
        try expect(#Predicate { $0.tags.last == "b" })
        try expect(#Predicate { $0.weights.count > $0.tags.count })
        try expect(#Predicate { ($0.codes?.count ?? 0) > 1 })
        try expect(#Predicate { $0.codes?.contains(2) == true })
        try expect(#Predicate { ($0.codes?.max() ?? 0) == 2 })
        try expect(#Predicate { $0.codes?.isEmpty == true })
        try expect(#Predicate { $0.tags.min() == "a" })
        try expect(#Predicate { $0.stops.contains { $0.street == "Elm" } })
        try expect(#Predicate { $0.stops.contains { $0.number == nil && $0.street != "Oak" } })
        try expect(#Predicate { $0.stops.allSatisfy { $0.number == 1 } })
        try expect(#Predicate { $0.stops.filter { $0.street == "Elm" }.count == 1 })
        try expect(#Predicate { $0.stops.contains { $0.tags.contains("a") } })
        try expect(#Predicate { $0.stops.contains(home) })
        try expect(#Predicate { shipment in shipment.stops.contains { $0 == shipment.home } })
        try expect(#Predicate { $0.stops.count == 2 })
        try expect(#Predicate { $0.states.contains(.open) })
        try expect(#Predicate { $0.home.tags.contains("a") })
        try expect(#Predicate { $0.home.tags.count == 1 })
        try expect(#Predicate { $0.next?.tags.contains { $0 == "a" } == true })
        try expect(#Predicate { $0.before.contains { $0.tags.contains { $0 == "b" } } })
        try expect(#Predicate { $0.marks.contains("a") })
        try expect(#Predicate { $0.scores["a"] == 1 })
        try expect(#Predicate { $0.scores["b", default: 0] > 0 })
        try expect(#Predicate { $0.name.count > 1 })
        try expect(#Predicate { $0.name.count == $0.tags.count })
    }

    @Test("a subscript that is not there is nil in a fetch")
    func subscripts() throws {
        let found = try context.fetch(FetchDescriptor<Shipment>(predicate: #Predicate { $0.tags[1] == "b" }))
        #expect(Set(found.map(\.id)) == Set(all.filter { $0.tags.count > 1 && $0.tags[1] == "b" }.map(\.id)))
    }

    @Test("formats compare lists with arrays, and name members of elements")
    func formats() throws {
        func count(_ format: String, _ arguments: Any?...) throws -> Int {
            try context.fetchCount(
                FetchDescriptor(predicate: try Predicate<Shipment>(format: format, argumentArray: arguments)))
        }
        #expect(try count("tags == {'a', 'b'}") == all.count { $0.tags == ["a", "b"] })
        #expect(try count("tags == %@", ["a", "b"]) == all.count { $0.tags == ["a", "b"] })
        #expect(try count("{'a'} != tags") == all.count { $0.tags != ["a"] })
        #expect(try count("tags IN {{'a'}, {'b', 'a'}}") == all.count { [["a"], ["b", "a"]].contains($0.tags) })
        #expect(try count("weights == {0, 1.5}") == all.count { $0.weights == [0, 1.5] })
        #expect(
            try count("SUBQUERY(stops, $s, $s.street == 'Elm').@count > 0")
                == all.count { $0.stops.contains { $0.street == "Elm" } })
        #expect(try count("description == home") == all.count { $0.description == $0.home })
        #expect(throws: SwiftDataError.unsupportedPredicate) { try count("tags == {1, 2}") }
        #expect(throws: SwiftDataError.unsupportedPredicate) { try count("tags == home") }
        #expect(throws: SwiftDataError.unsupportedPredicate) { try count("tags < {'a'}") }
        #expect(throws: SwiftDataError.unsupportedPredicate) { try count("name == {'a'}") }
    }
}
