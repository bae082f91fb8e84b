import Foundation
import Testing

@testable import Loam

@Suite("Functions of properties are fetched, grouped by and aggregated as Swift computes them")
struct FunctionFetchTests {
    @Test(arguments: [1, 2] as [UInt64])
    func valuesOfFunctions(seed: UInt64) throws {
        let store = try SoundingStore(seed: seed)
        for (predicate, holds) in SoundingStore.conditions {
            let models = try store.soundings(holds)
            let rows = try store.context.fetch(
                \Sounding[.year(\.day)], \.name.count, \Sounding[.floor(\.value)], \Sounding[.ceil(\.weight)],
                \Sounding[.uppercased(\.name)], \.site.name.count, where: predicate)
            try #require(rows.count == models.count)
            for (row, model) in zip(rows, models) {
                #expect(row.0 == Self.year(model.day) && row.1 == model.name.count)
                #expect(row.2 == model.value.rounded(.down) && row.3 == model.weight?.rounded(.up))
                #expect(row.4 == model.name.uppercased() && row.5 == model.site.name.count)
            }
            let days = try store.context.fetch(\Sounding[.startOfDay(\.day)], where: predicate)
            #expect(days == models.map(\.day))
        }
    }

    @Test func distinctValuesOfAFunction() throws {
        let store = try SoundingStore(seed: 3)
        let models = try store.soundings { _ in true }
        let counts = try store.context.fetch(
            \Sounding.name.count, sortBy: [SortDescriptor(\.name.count)], distinct: true)
        #expect(counts == Set(models.map(\.name.count)).sorted() && counts.count > 2)
    }

    @Test(arguments: [4, 5] as [UInt64])
    func groupsByFunctions(seed: UInt64) throws {
        let store = try SoundingStore(seed: seed)
        for (predicate, holds) in SoundingStore.conditions {
            let models = try store.soundings(holds)
            let byLength = Dictionary(grouping: models, by: \.name.count)
            let groups = try store.context.fetch(
                groupedBy: \Sounding.name.count,
                aggregates: .count, .sum(\.level), .maximum(\Sounding[.floor(\.value)]), where: predicate,
                sortBy: [.descending(\.name.count)])
            #expect(groups.map(\.0) == byLength.keys.sorted(by: >))
            for (length, count, sum, highest) in groups {
                let members = try #require(byLength[length])
                #expect(count == members.count && sum == members.reduce(0) { $0 + $1.level })
                #expect(highest == members.map { $0.value.rounded(.down) }.max())
            }
            let byYear = Dictionary(grouping: models) { Self.year($0.day) }
            let years = try store.context.fetch(
                groupedBy: \Sounding[.year(\.day)], aggregates: .count, .sum(\Sounding.name.count), where: predicate,
                having: .count > 2)
            #expect(years.count == byYear.values.count { $0.count > 2 })
            for (year, count, letters) in years {
                let members = try #require(byYear[year])
                #expect(count == members.count && letters == members.reduce(0) { $0 + $1.name.count })
            }
        }
    }

    @Test func aggregatesOfFunctions() throws {
        let store = try SoundingStore(seed: 6)
        let models = try store.soundings { _ in true }
        let (shortest, longest, mean, last) = try store.context.fetch(
            .minimum(\Sounding.name.count), .maximum(\Sounding[.length(\.name)]), .average(\.name.count),
            .maximum(\Sounding[.ceil(\.weight)]))
        #expect(shortest == models.map(\.name.count).min() && longest == models.map(\.name.count).max())
        #expect(mean == Double(models.reduce(0) { $0 + $1.name.count }) / Double(models.count))
        #expect(last == models.compactMap { $0.weight?.rounded(.up) }.max())
    }

    /// Whether a structure is there is asked as of any other value.
    @Test func structuresThatAreThereAreCounted() throws {
        let store = try SoundingStore(seed: 7)
        for (predicate, holds) in SoundingStore.conditions {
            let models = try store.soundings(holds)
            let count = try store.context.fetch(.count(of: \Sounding.device), where: predicate)
            #expect(count == models.count { $0.device != nil })
            let groups = try store.context.fetch(
                groupedBy: \Sounding.isValid, aggregates: .count(of: \.device), where: predicate,
                having: .count(of: \.device) > 0)
            #expect(groups.reduce(0) { $0 + $1.1 } == count)
        }
    }

    private static func year(_ date: Date?) -> Int? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return date.map { calendar.component(.year, from: $0) }
    }
}
