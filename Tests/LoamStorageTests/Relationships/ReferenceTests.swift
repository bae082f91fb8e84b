import LoamStorage
import Testing

/// To-one relationships and their to-many sides: targets, order, one-to-one.
@Suite struct ReferenceTests {
    let folder: TemporaryStore
    let store: Store
    let world: RelatedRows

    init() throws {
        folder = try TemporaryStore()
        store = try folder.open()
        try store.apply(.addEntities(WorldSchema.definitions))
        world = RelatedRows(store: store)
    }

    @Test func childrenComeInTheOrderInWhichTheyWereAdded() throws {
        let country = try world.insert("Country", "Iceland")
        var cities: [RowID] = []
        try world.save { batch in
            for number in 0..<50 { cities.append(try batch.insert("City", "c\(number)", ["country": country])) }
        }
        cities.append(try world.insert("City", "last", ["country": country]))
        #expect(try world.related(country, "cities", of: "Country") == cities)
        #expect(try world.related(cities[3], "country", of: "City") == [country])
        #expect(try store.check().faults == [])
    }

    @Test func rowsAreRelatedToOthersOfTheirBatch() throws {
        var (country, city): (RowID, RowID) = (0, 0)
        try world.save { batch in
            country = try store.makeRowID()
            city = try batch.insert("City", "Bern", ["country": country])
            batch.batch.insert(
                try store.catalog().encode(["name": .string("Switzerland")], as: "Country"),
                into: try store.entity("Country").id, rowID: country)
        }
        #expect(try world.related(country, "cities", of: "Country") == [city])
    }

    @Test func childrenArePlacedFirstAndAfterOthers() throws {
        let country = try world.insert("Country", "Iceland")
        let cities = try (0..<4).map { try world.insert("City", "c\($0)", ["country": country]) }
        try world.save { try $0.place(cities[3], "City", "country", .first) }
        #expect(try world.related(country, "cities", of: "Country") == [cities[3], cities[0], cities[1], cities[2]])
        try world.save { batch in
            try batch.place(cities[3], "City", "country", .after(cities[1]))
            try batch.place(cities[0], "City", "country", .append)
        }
        #expect(try world.related(country, "cities", of: "Country") == [cities[1], cities[3], cities[2], cities[0]])
        let reversed = Array(cities.reversed())
        try world.save { batch in
            for (number, city) in reversed.enumerated() {
                try batch.place(city, "City", "country", number == 0 ? .first : .after(reversed[number - 1]))
            }
        }
        #expect(try world.related(country, "cities", of: "Country") == reversed)
        #expect(try store.check().faults == [])
    }

    @Test func aGapThatIsUsedUpIsMadeAgainWithoutChangingRows() throws {
        let country = try world.insert("Country", "Iceland")
        let first = try world.insert("City", "first", ["country": country])
        var expected = try (0..<30).map { try world.insert("City", "c\($0)", ["country": country]) }
        var records: [RowID: [UInt8]] = [:]
        for number in 0..<60 {
            var row: RowID = 0
            let result = try world.save { batch in
                row = try batch.insert("City", "n\(number)", ["country": country])
                try batch.place(row, "City", "country", .after(first))
            }
            #expect(result.rows.map(\.rowID) == [row])
            expected.insert(row, at: 0)
            records[row] = try store.record(row, of: "City")
        }
        #expect(try world.related(country, "cities", of: "Country") == [first] + expected)
        let renumbered = try records.filter { try store.record($0.key, of: "City") != $0.value }
        #expect(!renumbered.isEmpty)
        // The renumbered rows are no newer: an update on the old base conflicts with nothing.
        for (row, base) in renumbered {
            try world.save(.error) { try $0.update(row, "City", ["name": .string("x")], base: base) }
        }
        #expect(try store.check().faults == [])
    }

    @Test func aNewTargetPutsARowLastThere() throws {
        let countries = try (0..<2).map { try world.insert("Country", "k\($0)") }
        let cities = try (0..<4).map { try world.insert("City", "c\($0)", ["country": countries[$0 / 2]]) }
        try world.save { try $0.set("country", of: cities[0], "City", to: countries[1]) }
        #expect(try world.related(countries[0], "cities", of: "Country") == [cities[1]])
        #expect(try world.related(countries[1], "cities", of: "Country") == [cities[2], cities[3], cities[0]])
        try world.save { try $0.set("country", of: cities[2], "City", to: nil) }
        #expect(try world.related(countries[1], "cities", of: "Country") == [cities[3], cities[0]])
        #expect(try world.position(cities[2], "country", of: "City") == .null)
        #expect(try store.check().faults == [])
    }

