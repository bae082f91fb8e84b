import Foundation
import Loam
import SeededRandom
import Testing

/// Fetches with indexes, plans and unsaved changes find the models for which the predicate is true.
@Suite("Predicates at random")
struct RandomPredicateTests {
    /// The number of predicates for each seed; LOAM_SOAK raises it.
    private static let rounds = ProcessInfo.processInfo.environment["LOAM_SOAK"] == nil ? 60 : 1_500

    @Test("give what asking every model gives, with changes unsaved and saved", arguments: 1...4 as ClosedRange<UInt64>)
    func fullScan(seed: UInt64) throws {
        var school = try School(seed: seed)
        var compared = 0
        for round in 0..<Self.rounds {
            for _ in 0..<4 { try school.change() }
            if round % 7 == 6 { try school.context.save() }
            if round % 11 == 10 { school.context.rollback() }
            let pupils = try school.context.fetch(FetchDescriptor<Pupil>())
            var random = RandomPredicate(
                random: SeededGenerator(seed: seed << 32 | UInt64(round)), pupils: pupils.map(\.persistentModelID),
                courses: try school.context.fetchIdentifiers(FetchDescriptor<Course>()))
            let predicate = random.predicate()
            let expected = try pupils.filter { try predicate.evaluate($0) }
            try check(predicate, expected, in: school.context, seed, round)
            if round % 7 == 6 { try check(predicate, expected, in: ModelContext(school.container), seed, round) }
            compared += expected.isEmpty ? 0 : 1
        }
        #expect(compared > Self.rounds / 4)
    }

    private func check(
        _ predicate: Predicate<Pupil>, _ expected: [Pupil], in context: ModelContext, _ seed: UInt64, _ round: Int
    ) throws {
        let plain = FetchDescriptor(predicate: predicate)
        let place = "seed \(seed), round \(round): \(plain)"
        let numbers = expected.map(\.number).sorted()
        #expect(try context.fetch(plain).map(\.number).sorted() == numbers, "\(place)")
        #expect(try context.fetchCount(plain) == numbers.count, "\(place)")
        #expect(
            try Set(context.fetchIdentifiers(plain)) == Set(expected.map(\.persistentModelID)), "\(place)")

        var sorted = FetchDescriptor(
            predicate: predicate, sortBy: [SortDescriptor(\.age, order: .reverse), SortDescriptor(\.number)])
        sorted.fetchOffset = round % 3
        sorted.fetchLimit = 5
        let inOrder = expected.sorted { ($1.age, $0.number) < ($0.age, $1.number) }.map(\.number)
        #expect(try context.fetch(sorted).map(\.number) == Array(inOrder.dropFirst(round % 3).prefix(5)), "\(place)")
    }
}
