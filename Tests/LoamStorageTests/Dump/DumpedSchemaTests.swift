import Foundation
import Testing

@testable import LoamStorage

/// Parts of a schema, besides names and types, that a dump keeps because older models need them.
@Suite struct DumpedSchemaTests {
    private let temporary: TemporaryStore
    private let other: TemporaryStore

    init() throws {
        temporary = try TemporaryStore()
        other = try TemporaryStore()
    }

    private func makeStore() throws -> Store {
        let store = try temporary.open()
        let country = EntityDefinition(
            "Country", properties: [PropertyDefinition("name", type: .string, isPreserved: true)],
            relationships: [RelationshipDefinition("places", to: "City", isToMany: true, inverse: "land")])
        let city = EntityDefinition(
            "City",
            properties: [
                PropertyDefinition("title", type: .string),
                PropertyDefinition("id", type: .int64, formerNames: ["number"]),
                PropertyDefinition("tags", type: .array(of: .string, optional: false), initialValue: .array([])),
            ],
            relationships: [
                RelationshipDefinition("land", to: "Country", inverse: "places", formerNames: ["state"])
            ])
        try store.apply(.addEntities([country, city]))
        try store.insert([["title": .string("Bern"), "id": .int(1), "tags": .array([])]], into: "City")
        try store.apply(.renameProperty("title", to: "name", in: "City"))
        try store.apply(.renameRelationship("land", to: "country", in: "City"))
        try store.apply(.renameRelationship("places", to: "cities", in: "Country"))
        try store.apply(
            .addProperty(
                PropertyDefinition("description", type: .string, initialValue: .string("a \"b\"\u{0}")), to: "City"))
        try store.apply(.addProperty(PropertyDefinition("size", type: .int64, filler: .int(7)), to: "City"))
        try store.changeSchema { try $0.noteRules(of: SchemaVersion(2, 1, 0), for: "City") }
        return store
    }

    private func dump(_ store: Store) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try store.read { snapshot in
            try StoreDump.write(snapshot.schema.entities, of: snapshot) { bytes += $0 }
        }
        return bytes
    }

    private func load(_ bytes: [UInt8]) throws -> Store {
        let store = try other.open()
        var reader = try DumpReader(ByteSource(bytes: bytes))
        _ = try StoreDump.load(&reader, into: store)
        return store
    }

    @Test func formerNamesDefaultsAndTheVersionOfTheRulesAreKept() throws {
        let store = try makeStore()
        let bytes = try dump(store)
        let loaded = try load(bytes)
        #expect(try dump(loaded) == bytes)
        let (city, country) = (try loaded.entity("City"), try loaded.entity("Country"))
        #expect(city.position(of: "title") == city.position(of: "name"))
        #expect(city.position(of: "number") == city.position(of: "id"))
        for name in ["land", "state"] { #expect(city.relationship(named: name)?.name == "country") }
        #expect(country.relationship(named: "places")?.name == "cities")
        #expect(country.properties.map(\.isPreserved) == [true] && !city.properties.contains(where: \.isPreserved))
        let catalog = try loaded.catalog()
        func initialValue(_ name: String) throws -> Value {
            try catalog.initialValue(of: try #require(city.position(of: name)), in: city.id)
        }
        #expect(try initialValue("description") == .string("a \"b\"\u{0}"))
        #expect(try initialValue("tags") == .array([]))
        #expect(try initialValue("size") == .null)
        try loaded.changeSchema { draft in
            let accepts = [
                try draft.acceptsRules(of: SchemaVersion(2, 0, 9), for: "City"),
                try draft.acceptsRules(of: SchemaVersion(2, 1, 0), for: "City"),
                try draft.acceptsRules(of: SchemaVersion(1, 0, 0), for: "Country"),
            ]
            #expect(accepts == [false, true, true])
        }
        #expect(try loaded.check().faults == [])
    }

    private func header(_ property: String) -> [UInt8] {
        Array(
            (#"{"loam":"dump","format":1,"entities":[{"indexes":[],"lastRow":1,"name":"A","properties":["#
                + property + #"],"rows":1}]}"# + "\n").utf8)
    }

    @Test(arguments: [
        #""initial":"7""#, #""initial":"\"x""#, #""initial":"""#, #""initial":7"#, #""formerNames":"n""#,
        #""formerNames":["m",""]"#,
    ])
    func whatIsNoInitialValueAndNoNameIsRefused(_ member: String) throws {
        let bytes = header(#"{"name":"n","optional":true,"type":"string",\#(member)}"#)
        guard case .invalidDump(line: 1, _) = storageError({ _ = try load(bytes) }) else {
            Issue.record("taken: \(member)")
            return
        }
    }

    @Test func formerNamesThatAreTakenAreForgotten() throws {
        let two =
            #"{"name":"n","optional":true,"type":"int64","formerNames":["m","k","k"]},"#
            + #"{"name":"m","optional":true,"type":"int64","formerNames":["n","k"]}"#
        let loaded = try load(header(two) + Array(#"{"entity":"A","row":1,"values":{}}"#.utf8))
        #expect(try loaded.entity("A").properties.map(\.formerNames) == [["k"], []])
        #expect(try loaded.check().faults == [])
    }
}
