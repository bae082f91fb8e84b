import Foundation
import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// A row has the same place in a live result whether the place comes from all rows in the order of a plan, from the row
/// alone, or from its values.
@Suite struct PlacementRuleTests {
    private typealias Placed = (rowID: RowID, place: PlacementRule.Placement)

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func placesOfAllRowsAndOfEachAreThoseOfTheirValues(seed: UInt64) throws {
        let sample = try SampleStore(seed: seed, rowCount: 100, longStrings: seed % 2 == 0)
        var random = SeededGenerator(seed: seed)
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            let scan = FullScan(entity: entity, rows: sample.rows)
            let ids = sample.rows[0].rowID...sample.rows[sample.rows.count - 1].rowID
            for number in 0..<200 as Range<UInt64> {
                var source = RandomQuery(entity, seed: seed << 32 | number)
                var query = source.query(rowIDs: ids)
                (query.limit, query.offset, query.columns, query.result) = (nil, 0, [], .rows)
                if let section = try ResolvedQuery(query, in: entity).section, random.percent(70) {
                    // The neighbour of nil, or any section that there is, in the middle of the others.
                    let values = sample.rows.map { section.value(in: $0.values) }.filter { !$0.isNull }
                    let isEmpty = section.type == .string && random.percent(30)
                    query.sectionOfNil = isEmpty ? .string("") : values.randomElement(using: &random)
                }
                let rule = try PlacementRule(ResolvedQuery(query, in: entity))
                let expected = try places(of: scan.matches(query), rule)
                var found: [Placed] = []
                try rule.forEachRow(in: snapshot) { found.append(($0, $1)) }
                let isEqual = found.map(\.rowID) == expected.map(\.rowID) && found.map(\.place) == expected.map(\.place)
                try #require(isEqual, "seed \(seed << 32 | number), order \(rule.query.order)")
                let byID = Dictionary(uniqueKeysWithValues: expected.map { ($0.rowID, $0.place) })
                for row in sample.rows {
                    let place = try rule.placement(of: row.rowID, in: snapshot)
                    try #require(place == byID[row.rowID], "seed \(seed << 32 | number), row \(row.rowID)")
                }
                var first: [Placed] = []
                try rule.forEachRow(in: snapshot, limit: 7) { first.append(($0, $1)) }
                try #require(first.map(\.place) == expected.prefix(7).map(\.place), "seed \(seed << 32 | number)")
            }
        }
    }

    /// The rows with their places, in order.
    private func places(
        of rows: [(rowID: RowID, values: [Value])], _ rule: PlacementRule
    ) throws -> [Placed] {
        let placed = try rows.map { row in
            var place = PlacementRule.Placement(key: [], sectionCount: 0, section: .null)
            for (number, key) in rule.query.order.enumerated() {
                var value = key.path.value(in: row.values)
                let isSection = number == 0 && rule.query.section != nil
                if isSection {
                    if value.isNull { value = rule.query.sectionOfNil ?? .null }
                    place.section = value
                }
                let component = try KeyComponent(
                    key.path.type, isOptional: true, direction: key.direction, form: key.form, share: 1 << 20)
                try component.append(value, to: &place.key)
                if isSection { place.sectionCount = place.key.count }
            }
            return (rowID: row.rowID, place: place)
        }
        return placed.sorted { left, right in
            if left.place.key != right.place.key { return left.place.key.lexicographicallyPrecedes(right.place.key) }
            return rule.rowIDDirection == .ascending ? left.rowID < right.rowID : left.rowID > right.rowID
        }
    }
}
