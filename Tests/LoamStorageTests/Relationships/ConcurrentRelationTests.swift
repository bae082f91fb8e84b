import LoamStorage
import SeededRandom
import Testing

/// Writers that know nothing of each other: whatever they do at once, every reference leads to a row.
@Suite struct ConcurrentRelationTests {
    @Test func noReferenceIsLeftDangling() async throws {
        let folder = try TemporaryStore()
        let store = try folder.open()
        try store.apply(.addEntities(WorldSchema.definitions))
        let world = RelatedRows(store: store)
        var countries: [RowID] = []
        var tags: [RowID] = []
        for number in 0..<60 {
            countries.append(try world.insert("Country", "k\(number)"))
            tags.append(try world.insert("Tag", "t\(number)"))
        }
        let (allCountries, allTags) = (countries, tags)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                let other = try folder.open()
                group.addTask {
                    try Self.work(worker, RelatedRows(store: other), allCountries, allTags)
                }
            }
            try await group.waitForAll()
        }
        let report = try store.check()
        #expect(report.faults == [])
        #expect(report.notes == [])
    }

    /// Relates rows to rows that may be gone, and deletes rows that others may relate.
    private static func work(_ seed: Int, _ world: RelatedRows, _ countries: [RowID], _ tags: [RowID]) throws {
        var random = SeededGenerator(seed: UInt64(seed) + 1)
        var cities: [RowID] = []
        for step in 0..<150 {
            let country = countries[(step / 3 + Int.random(in: 0..<4, using: &random)) % countries.count]
            let tag = tags[(step / 3 + Int.random(in: 0..<4, using: &random)) % tags.count]
            do {
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1:
                    var city: RowID = 0
                    try world.save { batch in
                        city = try batch.insert("City", "c", ["country": country])
                        try batch.link("tags", of: city, "City", to: tag)
                    }
                    cities.append(city)
                case 2:
                    guard let city = cities.randomElement(using: &random) else { continue }
                    try world.save { batch in
                        try batch.set("country", of: city, "City", to: country)
                        try batch.place(city, "City", "country", .first)
                    }
                case 3:
                    guard let city = cities.randomElement(using: &random) else { continue }
                    try world.save { try $0.link("cities", of: tag, "Tag", to: city) }
                case 4: try world.save { try $0.delete(country, "Country") }
                default: try world.save { try $0.delete(tag, "Tag") }
                }
            } catch let error as StorageError {
                switch error.kind {
                case .targetMissing, .rowMissing: break
                default: throw error
                }
            }
        }
    }

    @Test func twoWhoMoveTheSameRowLeaveItInOnePlace() throws {
        let folder = try TemporaryStore()
        let store = try folder.open()
        try store.apply(.addEntities(WorldSchema.definitions))
        let (one, two) = (RelatedRows(store: store), RelatedRows(store: try folder.open()))
        let countries = try (0..<3).map { try one.insert("Country", "k\($0)") }
        let city = try one.insert("City", "c", ["country": countries[0]])
        let base = try store.record(city, of: "City")
        try one.save { try $0.set("country", of: city, "City", to: countries[1], base: base) }
        #expect(
            storageError {
                try two.save(.error) { try $0.set("country", of: city, "City", to: countries[2], base: base) }
            }
                == .conflict(fields: ["country"]))
        try two.save(.storeWins) { try $0.set("country", of: city, "City", to: countries[2], base: base) }
        #expect(try one.related(city, "country", of: "City") == [countries[1]])
        try two.save { try $0.set("country", of: city, "City", to: countries[2], base: base) }
        #expect(try countries.map { try one.related($0, "cities", of: "Country") } == [[], [], [city]])
        // An update of another field on the old base leaves the row where it was moved to.
        try one.save { try $0.update(city, "City", ["name": .string("x")], base: base) }
        #expect(try one.related(countries[2], "cities", of: "Country") == [city])
        #expect(try store.check().faults == [])
    }

    @Test func aRowThatIsWrittenAgainLetsGoOfTargetsThatWent() throws {
        let folder = try TemporaryStore()
        let store = try folder.open()
        try store.apply(.addEntities(WorldSchema.definitions))
        let world = RelatedRows(store: store)
        let countries = try (0..<2).map { try world.insert("Country", "k\($0)") }
        let cities = try countries.map { try world.insert("City", "c", ["country": $0]) }
        let bases = try cities.map { try store.record($0, of: "City") }
        try world.save { batch in
            try batch.delete(countries[0], "Country")
            for city in cities { try batch.delete(city, "City") }
        }
        for (city, base) in zip(cities, bases) {
            try world.save(.memoryWins) { try $0.update(city, "City", ["name": .string("x")], base: base) }
        }
        #expect(try world.related(cities[0], "country", of: "City") == [])
        #expect(try world.related(countries[1], "cities", of: "Country") == [cities[1]])
        #expect(try store.check().faults == [])
    }

    @Test func underStoreWinsARowKeepsWhatItLedTo() throws {
        let folder = try TemporaryStore()
        let store = try folder.open()
        try store.apply(.addEntities(WorldSchema.definitions))
        let world = RelatedRows(store: store)
        let countries = try (0..<2).map { try world.insert("Country", "k\($0)") }
        let cities = try (0..<2).map { try world.insert("City", "c\($0)", ["country": countries[0]]) }
        let tag = try world.insert("Tag", "t")
        try world.save { batch in
            try batch.delete(countries[1], "Country")
            try batch.delete(tag, "Tag")
        }
        try world.save(.storeWins) { batch in
            try batch.set("country", of: cities[0], "City", to: countries[1])
            try batch.link("tags", of: cities[0], "City", to: tag)
        }
        #expect(try world.related(countries[0], "cities", of: "Country") == cities)
        #expect(try store.check().faults == [])
    }
}
