import Foundation
import LoamStorage
import Testing

@testable import Loam

@Suite("Several fetches in one state")
struct SeveralFetchesTests {
    @Test("give what each gives alone, unsaved changes included")
    func giveTheSame() throws {
        let store = try SoundingStore(seed: 41)
        let high = FetchDescriptor<Sounding>(
            predicate: #Predicate { $0.level > 5 }, sortBy: [SortDescriptor(\.level), SortDescriptor(\.name)])
        let sites = FetchDescriptor<Mooring>(sortBy: [SortDescriptor(\.altitude)])
        let rest = FetchDescriptor<Sounding>(predicate: #Predicate { $0.level <= 5 })
        let (first, second, third) = try store.context.fetch(high, sites, rest)
        #expect(try first == store.context.fetch(high))
        #expect(try second == store.context.fetch(sites))
        #expect(try third == store.context.fetch(rest))
        #expect(first.count + third.count > 150)
    }

    @Test("never see a save of somebody else in between")
    func seeOneState() async throws {
        let container = try memoryContainer(City.self, Country.self, Tag.self)
        let setup = ModelContext(container)
        let count = 40
        for number in 0..<count { setup.insert(City("\(number)", population: number % 2)) }
        try setup.save()
        // Each save moves all cities to the other side.
        let writer = Task.detached {
            let context = ModelContext(container)
            for _ in 0..<60 {
                for city in try context.fetch(FetchDescriptor<City>()) { city.population = 1 - city.population }
                try context.save()
            }
        }
        let context = ModelContext(container)
        for _ in 0..<200 {
            let (even, odd) = try context.fetch(
                FetchDescriptor<City>(predicate: #Predicate { $0.population == 0 }),
                FetchDescriptor<City>(predicate: #Predicate { $0.population == 1 }))
            let names = (even + odd).map(\.name)
            #expect(names.count == count && Set(names).count == count)
        }
        try await writer.value
    }
}
