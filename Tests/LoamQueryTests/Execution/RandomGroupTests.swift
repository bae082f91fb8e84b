import Foundation
import LoamQuery
import RandomQueries
import SeededRandom
import Testing

@testable import LoamStorage

/// Groups of stored rows, under pending changes too, are those that plain Swift makes of a full scan.
@Suite struct RandomGroupTests {
    @Test(
        arguments: [(seed: 31, longStrings: false), (seed: 32, longStrings: true), (seed: 33, longStrings: false)]
            as [(seed: UInt64, longStrings: Bool)])
    func groupsEqualAFullScan(seed: UInt64, longStrings: Bool) throws {
        let sample = try SampleStore(seed: seed, rowCount: 120, longStrings: longStrings)
        var (grouped, failed, fromIndexes) = (0, 0, 0)
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            for number in 0..<UInt64(400) {
                let seed = seed << 32 | number
                var generator = SeededGenerator(seed: seed)
                let (overlay, rows) =
                    number % 3 == 0 ? (nil, sample.rows) : { ($0.0, $0.1) }(sample.overlay(of: entity, &generator))
                let query = Self.query(over: entity, sample.rows.map(\.rowID), &generator, seed: seed)
                let scan = FullScan(entity: entity, rows: rows)
                let expected = Result { try scan.groups(of: query, sum: Self.sum, average: Self.average) }
                let plan = try GroupedPlan(query, in: snapshot)
                if case .rows = plan.method {} else { fromIndexes += 1 }
                for memory in [GroupedPlan.usualMemory, 1_500] {
                    var work = Work()
                    let found = Result {
                        try plan.groups(in: snapshot, overlay: overlay, memory: memory, work: &work)
                    }
                    switch (expected, found) {
                    case (.success(let expected), .success(let found)):
                        try #require(
                            found == expected, "seed \(seed): \(plan.explanation())\n\(found)\nnot \(expected)")
                        grouped += found.count
                    case (.failure(is FullScan.SumLeavesItsType), .failure(let error as QueryError)):
                        guard case .sumOutOfRange = error.kind else { throw error }
                        failed += 1
                    case (.success(let expected), .failure(let error)):
                        Issue.record("seed \(seed): \(plan.explanation())\nthrows \(error), not \(expected)")
                        return
                    case (.failure(let error), _):
                        // No group is made where none is wanted.
                        guard query.limit == 0, error is FullScan.SumLeavesItsType else { throw error }
                    }
                }
            }
        }
        #expect(grouped > 500 && failed > 10 && fromIndexes > 20, "\(grouped) \(failed) \(fromIndexes)")
    }

    private static func sum(_ terms: [Decimal]) -> Decimal? { total(terms).map(\.decimal) ?? .nan }

    private static func average(_ terms: [Decimal]) -> Decimal? {
        guard let total = total(terms) else { return .nan }
        return ExactDecimal.result(.divide, left: total, right: ExactDecimal(terms.count))?.decimal
    }

    /// Nil where one is NaN.
    private static func total(_ terms: [Decimal]) -> ExactDecimal? {
        var total: ExactDecimal? = ExactDecimal(0)
        for term in terms {
            guard let left = total, let right = ExactDecimal(term) else { return nil }
            total = ExactDecimal.result(.add, left: left, right: right)
        }
        return total
    }

    private static let ordered = [
        "id", "small", "count", "size", "weight", "price", "name", "note", "day", "flag", "key", "blob", "link",
        "address.city", "address.zip",
    ]
    private static let numbers = ["id", "small", "count", "size", "weight", "price", "address.zip"]

    private static func query(
        over entity: Entity, _ rowIDs: [RowID], _ generator: inout SeededGenerator, seed: UInt64
    ) -> GroupedQuery {
        func chance(_ share: Int) -> Bool { generator.percent(share) }
        func pick<Element>(_ elements: [Element]) -> Element {
            elements[Int.random(in: elements.indices, using: &generator)]
        }
        var source = RandomQuery(entity, seed: seed)
        let predicate = chance(30) ? nil : source.query(rowIDs: rowIDs[0]...rowIDs[rowIDs.count - 1]).predicate
        var query = GroupedQuery(entity: entity.name, predicate: predicate)
        for _ in 0..<pick([0, 1, 1, 1, 2, 3]) {
            let key = pick(ordered)
            if !query.keys.contains(key) { query.keys.append(key) }
        }
        func aggregate() -> GroupAggregate {
            switch Int.random(in: 0...6, using: &generator) {
            case 0...1: .count
            case 2: GroupAggregate(.count, of: pick(ordered))
            case 3: GroupAggregate(.sum, of: pick(numbers))
            case 4: GroupAggregate(.average, of: pick(numbers))
            default: GroupAggregate(pick([.minimum, .maximum]), of: pick(ordered))
            }
        }
        for _ in 0..<(chance(40) ? 1 : Int.random(in: query.keys.isEmpty ? 1...3 : 0...3, using: &generator)) {
            let aggregate = aggregate()
            if !query.aggregates.contains(aggregate) { query.aggregates.append(aggregate) }
        }
        if chance(30) {
            let condition = QueryPredicate.comparison(
                .keyPath([GroupAggregate.count.name]), pick([.greater, .less, .notEqual]),
                .constant(.int(pick([0, 1, 3]))),
                .none)
            query.having = chance(50) ? condition : .not(condition)
            if !query.aggregates.contains(.count) { query.aggregates.append(.count) }
        }
        for _ in 0..<pick([0, 0, 1, 2]) {
            let name = chance(50) || query.keys.isEmpty ? aggregate().name : pick(query.keys)
            query.sort.append(SortKey(name, direction: chance(50) ? .ascending : .descending))
        }
        if chance(30) { query.limit = pick([0, 1, 3, 20]) }
        if chance(20) { query.offset = pick([1, 2, 10]) }
        return query
    }
}
