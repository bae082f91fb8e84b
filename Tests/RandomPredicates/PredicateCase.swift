import Foundation
import Loam

/// A fetch of pupils at random, with what says which of them it has to find.
struct PredicateCase {
    let descriptor: FetchDescriptor<Pupil>
    /// Whether the predicate holds.
    let holds: (Pupil) throws -> Bool
    /// Whether ``holds`` is plain Swift, and not `Predicate.evaluate`.
    let isJudgedBySwift: Bool

    /// - Parameters:
    ///   - choices: are drawn from.
    ///   - pupils: the identifiers that predicates ask for.
    init(_ choices: inout ChoiceSequence, pupils: [PersistentIdentifier], courses: [PersistentIdentifier]) {
        var random = RandomPredicate(random: choices, pupils: pupils, courses: courses)
        isJudgedBySwift = random.chance(15)
        var descriptor: FetchDescriptor<Pupil>
        if isJudgedBySwift {
            let (predicate, holds) = random.judgedPredicate()
            descriptor = FetchDescriptor(predicate: predicate)
            self.holds = holds
        } else {
            let predicate = random.predicate()
            descriptor = FetchDescriptor(predicate: predicate)
            holds = { try predicate.evaluate($0) }
        }
        if random.chance(60) { descriptor.sortBy = random.sort() }
        if random.chance(40) { descriptor.fetchLimit = random.pick([5, 0, 1, 2, 12]) }
        if random.chance(30) { descriptor.fetchOffset = random.pick([1, 2, 7]) }
        self.descriptor = descriptor
        choices = random.random
    }

    /// The pupils that the fetch must give, in order: every one is asked, and compared as Foundation's descriptors do.
    ///
    /// - Throws: what `Predicate.evaluate` throws.
    func expected(of pupils: [Pupil]) throws -> [Pupil] {
        // Whoever is equal in all keys comes in the order of insertion, against it where the last key is descending.
        let isReversed = descriptor.sortBy.last?.order == .reverse
        let sorted = try pupils.filter(holds).sorted { left, right in
            for descriptor in descriptor.sortBy {
                switch descriptor.compare(left, right) {
                case .orderedAscending: return true
                case .orderedDescending: return false
                case .orderedSame: continue
                }
            }
            return isReversed ? left.number > right.number : left.number < right.number
        }
        return Array(sorted.dropFirst(descriptor.fetchOffset ?? 0).prefix(descriptor.fetchLimit ?? .max))
    }
}

extension RandomPredicate {
    mutating func sort() -> [SortDescriptor<Pupil>] {
        (0..<number(1...3)).map { _ in
            let order: SortOrder = chance(50) ? .reverse : .forward
            return switch number(0...14) {
            case 0: SortDescriptor(\.age, order: order)
            case 1: SortDescriptor(\.name, order: order)
            case 2: SortDescriptor(\.nickname, order: order)
            case 3: SortDescriptor(\.points, order: order)
            case 4: SortDescriptor(\.score, order: order)
            case 5: SortDescriptor(\.joined, order: order)
            case 6: SortDescriptor(\.price, order: order)
            case 7: SortDescriptor(\.course?.level, order: order)
            case 8: SortDescriptor(\.course?.room, order: order)
            case 9: SortDescriptor(\.course?.tutor?.points, order: order)
            case 10: SortDescriptor(\.address.city, order: order)
            case 11: SortDescriptor(\.address.zip, order: order)
            case 12: SortDescriptor(\.house.rawValue, order: order)
            case 13: SortDescriptor(\.course?.tutor?.name, comparator: .localized, order: order)
            default: SortDescriptor(\.number, order: order)
            }
        }
    }
}
