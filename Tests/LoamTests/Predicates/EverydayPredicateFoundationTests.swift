import Foundation
import Loam
import Testing

// The twin of this file differs from it in an import and a name: a predicate is written alike in both.

@Suite("Predicates as people write them beside Foundation")
struct EverydayPredicateFoundationTests {
    private let store: JourneyStore
    private let noon = JourneyStore.noon

    init() throws { store = try JourneyStore() }

    @Test("Identifiers of the application's own")
    func ownIdentifiers() throws {
        let (wanted, text) = (store.journeys[4].id, store.halts[2].id)
        let (maybe, none): (UUID?, UUID?) = (wanted, nil)
        let ids = store.journeys[2...5].map(\.id)
        let texts: Set<String> = ["1-0", "5-1", "?"]
        #expect(try store.agree(#Predicate<Journey> { $0.id == wanted }) { $0.id == wanted })
        #expect(try store.agree(#Predicate<Journey> { $0.id != wanted }) { $0.id != wanted })
        #expect(try store.agree(#Predicate<Journey> { $0.id == maybe }) { $0.id == maybe })
        #expect(try store.agree(#Predicate<Journey> { $0.id == none }, with: { _ in false }, findsAny: false))
        #expect(try store.agree(#Predicate<Journey> { ids.contains($0.id) }) { ids.contains($0.id) })
        #expect(
            try store.agree(#Predicate<Journey> { !ids.contains($0.id) && $0.count > 1 }) {
                !ids.contains($0.id) && $0.count > 1
            })
        #expect(try store.agree(#Predicate<Halt> { $0.id == text }) { $0.id == text })
        #expect(try store.agree(#Predicate<Halt> { texts.contains($0.id) }) { texts.contains($0.id) })
        #expect(try store.agree(#Predicate<Halt> { $0.journey?.id == wanted }) { $0.journey?.id == wanted })
        #expect(
            try store.agree(#Predicate<Journey> { $0.halts.contains { $0.id == text } }) {
                $0.halts.contains { $0.id == text }
            })
        #expect(try store.agree(#Predicate<Coupon> { $0.id == 3 }) { $0.id == 3 })
        let context = store.context
        #expect(try context.fetchCount(FetchDescriptor(predicate: #Predicate { (halt: Halt) in halt.id == text })) == 1)
        #expect(try context.fetchCount(FetchDescriptor<Journey>(predicate: #Predicate { $0.id == wanted })) == 1)
    }

    @Test("Identifiers that models have")
    func identifiers() throws {
        let (land, journey) = (store.lands[0].id, store.journeys[3].persistentModelID)
        let journeys = Set(store.journeys.prefix(3).map(\.persistentModelID))
        #expect(try store.agree(#Predicate<Land> { $0.id == land }) { $0.id == land })
        #expect(try store.agree(#Predicate<Journey> { $0.land?.id == land }) { $0.land?.id == land })
        #expect(try store.agree(#Predicate<Journey> { $0.land?.persistentModelID == land }) { $0.land?.id == land })
        #expect(
            try store.agree(#Predicate<Journey> { $0.persistentModelID == journey }) {
                $0.persistentModelID == journey
            })
        #expect(
            try store.agree(#Predicate<Journey> { journeys.contains($0.persistentModelID) }) {
                journeys.contains($0.persistentModelID)
            })
        #expect(try store.agree(#Predicate<Halt> { $0.journey?.land?.id == land }) { $0.journey?.land?.id == land })
    }

    @Test("Properties of names that other types have")
    func names() throws {
        #expect(try store.agree(#Predicate<Halt> { $0.rawValue == 1 }) { $0.rawValue == 1 })
        #expect(try store.agree(#Predicate<Journey> { $0.stage.rawValue == "done" }) { $0.stage == .done })
        #expect(try store.agree(#Predicate<Journey> { $0.count > 2 && !$0.isEmpty }) { $0.count > 2 })
        #expect(try store.agree(#Predicate<Journey> { $0.description == "about fjord 1" }) { $0.name == "fjord 1" })
        #expect(
            try store.agree(#Predicate<Journey> { $0.hash == "#3" || $0.isDeleted }) {
                $0.hash == "#3" || $0.isDeleted
            })
        #expect(try store.agree(#Predicate<Journey> { $0.first == 4 }) { $0.first == 4 })
    }

    @Test("Functions of values")
    func functions() throws {
        let wanted = "FJORD 1".lowercased()
        #expect(try store.agree(#Predicate<Journey> { $0.name.lowercased() == wanted }) { $0.name == "fjord 1" })
        #expect(
            try store.agree(#Predicate<Journey> { $0.name.lowercased().contains("jord") && $0.count > 1 }) {
                $0.name.lowercased().contains("jord") && $0.count > 1
            })
        #expect(
            try store.agree(#Predicate<Journey> { $0.name.uppercased().starts(with: "FJORD ") }) {
                $0.name.hasPrefix("fjord ")
            })
        #expect(try store.agree(#Predicate<Journey> { $0.count % 2 == 1 }) { $0.count % 2 == 1 })
        #expect(try store.agree(#Predicate<Journey> { -$0.count % 3 + 1 == 0 }) { -$0.count % 3 + 1 == 0 })
    }

    @Test("Captured values that may be nil, and are asked first")
    func captures() throws {
        func atMost(_ limit: Int?) -> Predicate<Journey> { #Predicate { limit == nil || $0.count < limit! } }
        #expect(try store.agree(atMost(nil)) { _ in true })
        #expect(try store.agree(atMost(2)) { $0.count < 2 })
        func named(_ text: String?) -> Predicate<Journey> {
            #Predicate { text == nil || $0.name.localizedStandardContains(text!) }
        }
        #expect(try store.agree(named(nil)) { _ in true })
        #expect(try store.agree(named("FJORD")) { $0.name.lowercased().contains("fjord") })
        func within(_ journey: Journey?) -> Predicate<Journey> {
            #Predicate { journey == nil || $0.start >= journey!.start }
        }
        #expect(try store.agree(within(nil)) { _ in true })
        let last = store.journeys[9]
        #expect(try store.agree(within(last)) { $0.start >= last.start })
        func named(_ names: [String], at index: Int) -> Predicate<Journey> {
            #Predicate { index >= names.count || $0.name == names[index] }
        }
        #expect(try store.agree(named(["fjord 1"], at: 0)) { $0.name == "fjord 1" })
        #expect(try store.agree(named(["fjord 1"], at: 1)) { _ in true })
        func share(_ total: Int, of parts: Int) -> Predicate<Journey> {
            #Predicate { parts == 0 || $0.count < total / parts }
        }
        #expect(try store.agree(share(9, of: 0)) { _ in true })
        #expect(try store.agree(share(9, of: 3)) { $0.count < 3 })
        func between(_ low: Int, _ high: Int) -> Predicate<Journey> {
            #Predicate { (low...high).contains($0.count) }
        }
        #expect(try store.agree(between(1, 3)) { (1...3).contains($0.count) })
        #expect(try store.agree(between(3, 1), with: { _ in false }, findsAny: false))
    }

    @Test("Optionals, text, enums, dates and relationships")
    func others() throws {
        let (now, stage) = (noon.addingTimeInterval(18_000), Stage.booked)
        let letter: Character = "j"
        let stages: [Stage] = [.planned, .done]
        #expect(
            try store.agree(#Predicate<Journey> { $0.end != nil && $0.end! < now }) {
                $0.end.map { $0 < now } ?? false
            })
        #expect(try store.agree(#Predicate<Journey> { $0.budget! > 50 }) { ($0.budget ?? 0) > 50 })
        #expect(try store.agree(#Predicate<Journey> { ($0.budget ?? 0) < 50 }) { ($0.budget ?? 0) < 50 })
        #expect(
            try store.agree(#Predicate<Journey> { $0.start < now && $0.stage == stage }) {
                $0.start < now && $0.stage == stage
            })
        #expect(try store.agree(#Predicate<Journey> { $0.stage != .done }) { $0.stage != .done })
        #expect(try store.agree(#Predicate<Journey> { stages.contains($0.stage) }) { stages.contains($0.stage) })
        #expect(try store.agree(#Predicate<Journey> { $0.name.contains(letter) }) { $0.name.contains("j") })
        #expect(try store.agree(#Predicate<Journey> { $0.name.contains("j") }) { $0.name.contains("j") })
        #expect(try store.agree(#Predicate<Journey> { $0.name.starts(with: "Isl") }) { $0.name.hasPrefix("Isl") })
        #expect(try store.agree(#Predicate<Journey> { $0.land == nil }) { $0.land == nil })
        #expect(
            try store.agree(#Predicate<Journey> { $0.land?.name.contains("Å") == true }) {
                $0.land?.name.contains("Å") == true
            })
        #expect(
            try store.agree(#Predicate<Journey> { $0.halts.contains(where: { $0.rawValue == 1 }) }) {
                $0.halts.contains { $0.rawValue == 1 }
            })
        #expect(
            try store.agree(#Predicate<Journey> { $0.halts.isEmpty || $0.halts.count > 1 }) {
                $0.halts.isEmpty || $0.halts.count > 1
            })
        #expect(
            try store.agree(#Predicate<Halt> { $0.tags.contains("quay") && $0.journey?.isFavorite != true }) {
                $0.tags.contains("quay") && $0.journey?.isFavorite != true
            })
    }
}