    @Test func aTargetMustExist() throws {
        let country = try world.insert("Country", "Iceland")
        let city = try world.insert("City", "Reykjavík", ["country": country])
        try world.save { try $0.delete(country, "Country") }
        #expect(try world.related(city, "country", of: "City") == [])
        let missing = StorageError.Kind.targetMissing(relationship: "country")
        #expect(
            storageError { try world.save(.error) { try $0.set("country", of: city, "City", to: country) } } == missing)
        let result = try world.save { try $0.set("country", of: city, "City", to: country) }
        #expect(result.dropped.map(\.rowID) == [city])
        #expect(result.dropped.map(\.isDeleted) == [false])
        #expect(try world.related(city, "country", of: "City") == [])
        #expect(storageError { try world.insert("City", "Akureyri", ["country": country]) } == missing)
        // A row of another entity is no target.
        #expect(storageError { try world.insert("City", "Akureyri", ["country": city]) } == missing)
    }

    @Test func aOneToOneLetsGoOfItsFormerRow() throws {
        try store.apply(
            .addRelationship(
                RelationshipDefinition("mayor", to: "Tag"), to: "City",
                inverse: RelationshipDefinition("town", to: "City")))
        let tags = try (0..<2).map { try world.insert("Tag", "t\($0)") }
        let cities = try (0..<2).map { try world.insert("City", "c\($0)", ["mayor": tags[$0]]) }
        #expect(try world.related(tags[1], "town", of: "Tag") == [cities[1]])
        let result = try world.save { try $0.set("mayor", of: cities[0], "City", to: tags[1]) }
        #expect(Set(result.rows.map(\.rowID)) == Set(cities))
        #expect(try world.related(tags[1], "town", of: "Tag") == [cities[0]])
        #expect(try world.related(tags[0], "town", of: "Tag") == [])
        #expect(try world.related(cities[1], "mayor", of: "City") == [])
        // Two that swap their references displace nobody.
        try world.save { try $0.set("mayor", of: cities[1], "City", to: tags[0]) }
        try world.save { batch in
            try batch.set("mayor", of: cities[0], "City", to: tags[0])
            try batch.set("mayor", of: cities[1], "City", to: tags[1])
        }
        #expect(try world.related(tags[0], "town", of: "Tag") == [cities[0]])
        #expect(try world.related(tags[1], "town", of: "Tag") == [cities[1]])
        #expect(try store.check().faults == [])
    }

    @Test func aRequiredOneToOneIsNotLetGoOf() throws {
        let country = try world.insert("Country", "Iceland")
        let capital = try world.insert("Capital", "Reykjavík", ["country": country])
        #expect(
            storageError { try world.insert("Capital", "Akureyri", ["country": country]) }
                == .referenceRequired(relationship: "country"))
        #expect(try world.related(country, "capital", of: "Country") == [capital])
    }

    @Test func anUpsertTakesItsReferencesAlong() throws {
        try store.apply(.addIndex(IndexDefinition([.init("name")], kind: .unique), to: "Country"))
        let country = try world.insert("Country", "Iceland")
        let old = try world.insert("City", "Reykjavík", ["country": country])
        var (new, again, city): (RowID, RowID, RowID) = (0, 0, 0)
        let result = try world.save { batch in
            new = try batch.insert("Country", "Iceland", upserts: true)
            again = try batch.insert("Country", "Iceland", upserts: true)
            city = try batch.insert("City", "Akureyri", ["country": again])
            try batch.place(city, "City", "country", .first)
        }
        #expect(result.mapping == [new: country, again: country])
        #expect(try world.related(country, "cities", of: "Country") == [city, old])
        #expect(try !world.exists(new, "Country"))
        // An insert without upserts is a conflict; a name that the batch itself frees is free.
        #expect(storageError { try world.insert("Country", "Iceland") } == .uniqueViolation(existing: country))
        let other = try world.save { batch in
            try batch.update(country, "Country", ["name": .string("Ísland")])
            new = try batch.insert("Country", "Iceland", upserts: true)
        }
        #expect(other.mapping == [:])
        #expect(try world.exists(new, "Country"))
        #expect(try store.check().faults == [])
    }
}
