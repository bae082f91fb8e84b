import Foundation
import RandomPredicates
import Testing

/// Fetches with indexes, plans and unsaved changes find the models for which the predicate is true. `campaigns
/// predicates` does the same for longer.
@Suite("Predicates at random")
struct RandomPredicateTests {
    @Test("give what asking every model gives, with changes unsaved and saved", arguments: 1...4 as ClosedRange<UInt64>)
    func fullScan(seed: UInt64) throws {
        var reports: [String] = []
        let counts = try PredicateRound(seed: seed).run(cases: 120) { reports.append($0) }
        #expect(reports == [])
        #expect(counts.found > counts.cases / 4)
        #expect(counts.judgedBySwift > counts.cases / 20)
    }
}
