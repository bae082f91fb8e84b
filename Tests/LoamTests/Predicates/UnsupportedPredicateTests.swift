import Testing

@testable import Loam

@Suite("A predicate that cannot be run is refused by name")
struct UnsupportedPredicateTests {
    private func refusal(_ predicate: Predicate<Book>) -> SwiftDataError? {
        #expect(throws: SwiftDataError.self) { try PredicateLowering.lower(predicate) }
    }

    @Test func partsAreNamed() {
        let part = refusal(#Predicate { $0.tags.contains(["a", "b"]) })
        #expect(part == .unsupportedPredicate)
        #expect(part?.detail == "Not supported in a fetch: contains(_:) of a collection in a collection.")
        #expect(refusal(#Predicate { $0.tags.starts(with: ["a"]) }) == .unsupportedPredicate)
    }

    @Test func propertiesThatAreNotStoredAreKeyPaths() {
        #expect(refusal(#Predicate { $0.shout == "a" }) == .unsupportedKeyPath)
        #expect(refusal(#Predicate { $0.isOpen }) == .unsupportedKeyPath)
        #expect(refusal(#Predicate { $0.genre.isProse }) == .unsupportedKeyPath)
    }
}
