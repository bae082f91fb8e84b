import Testing

@testable import Loam

@Suite("A predicate that cannot be run is refused by name")
struct UnsupportedPredicateTests {
    private func refusal(_ predicate: Predicate<Book>) -> SwiftDataError? {
        #expect(throws: SwiftDataError.self) { try PredicateLowering.lower(predicate) }
    }

    @Test func partsAreNamed() {
        let part = refusal(#Predicate { $0.tags.filter { $0 > "a" } == ["b"] })
        #expect(part == .unsupportedPredicate)
        #expect(part?.detail == "Not supported in a fetch: filtered elements used as a value.")
    }

    @Test func propertiesThatAreNotStoredAreKeyPaths() {
        #expect(refusal(#Predicate { $0.shout == "a" }) == .unsupportedKeyPath)
        #expect(refusal(#Predicate { $0.isOpen }) == .unsupportedKeyPath)
        #expect(refusal(#Predicate { $0.genre.isProse }) == .unsupportedKeyPath)
    }
}
