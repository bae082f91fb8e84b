import Foundation
import Loam
import SeededRandom

/// What a round has done, or several.
package struct PredicateCounts: Sendable {
    package var cases = 0
    /// Cases in which plain Swift said which models match.
    package var judgedBySwift = 0
    /// Cases that found any model.
    package var found = 0
    package var faults = 0

    package init() {}

    package mutating func add(_ other: PredicateCounts) {
        cases += other.cases
        judgedBySwift += other.judgedBySwift
        found += other.found
        faults += other.faults
    }
}

/// Models, changes that are not saved, and fetches, all from one seed: each fetch is held against asking every model.
///
/// `Predicate.evaluate` says what a predicate means. Where Swift would stop, rows have nil instead, and plain Swift says
/// what it means, once for each kind:
/// - an integer result that leaves its type,
/// - an integer division by zero, and what is left of one,
/// - nil that is unwrapped.
///
/// - the first and the last of related rows: by their identifiers in a fetch, in the order of memory for `evaluate`.
///
/// The two agree on everything else that these predicates have. Not asked for, because the two differ by decision:
/// - subscripts of captured collections that are not there: nil in a fetch, an error in `evaluate`;
/// - the order of NaN: last in a fetch, anywhere for `SortDescriptor`;
/// - whole lists and structures that are compared: a fetch refuses them by a typed error.
package struct PredicateRound {
    package static let caseCount = 250
    private static let casesPerState = 5

    private let seed: UInt64

    package init(seed: UInt64) { self.seed = seed }

    /// Asks, until a fetch fails.
    ///
    /// - Parameter report: takes what failed, and then the simplest fetch that still does.
    /// - Throws: what changes and saves throw.
    package func run(cases: Int = caseCount, _ report: (String) -> Void) throws -> PredicateCounts {
        var counts = PredicateCounts()
        var school = try School(seed: seed)
        var state = 0
        while counts.cases < cases, counts.faults == 0 {
            state += 1
            for _ in 0..<4 { try school.change() }
            if state % 7 == 6 { try school.context.save() }
            if state % 11 == 10 { school.context.rollback() }
            // What another context sees is what was saved.
            let context = state % 5 == 4 ? ModelContext(school.container) : school.context
            let place = try Place(context)
            for number in 0..<Self.casesPerState where counts.faults == 0 {
                try ask(
                    ChoiceSequence(seed: seed << 24 | UInt64(state * Self.casesPerState + number)), place, &counts,
                    report)
            }
        }
        return counts
    }

    /// A context with all that it has.
    private struct Place {
        let context: ModelContext
        let pupils: [Pupil]
        let pupilIDs: [PersistentIdentifier]
        let courseIDs: [PersistentIdentifier]

        init(_ context: ModelContext) throws {
            self.context = context
            pupils = try context.fetch(FetchDescriptor<Pupil>())
            pupilIDs = pupils.map(\.persistentModelID)
            courseIDs = try context.fetchIdentifiers(FetchDescriptor<Course>())
        }

        func makeCase(_ choices: inout ChoiceSequence) -> PredicateCase {
            PredicateCase(&choices, pupils: pupilIDs, courses: courseIDs)
        }

        /// What is wrong with what the context gives; nil where nothing is.
        func fault(of made: PredicateCase, _ expected: [Pupil]) -> String? {
            let numbers = expected.map(\.number)
            do {
                let fetched = try context.fetch(made.descriptor).map(\.number)
                if fetched != numbers { return "gives \(fetched), not \(numbers)" }
                let count = try context.fetchCount(made.descriptor)
                if count != numbers.count { return "counts \(count), not \(numbers.count)" }
                let identifiers = try context.fetchIdentifiers(made.descriptor)
                let isRight = identifiers == expected.map(\.persistentModelID)
                return isRight ? nil : "gives identifiers of others than \(numbers)"
            } catch {
                return "throws \(error)"
            }
        }
    }

    private func ask(
        _ choices: ChoiceSequence, _ place: Place, _ counts: inout PredicateCounts, _ report: (String) -> Void
    ) throws {
        var choices = choices
        let made = place.makeCase(&choices)
        let expected = try made.expected(of: place.pupils)
        counts.cases += 1
        if made.isJudgedBySwift { counts.judgedBySwift += 1 }
        if !expected.isEmpty { counts.found += 1 }
        guard let fault = place.fault(of: made, expected) else { return }
        counts.faults += 1
        report("seed \(seed): \(made.descriptor)\n\(fault)")
        let smallest = ChoiceSequence.smallest(choices.drawn) { choices in
            var choices = ChoiceSequence(replaying: choices)
            let made = place.makeCase(&choices)
            guard let expected = try? made.expected(of: place.pupils) else { return false }
            return place.fault(of: made, expected) != nil
        }
        choices = ChoiceSequence(replaying: smallest)
        let simple = place.makeCase(&choices)
        guard let expected = try? simple.expected(of: place.pupils), let fault = place.fault(of: simple, expected)
        else {
            return
        }
        report("made smaller: \(simple.descriptor)\n\(fault)")
    }
}
