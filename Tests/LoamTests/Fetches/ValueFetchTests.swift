import Foundation
import Testing

@testable import Loam

@Suite("Values without objects")
struct ValueFetchTests {
    @Test("are what the models' properties read, unsaved changes included", arguments: [1, 2, 3] as [UInt64])
    func areTheProperties(seed: UInt64) throws {
        let store = try SoundingStore(seed: seed)
        let context = store.context
        for (predicate, _) in SoundingStore.conditions {
            let order = [SortDescriptor(\Sounding.level, order: .reverse), SortDescriptor(\Sounding.name)]
            let models = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: order))
            let rows = try context.fetch(
                \Sounding.name, \.station, \.level, \.small, \.mass, \.value, \.weight, \.amount, where: predicate,
                sortBy: order)
            #expect(rows.count == models.count)
            for (row, model) in zip(rows, models) {
                #expect(row.0 == model.name && row.1 == model.station && row.2 == model.level && row.3 == model.small)
                #expect(row.4 == model.mass && row.5 == model.value && row.6 == model.weight && row.7 == model.amount)
            }
            let others = try context.fetch(
                \.day, \.isValid, \.quality, \.device, \.tags, \.site.name, \.site.altitude, \.persistentModelID,
                of: FetchDescriptor(predicate: predicate, sortBy: order))
            #expect(others.count == models.count)
            for (row, model) in zip(others, models) {
                #expect(row.0 == model.day && row.1 == model.isValid && row.2 == model.quality)
                #expect(row.3 == model.device && row.4 == model.tags)
                #expect(row.5 == model.site.name && row.6 == model.site.altitude && row.7 == model.persistentModelID)
            }
            #expect(
                try context.fetch(\Sounding.level, where: predicate)
                    == store.context.fetch(
                        FetchDescriptor(predicate: predicate)
                    ).map(\.level))
        }
    }

    @Test("that are distinct come once, where the first of them stands", arguments: [4, 5] as [UInt64])
    func areDistinct(seed: UInt64) throws {
        let store = try SoundingStore(seed: seed)
        for (predicate, _) in SoundingStore.conditions {
            func distinct<Element: Hashable>(_ elements: [Element]) -> [Element] {
                var known: Set<Element> = []
                return elements.filter { known.insert($0).inserted }
            }
            let orders: [[SortDescriptor<Sounding>]] = [
                [], [SortDescriptor(\.station)], [SortDescriptor(\.station, order: .reverse)],
                [SortDescriptor(\.station), SortDescriptor(\.quality, order: .reverse)], [SortDescriptor(\.level)],
            ]
            for order in orders {
                let models = try store.context.fetch(FetchDescriptor(predicate: predicate, sortBy: order))
                let stations = try store.context.fetch(
                    \Sounding.station, where: predicate, sortBy: order, distinct: true)
                #expect(stations == distinct(models.map(\.station)))
                var page = FetchDescriptor<Sounding>(predicate: predicate, sortBy: order)
                (page.fetchLimit, page.fetchOffset) = (3, 1)
                let pairs = try store.context.fetch(\.station, \.quality, of: page, distinct: true)
                let expected = distinct(models.map { [$0.station ?? "nil", "\($0.quality)"] }).dropFirst().prefix(3)
                #expect(pairs.map { [$0.0 ?? "nil", "\($0.1)"] } == Array(expected))
            }
        }
    }

    @Test("of a descriptor keep to its limit and offset, and leave unsaved changes out where it says so")
    func followTheDescriptor() throws {
        let store = try SoundingStore(seed: 6)
        var descriptor = FetchDescriptor<Sounding>(sortBy: [SortDescriptor(\.level)])
        (descriptor.fetchLimit, descriptor.fetchOffset) = (10, 5)
        descriptor.includePendingChanges = false
        let saved = try ModelContext(store.container).fetch(descriptor).map(\.level)
        #expect(try store.context.fetch(\.level, of: descriptor) == saved)
        descriptor.fetchLimit = 0
        #expect(try store.context.fetch(\.level, of: descriptor, distinct: true).isEmpty)
    }

    @Test("make no object")
    func makeNoObject() throws {
        let store = try SoundingStore(seed: 7, changes: false)
        let context = ModelContext(store.container)
        #expect(try context.fetch(\Sounding.name, \.tags, \.site.name).count == 200)
        #expect(context.stores[0].registeredModels.isEmpty)
    }

    @Test("of what is no stored attribute are refused by name")
    func refuse() throws {
        let context = try SoundingStore(seed: 8, count: 1).context
        #expect(throws: SwiftDataError.unsupportedKeyPath) { try context.fetch(\Sounding.site) }
        #expect(throws: SwiftDataError.unsupportedKeyPath) { try context.fetch(\Sounding.neighbour) }
        #expect(throws: SwiftDataError.unsupportedKeyPath) { try context.fetch(\Sounding.tags.count) }
        #expect(throws: SwiftDataError.unsupportedKeyPath) { try context.fetch(\Sounding.hasChanges) }
    }
}
