import LoamStorage
import Testing

/// Many-to-many, symmetric and one-way to-many relationships.
@Suite struct LinkTests {
    let folder: TemporaryStore
    let store: Store
    let world: RelatedRows

    init() throws {
        folder = try TemporaryStore()
        store = try folder.open()
        try store.apply(.addEntities(WorldSchema.definitions))
        world = RelatedRows(store: store)
    }

    @Test func bothSidesHaveAnOrderOfTheirOwn() throws {
        let cities = try (0..<3).map { try world.insert("City", "c\($0)") }
        let tags = try (0..<3).map { try world.insert("Tag", "t\($0)") }
        let result = try world.save { batch in
            for city in cities { for tag in tags { try batch.link("tags", of: city, "City", to: tag) } }
        }
        #expect(result.links.count == 9 && result.links.allSatisfy(\.isAdded))
        try world.save { try $0.link("tags", of: cities[0], "City", to: tags[2], .first) }
        try world.save { try $0.link("cities", of: tags[2], "Tag", to: cities[0], .after(cities[1])) }
        #expect(try world.related(cities[0], "tags", of: "City") == [tags[2], tags[0], tags[1]])
        #expect(try world.related(cities[1], "tags", of: "City") == tags)
        #expect(try world.related(tags[2], "cities", of: "Tag") == [cities[1], cities[0], cities[2]])
        #expect(try world.related(tags[0], "cities", of: "Tag") == cities)
        #expect(try store.check().faults == [])
    }

    @Test func aPairIsLinkedOnceAndUnlinkedFromEitherSide() throws {
        let city = try world.insert("City", "c")
        let tag = try world.insert("Tag", "t")
        try world.save { batch in
            try batch.link("tags", of: city, "City", to: tag)
            try batch.link("cities", of: tag, "Tag", to: city)
        }
        #expect(try world.related(city, "tags", of: "City") == [tag])
        let result = try world.save { try $0.unlink("cities", of: tag, "Tag", from: city) }
        #expect(result.links.map(\.isAdded) == [false])
        #expect(try world.related(city, "tags", of: "City") == [])
        try world.save { try $0.unlink("tags", of: city, "City", from: tag) }
        #expect(try store.check().faults == [])
    }

    @Test func twinsAreLinkedBothWays() throws {
        let cities = try (0..<3).map { try world.insert("City", "c\($0)") }
        try world.save { batch in
            try batch.link("twins", of: cities[0], "City", to: cities[1])
            try batch.link("twins", of: cities[0], "City", to: cities[2], .first)
            try batch.link("twins", of: cities[1], "City", to: cities[1])
        }
        #expect(try world.related(cities[0], "twins", of: "City") == [cities[2], cities[1]])
        #expect(try world.related(cities[1], "twins", of: "City") == [cities[0], cities[1]])
        try world.save { try $0.unlink("twins", of: cities[2], "City", from: cities[0]) }
        #expect(try world.related(cities[0], "twins", of: "City") == [cities[1]])
        try world.save { try $0.delete(cities[1], "City") }
        #expect(try world.related(cities[0], "twins", of: "City") == [])
        #expect(try store.check().faults == [])
    }

    @Test func linksGoWithTheirRows() throws {
        let cities = try (0..<2).map { try world.insert("City", "c\($0)") }
        let tag = try world.insert("Tag", "t")
        try world.save { batch in
            for city in cities { try batch.link("tags", of: city, "City", to: tag) }
        }
        let result = try world.save { try $0.delete(cities[0], "City") }
        #expect(result.links.map(\.source) == [cities[0]])
        #expect(try world.related(tag, "cities", of: "Tag") == [cities[1]])
        let missing = StorageError.Kind.targetMissing(relationship: "cities")
        #expect(
            storageError { try world.save(.error) { try $0.link("tags", of: cities[0], "City", to: tag) } }
                == .rowMissing)
        #expect(
            storageError { try world.save(.error) { try $0.link("cities", of: tag, "Tag", to: cities[0]) } } == missing)
        let fromDeleted = try world.save { try $0.link("tags", of: cities[0], "City", to: tag) }
        #expect(fromDeleted.dropped.map(\.rowID) == [cities[0]] && fromDeleted.dropped.map(\.isDeleted) == [true])
        let toDeleted = try world.save { try $0.link("cities", of: tag, "Tag", to: cities[0]) }
        #expect(toDeleted.dropped.map(\.rowID) == [tag] && toDeleted.dropped.map(\.isDeleted) == [false])
        #expect(try world.related(tag, "cities", of: "Tag") == [cities[1]])
        // A batch may link a row and delete it.
        try world.save { batch in
            try batch.link("tags", of: cities[1], "City", to: tag, .first)
            try batch.delete(tag, "Tag")
        }
        #expect(try world.related(cities[1], "tags", of: "City") == [])
        #expect(try store.check().faults == [])
    }

    @Test func manyMembersBehindOneKeepTheirOrder() throws {
        let city = try world.insert("City", "c")
        let tags = try (0..<80).map { try world.insert("Tag", "t\($0)") }
        var expected = [tags[0], tags[1]]
        try world.save { batch in
            for tag in expected { try batch.link("tags", of: city, "City", to: tag) }
        }
        for tag in tags[2...] {
            let result = try world.save { try $0.link("tags", of: city, "City", to: tag, .after(tags[0])) }
            #expect(result.links.count == 1)
            expected.insert(tag, at: 1)
        }
        #expect(try world.related(city, "tags", of: "City") == expected)
        #expect(try store.check().faults == [])
    }

    @Test func limitsHoldAtTheSave() throws {
        let people = EntityDefinition(
            "Team", properties: [PropertyDefinition("name", type: .string)],
            relationships: [
                RelationshipDefinition(
                    "players", to: "City", isToMany: true, isOptional: false, minimumCount: 1, maximumCount: 2)
            ])
        try store.apply(.addEntity(people))
        let cities = try (0..<3).map { try world.insert("City", "c\($0)") }
        #expect(
            storageError { try world.insert("Team", "a") }
                == .tooFewRelated(relationship: "players", count: 0, limit: 1))
        var team: RowID = 0
        try world.save { batch in
            team = try batch.insert("Team", "a")
            try batch.link("players", of: team, "Team", to: cities[0])
        }
        let tooMany = storageError {
            try world.save { batch in
                for city in cities { try batch.link("players", of: team, "Team", to: city) }
            }
        }
        #expect(tooMany == .tooManyRelated(relationship: "players", count: 3, limit: 2))
        #expect(
            storageError { try world.save { try $0.delete(cities[0], "City") } }
                == .tooFewRelated(relationship: "players", count: 0, limit: 1))
        try world.save { batch in
            try batch.delete(cities[0], "City")
            try batch.delete(team, "Team")
        }
        #expect(try store.check().faults == [])
    }
}
