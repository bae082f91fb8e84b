import Foundation
import LoamStorage
import SeededRandom
import Testing

@testable import Loam
@testable import LoamQuery

/// The work of fetches while much is unsaved: counted, not timed.
@Suite("Fetches between unsaved changes")
struct PendingFetchTests {
    let container: ModelContainer

    init() throws {
        container = try memoryContainer(Country.self)
    }

    private func find(_ name: String, _ context: ModelContext) throws -> City? {
        var descriptor = FetchDescriptor<City>(predicate: #Predicate { $0.name == name })
        descriptor.fetchLimit = 1
        return try context.fetch(descriptor).first
    }

    @Test("find or create encodes each model once, and tests the ones with the value that it looks for")
    func findOrCreate() throws {
        let context = ModelContext(container)
        let count = 1_000
        for number in 0..<2 * count where try find("City \(number % count)", context) == nil {
            context.insert(City("City \(number % count)"))
        }
        #expect(context.insertedModelsArray.count == count)
        #expect(context.pendingOverlay?.laidModels == count)
        let query = try FetchDescriptor<City>(predicate: #Predicate { $0.name == "City 7" }).query()
        let overlay = try context.stores[0].overlay()
        try container.store.read { snapshot in
            var work = Work()
            var found = 0
            try Planner.plan(query, in: snapshot).readRecords(in: snapshot, overlay: overlay, work: &work) {
                rows, _ in found += rows.count
            }
            #expect(found == 1)
            #expect(work.pending == 1)
        }
    }

    @Test("find or create by a range, or by the last one of an order, tests a few models however many are pending")
    func findOrCreateInOrder() throws {
        let context = ModelContext(container)
        func next(_ population: Int) -> [FetchDescriptor<City>] {
            var above = FetchDescriptor<City>(predicate: #Predicate { $0.population >= population })
            above.fetchLimit = 1
            var latest = FetchDescriptor<City>(sortBy: [SortDescriptor(\.population, order: .reverse)])
            latest.fetchLimit = 1
            return [above, latest]
        }
        for count in [200, 2_000] {
            for number in context.insertedModelsArray.count..<count {
                context.insert(City("City \(number)", population: number))
            }
            for population in count..<count + 20 {
                let (above, latest) = (next(population)[0], next(population)[1])
                #expect(try context.fetch(above).isEmpty)
                #expect(try context.fetch(latest).map(\.population) == [population - 1])
                let overlay = try context.stores[0].overlay()
                try container.store.read { snapshot in
                    var work = Work()
                    for descriptor in [above, latest] {
                        let plan = try Planner.plan(descriptor.query(), in: snapshot)
                        try plan.readRecords(in: snapshot, overlay: overlay, work: &work) { _, _ in }
                    }
                    #expect(work.pending == 1)
                }
                context.insert(City("City \(population)", population: population))
            }
        }
    }

    @Test("find or change costs what was changed since the last fetch")
    func findOrChange() throws {
        let count = 500
        let writer = ModelContext(container)
        for number in 0..<count { writer.insert(City("City \(number)")) }
        try writer.save()
        let context = ModelContext(container)
        for number in 0..<count {
            let city = try #require(try find("City \(number)", context))
            city.population = number
            #expect(try context.fetchCount(FetchDescriptor<City>()) == count)
        }
        #expect(context.pendingOverlay?.laidModels == count)
        for number in 0..<count { #expect(try find("City \(number)", context)?.population == number) }
        #expect(context.pendingOverlay?.laidModels == count)
        let name = "City 3"
        let query = try FetchDescriptor<City>(predicate: #Predicate { $0.name == name }).query(result: .count)
        let overlay = try context.stores[0].overlay()
        try container.store.read { snapshot in
            var work = Work()
            let found = try Planner.plan(query, in: snapshot).count(in: snapshot, overlay: overlay, work: &work)
            #expect(found == 1)
            #expect(work.records + work.entries + work.pending <= 4)
        }
    }

    @Test("children are found under an unsaved parent without a test of every child")
    func children() throws {
        let context = ModelContext(container)
        let country = Country(code: "no", name: "Norway")
        context.insert(country)
        let count = 300
        for number in 0..<count {
            let name = "City \(number)"
            let predicate = #Predicate<City> { (city: City) in city.name == name && city.country?.code == "no" }
            guard try context.fetch(FetchDescriptor(predicate: predicate)).isEmpty else { continue }
            context.insert(City(name, country: country))
        }
        #expect(country.cities.count == count)
        // The overlay has the parent and all children but the last, after which no fetch came.
        #expect(context.pendingOverlay?.laidModels == count)
    }

    @Test("whatever happens between, fetches see the context's changes and others'")
    func everything() throws {
        let seed: UInt64 = 91
        var random = SeededGenerator(seed: seed)
        let (context, other) = (ModelContext(container), ModelContext(container))
        var expected: [String: Int] = [:]
        var names: [String] = []
        for step in 0..<1_500 {
            let name = names.randomElement(using: &random) ?? ""
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<30:
                let new = "City \(step)"
                context.insert(City(new, population: step))
                expected[new] = step
                names.append(new)
            case 30..<60:
                guard let city = try find(name, context) else { break }
                city.population = -step
                expected[name] = -step
            case 60..<70:
                guard let city = try find(name, context) else { break }
                context.delete(city)
                if step % 2 == 0 { context.insert(city) } else { expected[name] = nil }
            case 70..<74:
                let low = -Int.random(in: 0..<1_500, using: &random)
                try context.delete(model: City.self, where: #Predicate { $0.population < low })
                expected = expected.filter { $0.value >= low }
            case 74..<76:
                try context.save()
            case 76..<80:
                guard let theirs = try find(name, other), let mine = try find(name, context), !mine.hasChanges else {
                    break
                }
                theirs.population = step
                try other.save()
                expected[name] = step
            default: break
            }
            if expected[name] == nil, try find(name, context) != nil {
                Issue.record("seed \(seed), step \(step): \(name)")
            }
            if let population = expected[name] {
                #expect(try find(name, context)?.population == population, "seed \(seed), step \(step)")
            }
            if step % 25 == 0 {
                let all = try context.fetch(FetchDescriptor<City>())
                let found = Dictionary(all.map { ($0.name, $0.population) }, uniquingKeysWith: { _, _ in .max })
                #expect(found == expected, "seed \(seed), step \(step)")
                #expect(try context.fetchCount(FetchDescriptor<City>()) == expected.count)
            }
        }
    }
}
