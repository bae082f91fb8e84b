import Testing

@testable import Loam

@Suite("A predicate that cannot be run is refused by name")
struct UnsupportedPredicateTests {
    private func refusal(_ predicate: Predicate<Book>) -> SwiftDataError? {
        #expect(throws: SwiftDataError.self) { try PredicateLowering.lower(predicate) }
    }

    @Test func partsAreNamed() {
        let element = refusal(#Predicate { $0.tags[0] == "a" })
        #expect(element == .unsupportedPredicate)
        #expect(element?.detail == "Not supported in a fetch: a subscript that depends on the row.")
        #expect(refusal(#Predicate { $0.title.count > 3 }) == .unsupportedPredicate)
        #expect(refusal(#Predicate { $0.tags.contains { $0.isEmpty } }) == .unsupportedPredicate)
    }

    @Test func propertiesThatAreNotStoredAreKeyPaths() {
        #expect(refusal(#Predicate { $0.shout == "a" }) == .unsupportedKeyPath)
        #expect(refusal(#Predicate { $0.isOpen }) == .unsupportedKeyPath)
        #expect(refusal(#Predicate { $0.genre.isProse }) == .unsupportedKeyPath)
    }
}
