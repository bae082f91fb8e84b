import LoamStorage
import Testing

/// Where each kind of relationship is kept, and how relationships change the catalog.
@Suite struct RelationshipSchemaTests {
    let folder: TemporaryStore
    let store: Store

    init() throws {
        folder = try TemporaryStore()
        store = try folder.open()
        try store.apply(.addEntities(WorldSchema.definitions))
    }

    @Test func aToOneIsKeptInItsRecordWithAnIndexAndAPlace() throws {
        let (city, country) = (try store.entity("City"), try store.entity("Country"))
        let relationship = try #require(city.relationship(named: "country"))
        let inverse = try #require(country.relationship(named: "cities"))
        guard case .reference(let property, let position?, let index) = relationship.storage else {
            Issue.record("not kept as a reference")
            return
        }
        #expect(city.property(withID: property)?.name == "country")
        #expect(city.property(withID: property)?.role == .reference(relationship.id))
        #expect(city.property(withID: position)?.isHidden == true)
        #expect(city.indexes.first { $0.id == index }?.components.map(\.property) == [property, position])
        #expect(inverse.storage == .inverseOfReference(relationship.id))
        #expect(inverse.inverse == relationship.id && relationship.inverse == inverse.id)
        #expect(relationship.destination == country.id && inverse.destination == city.id)
    }

    @Test func theSideThatIsNotOptionalKeepsAOneToOne() throws {
        let capital = try #require(try store.entity("Capital").relationship(named: "country"))
        let country = try #require(try store.entity("Country").relationship(named: "capital"))
        #expect(capital.referenceProperty != nil && capital.positionProperty == nil)
        #expect(country.storage == .inverseOfReference(capital.id))
    }

    @Test func bothSidesOfAManyToManyShareLinks() throws {
        let tags = try #require(try store.entity("City").relationship(named: "tags"))
        let cities = try #require(try store.entity("Tag").relationship(named: "cities"))
        #expect(tags.storage == .links(table: tags.id, isForward: true))
        #expect(cities.storage == .links(table: tags.id, isForward: false))
    }

    @Test func theCatalogIsTheSameAfterReopening() throws {
        let before = try store.catalog().schema
        let again = try folder.open()
        #expect(try again.catalog().schema == before)
        #expect(try store.check().faults == [])
    }

    @Test func relationshipsAreAddedRenamedAndRemovedWithRowsThere() throws {
        try store.apply(.addEntity(EntityDefinition("Person", properties: [PropertyDefinition("name", type: .string)])))
        let long = String(repeating: "Ada", count: 10_000)
        let old = try store.insert([["name": .string(long)], ["name": .string("Ada")]], into: "Person")
        try store.apply(
            .addRelationship(
                RelationshipDefinition("parent", to: "Person"), to: "Person",
                inverse: RelationshipDefinition("children", to: "Person", isToMany: true)))
        let parent = try #require(try store.entity("Person").relationship(named: "parent"))
        #expect(parent.positionProperty != nil)
        #expect(try store.entity("Person").indexes.map(\.state) == [.ready])
        // Records from before the relationship are read and changed like any other.
        let rows = RelatedRows(store: store)
        #expect(try rows.related(old[0], "parent", of: "Person") == [])
        let child = try rows.insert("Person", "child", ["parent": old[0]])
        try rows.save { try $0.set("parent", of: old[0], "Person", to: old[1]) }
        #expect(try rows.related(old[0], "children", of: "Person") == [child])
        #expect(try rows.related(old[1], "children", of: "Person") == [old[0]])
        try rows.save { try $0.delete(old[1], "Person") }
        #expect(try rows.related(old[0], "parent", of: "Person") == [])
        #expect(try store.values(old[0], of: "Person")?[0] == .string(long))
        try store.apply(.renameRelationship("parent", to: "mother", in: "Person"))
        #expect(try store.entity("Person").position(of: "mother") != nil)
        try store.apply(.rebuildIndex("ref(mother)", of: "Person"))
        #expect(throws: StorageError.self) { try store.apply(.dropIndex("ref(mother)", from: "Person")) }
        #expect(throws: StorageError.self) { try store.apply(.removeProperty("mother", from: "Person")) }
        #expect(try store.check().faults == [])
        try store.apply(.removeRelationship("mother", from: "Person"))
        #expect(try store.entity("Person").relationships == [])
        #expect(try store.entity("Person").properties.map(\.name) == ["name"])
        #expect(try store.check().faults == [])
    }

    @Test func anEntityTakesTheRelationshipsThatLeadToItAlong() throws {
        try store.apply(.removeEntity("Country"))
        #expect(try store.entity("City").relationships.map(\.name) == ["tags", "twins"])
        try store.apply(.removeEntity("Tag"))
        #expect(try store.entity("City").relationships.map(\.name) == ["twins"])
        #expect(try store.check().faults == [])
    }

    @Test(arguments: [
        RelationshipDefinition("city", to: "Nowhere"),
        RelationshipDefinition("city", to: "City", inverse: "name"),
        RelationshipDefinition("city", to: "City", inverse: "country"),
        RelationshipDefinition("name", to: "City"),
        RelationshipDefinition("a.b", to: "City"),
    ])
    func whatCannotBeKeptIsRefused(_ relationship: RelationshipDefinition) throws {
        let street = EntityDefinition(
            "Street", properties: [PropertyDefinition("name", type: .string)], relationships: [relationship])
        #expect(throws: StorageError.self) { try store.apply(.addEntity(street)) }
        #expect(try store.catalog().schema.entity(named: "Street") == nil)
    }
}
