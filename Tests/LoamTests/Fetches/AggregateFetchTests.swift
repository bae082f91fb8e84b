import Foundation
import Testing

@testable import Loam

@Suite("Aggregates")
struct AggregateFetchTests {
    @Test("of all models are what plain Swift makes of the objects", arguments: [11, 12, 13] as [UInt64])
    func equalPlainSwift(seed: UInt64) throws {
        let store = try SoundingStore(seed: seed)
        let context = store.context
        for (predicate, holds) in SoundingStore.conditions {
            let models = try store.soundings(holds)
            let (count, stations, level, small, mass) = try context.fetch(
                .count, .count(of: \Sounding.station), .sum(\.level), .sum(\.small), .sum(\.mass), where: predicate)
            #expect(count == models.count && stations == models.count { $0.station != nil })
            #expect(level == models.reduce(0) { $0 + $1.level } && mass == models.reduce(0) { $0 + UInt($1.mass) })
            #expect(small == models.compactMap(\.small).reduce(0) { $0 + Int($1) })
            let (value, weight, amount) = try context.fetch(
                .sum(\Sounding.value), .sum(\.weight), .sum(\.amount), where: predicate)
            #expect(value == models.reduce(0) { $0 + $1.value })
            #expect(weight == models.compactMap(\.weight).reduce(0) { $0 + Double($1) })
            #expect(amount == models.reduce(0) { $0 + $1.amount })
            let (average, ofSmall, ofDecimal) = try context.fetch(
                .average(\Sounding.value), .average(\.small), .average(\.amount), where: predicate)
            #expect(average == (models.isEmpty ? nil : value / Double(count)))
            let smalls = models.compactMap(\.small)
            #expect(ofSmall == (smalls.isEmpty ? nil : Double(small) / Double(smalls.count)))
            let difference = ofDecimal.map { abs($0 - amount / Decimal(count)) }
            #expect(models.isEmpty ? ofDecimal == nil : difference.map { $0 < Decimal(string: "1e-30") ?? 0 } == true)
            let ends = try context.fetch(
                .minimum(\Sounding.level), .maximum(\.level), .minimum(\.day), .maximum(\.quality), .minimum(\.station),
                where: predicate)
            #expect(ends.0 == models.map(\.level).min() && ends.1 == models.map(\.level).max())
            #expect(ends.2 == models.compactMap(\.day).min() && ends.3 == models.map(\.quality).max())
            #expect(ends.4 == models.compactMap(\.station).min())
            #expect(
                try context.fetch(.maximum(\Sounding.site.altitude), where: predicate)
                    == models.map(\.site.altitude).max())
        }
    }

    @Test("of groups are what plain Swift makes of the objects", arguments: [14, 15, 16] as [UInt64])
    func groupsEqualPlainSwift(seed: UInt64) throws {
        let store = try SoundingStore(seed: seed)
        for (predicate, holds) in SoundingStore.conditions {
            let models = try store.soundings(holds)
            let stations = Dictionary(grouping: models, by: \.station)
                .sorted { ($0.key ?? "") < ($1.key ?? "") }
            let found = try store.context.fetch(
                groupedBy: \Sounding.station, aggregates: .count, .sum(\.value), .maximum(\.day), where: predicate)
            #expect(found.map(\.0) == stations.map(\.key) && found.map(\.1) == stations.map(\.value.count))
            #expect(found.map(\.2) == stations.map { $0.value.reduce(0) { $0 + $1.value } })
            #expect(found.map(\.3) == stations.map { $0.value.compactMap(\.day).max() })
            let counts = try store.context.fetch(
                groupedBy: \Sounding.station, aggregates: .count, where: predicate, sortBy: [.descending(\.station)])
            #expect(counts.map(\.0) == stations.reversed().map(\.key))
            #expect(counts.map(\.1) == stations.reversed().map(\.value.count))

            let pairs = Dictionary(grouping: models) { [$0.quality.rawValue, $0.site.altitude] }
                .map { (key: $0.key, count: $0.value.count, level: $0.value.reduce(0) { $0 + $1.level }) }
                .filter { $0.count > 2 && $0.level != 0 }
                .sorted { ($1.level, $0.key[0], $0.key[1]) < ($0.level, $1.key[0], $1.key[1]) }
            let groups = try store.context.fetch(
                groupedBy: \Sounding.quality, \.site.altitude, aggregates: .count, .sum(\.level), where: predicate,
                having: .count > 2 && !(.sum(\.level) == 0), sortBy: [.descending(.sum(\.level))], limit: 4, offset: 1)
            let expected = pairs.dropFirst().prefix(4)
            #expect(groups.map { [$0.0.rawValue, $0.1] } == expected.map(\.key))
            #expect(groups.map { [$0.2, $0.3] } == expected.map { [$0.count, $0.level] })
        }
    }

    @Test("compare with nil as predicates do")
    func compareWithNil() throws {
        let store = try SoundingStore(seed: 17)
        let context = store.context
        let days = Dictionary(grouping: try store.soundings { _ in true }, by: \.small).mapValues {
            $0.compactMap(\.day).min()
        }
        let none = try context.fetch(
            groupedBy: \Sounding.small, aggregates: .minimum(\.day), having: .minimum(\.day) == nil)
        #expect(none.count == days.values.count { $0 == nil })
        let start = Date(timeIntervalSinceReferenceDate: 0)
        let early = try context.fetch(
            groupedBy: \Sounding.small, aggregates: .minimum(\.day), having: .minimum(\.day) < start)
        #expect(early.count == days.values.count { $0.map { $0 < start } ?? false })
        #expect(early.allSatisfy { $0.1 == days[$0.0] ?? nil })
    }

    @Test("that leave their type, or are of what has none, are errors")
    func refuse() throws {
        let store = try SoundingStore(seed: 18, count: 3, changes: false)
        for sounding in try store.soundings({ _ in true }) { sounding.level = .max }
        #expect(throws: SwiftDataError.aggregateOverflow) { try store.context.fetch(.sum(\Sounding.level)) }
        #expect(try store.context.fetch(.average(\Sounding.level)) == Double(3 * Int128(Int.max)) / 3)
        #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
            try store.context.fetch(
                groupedBy: \Sounding.station, aggregates: .count, sortBy: [.ascending(\.level)])
        }
        #expect(throws: SwiftDataError.unsupportedPredicate) {
            try store.context.fetch(groupedBy: \Sounding.station, aggregates: .count, limit: -1)
        }
        #expect(throws: SwiftDataError.unsupportedKeyPath) {
            try store.context.fetch(groupedBy: \Sounding.device, aggregates: .count)
        }
    }
}

/// A type that is stored as a number, and whose sums are said to be of a type that cannot hold them.
private struct Depth: Codable, SummableAttribute {
    typealias Sum = UInt
    typealias Average = Int8
    var metres: Int

    init(_ metres: Int) { self.metres = metres }
    init(from decoder: any Decoder) throws { metres = try decoder.singleValueContainer().decode(Int.self) }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(metres)
    }
}

@Model private final class Dive {
    fileprivate var depth: Depth
    fileprivate init(_ metres: Int) { depth = Depth(metres) }
}

@Suite("Aggregates of types that are not the library's")
struct OtherAggregateTests {
    @Test("give what their types hold, and throw for what they do not")
    func refuse() throws {
        let context = ModelContext(try memoryContainer(Dive.self))
        context.insert(Dive(3))
        #expect(try context.fetch(.sum(\Dive.depth)) == 3)
        context.insert(Dive(-30))
        #expect(throws: SwiftDataError.unsupportedKeyPath) { try context.fetch(.sum(\Dive.depth)) }
    }
}
