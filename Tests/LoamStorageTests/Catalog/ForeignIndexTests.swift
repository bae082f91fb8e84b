import Foundation
import LMDB
import Testing

@testable import LoamStorage

/// Indexes whose kind, form, function, or another part this version of Loam does not know.
@Suite struct ForeignIndexTests {
    private static let note = EntityDefinition(
        "Note",
        properties: [
            PropertyDefinition("text", type: .string, isOptional: true), PropertyDefinition("number", type: .int64),
        ],
        indexes: [
            IndexDefinition([.init("text")], name: "foreign"), IndexDefinition([.init("number")], name: "own"),
        ])

    /// Parts of the catalog's JSON that another version could have written, in place of those of the index `foreign`.
    private static let doctored: [(text: String, other: String)] = [
        (#""kind":"ordered","name":"foreign""#, #""kind":"substring","name":"foreign""#),
        (
            #""included":[],"kind":"ordered","name":"foreign""#,
            #""grams":[3,null,-7],"included":[],"kind":"ordered","name":"foreign""#
        ),
        (
            #""name":"foreign","sectioned":false}"#,
            #""name":"foreign","sectioned":false,"where":{"a":[true,0.1,18446744073709551615],"b":"é\"\/"}}"#
        ),
        (#""form":"exact","keyPath":["text"]"#, #""form":"soundex","keyPath":["text"]"#),
        (#""form":"exact","keyPath":["text"]"#, #""form":"exact","function":{"name":"rot13"},"keyPath":["text"]"#),
        (
            #""form":"exact","keyPath":["text"]"#,
            #""form":"exact","function":{"name":"day","timeZone":"Mars\/Olympus","x":{}},"keyPath":["text"]"#
        ),
        (#""form":"exact","keyPath":["text"]"#, #""form":"exact","keyPath":["text"],"weights":{"a":1.5}"#),
        (#""name":"foreign","sectioned":false}"#, #""name":"foreign","sectioned":false},"encoding":2"#),
        // Trigrams in shapes that there are none of here.
        (#""kind":"ordered","name":"foreign""#, #""kind":"trigrams","name":"foreign""#),
        (
            #""form":"exact","keyPath":["text"]}],"included":[],"kind":"ordered","name":"foreign","sectioned":false}"#,
            #""form":"caseAndDiacriticFolded","keyPath":["text"]}],"included":[],"kind":"trigrams","#
                + #""name":"foreign","sectioned":true}"#
        ),
        (
            #""direction":"ascending","form":"exact","keyPath":["text"]}],"included":[],"kind":"ordered""#,
            #""direction":"descending","form":"caseAndDiacriticFolded","keyPath":["text"]}],"included":[],"#
                + #""kind":"trigrams""#
        ),
    ]

    private let temporary: TemporaryStore

    init() throws { temporary = try TemporaryStore() }

    private func doctoredStore(_ change: (text: String, other: String)) throws -> Store {
        do {
            let store = try temporary.open()
            try store.apply(.addEntity(Self.note))
            try store.insert([["text": .string("b"), "number": .int(1)], ["number": .int(0)]], into: "Note")
        }
        try OpeningTests.rewriteCatalog(at: temporary.path, change.text, with: change.other)
        return try temporary.open()
    }

    private func json(_ store: Store) throws -> String {
        try store.environment.read { transaction in
            let catalog = try #require(try transaction.database(named: Keyspace.catalog))
            let key = Keyspace.catalogDocument
            guard let value = try transaction.value(for: key.span.bytes, in: catalog) else { return "" }
            return value.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test(arguments: doctored.indices)
    func itIsKeptAsItIsAndNeitherReadNorMaintained(number: Int) throws {
        let change = Self.doctored[number]
        let store = try doctoredStore(change)
        let index = try #require(try store.entity("Note").indexes.first)
        #expect(index.name == "foreign" && index.state == .ready)
        #expect(!index.isUnderstood && !index.isReadable && !index.isMaintained)
        #expect(storageError { _ = try store.rows(in: "foreign", of: "Note") } == .indexNotReady(state: "stale"))
        #expect(try store.rows(in: "own", of: "Note") == [2, 1])
        #expect(try store.check().faults == [] && store.check().notes.count == 1)
        #expect(try store.info().indexes.first?.state == "stale")
        #expect(try store.info().indexes.first?.entries == 2)
        // A write of the catalog for another reason leaves the unknown definition as it is, byte for byte.
        try store.apply(.addEntity(EntityDefinition("Other", properties: [PropertyDefinition("a", type: .int64)])))
        #expect(try json(store).contains(change.other))
        #expect(try store.entity("Note").indexes.first?.state == .ready)
        // The first write to the entity marks its unknown index stale.
        let row = try store.insert([["text": .string("a"), "number": .int(2)]], into: "Note")[0]
        #expect(try store.entity("Note").indexes.map(\.state) == [.stale, .ready])
        #expect(try json(store).contains(change.other))
        #expect(try store.rows(in: "own", of: "Note") == [2, 1, row])
        #expect(try store.check().faults == [])
    }

    @Test(arguments: doctored.indices)
    func itCanBeDroppedAndNotRebuilt(number: Int) throws {
        let store = try doctoredStore(Self.doctored[number])
        let error = #expect(throws: StorageError.self) { try store.apply(.rebuildIndex("foreign", of: "Note")) }
        let expected: [StorageError.Kind] = [
            .unknownIndexKind("substring"), .foreignIndex, .foreignIndex, .foreignIndex, .unknownFunction("rot13"),
            .unknownTimeZone("Mars/Olympus"), .foreignIndex, .foreignIndex, .foreignIndex, .foreignIndex, .foreignIndex,
        ]
        #expect(error?.kind == expected[number] && error?.index == "foreign" && error?.entity == "Note")
        // The properties of the index are known, whatever else is not.
        try store.apply(.renameProperty("text", to: "words", in: "Note"))
        #expect(try store.entity("Note").indexes.first?.definition.properties == ["words"])
        try store.apply(.dropIndex("foreign", from: "Note"))
        #expect(try store.info().indexes.map(\.name) == ["own"])
        #expect(try store.check().faults == [] && store.check().notes == [])
    }

    @Test func aLoadMarksItStale() throws {
        let store = try doctoredStore(Self.doctored[0])
        _ = try store.load(.existingEntity("Note")) { try $0.append([.string("c"), .int(7)]) }
        #expect(Set(try store.entity("Note").indexes.map(\.state)) == [.stale, .ready])
        #expect(try store.rows(in: "own", of: "Note").count == 3)
        #expect(try store.check().faults == [])
    }

    @Test func itGoesWithItsProperty() throws {
        let store = try doctoredStore(Self.doctored[0])
        try store.apply(.removeProperty("text", from: "Note"))
        #expect(try store.entity("Note").indexes.map(\.name) == ["own"])
        #expect(try store.check().faults == [])
    }

    @Test func aBuildOfItThatWasGivenUpIsLeftToOthers() throws {
        let store = try doctoredStore(Self.doctored[0])
        let id = try #require(try store.entity("Note").indexes.first?.id)
        try store.changeCatalog { document in
            document.schema.entities[0].indexes[0].state = .building
            let process = ProcessMark.begin()
            process.end()
            document.builders[id] = process
        }
        let other = try temporary.open()
        try other.apply(.addEntity(EntityDefinition("Other", properties: [PropertyDefinition("a", type: .int64)])))
        #expect(try other.entity("Note").indexes.map(\.name) == ["foreign", "own"])
        #expect(try other.entity("Note").indexes.first?.state == .stale)
        #expect(try other.catalog().document.builders == [:])
    }

    @Test func aDumpSaysWhatItIsAndAVersionThatDoesNotKnowItRefusesTheDump() throws {
        let store = try doctoredStore(Self.doctored[0])
        let dump = try RelationshipDumpTests.dump(store)
        #expect(String(decoding: dump, as: UTF8.self).contains(#""kind":"substring""#))
        let error = #expect(throws: StorageError.self) { _ = try RelationshipDumpTests.load(dump) }
        #expect(error?.kind == .unknownIndexKind("substring") && error?.index == "foreign")
    }

    @Test func aKindThatIsNotKnownCannotBeMade() throws {
        let store = try temporary.open()
        try store.apply(.addEntity(Self.note))
        let before = try json(store)
        for (kind, expected) in [
            (IndexKind("substring"), StorageError.Kind.unknownIndexKind("substring")),
            (.reference, .invalidIndex("one of kind reference is made with its relationship")),
        ] {
            let index = IndexDefinition([.init("text")], name: "other", kind: kind)
            #expect(storageError { try store.apply(.addIndex(index, to: "Note")) } == expected)
        }
        #expect(try json(store) == before)
    }

    @Test func theNamesOfADefinitionAreThoseOfItsProperties() throws {
        do { try temporary.open().apply(.addEntity(Self.note)) }
        try OpeningTests.rewriteCatalog(at: temporary.path, #""keyPath":["text"]"#, with: #""keyPath":["number"]"#)
        #expect(
            storageError { _ = try temporary.open() } == .damagedCatalog("an index names an unknown property"))
    }

    @Test func aDumpOfTheFirstFormatStillSaysWhatItsIndexesAre() throws {
        let dump = #"""
            {"loam":"dump","format":1,"entities":[{"indexes":[{"components":[{"direction":"descending","form":"caseFolded","path":["zip"],"property":"address"},{"direction":"ascending","form":"exact","path":[],"property":"name"}],"included":["name"],"name":"a","sectioned":true,"unique":false},{"components":[{"direction":"ascending","form":"exact","path":[],"property":"name"}],"included":[],"name":"b","sectioned":false,"unique":true}],"lastRow":0,"name":"City","properties":[{"name":"name","optional":false,"type":"string"},{"name":"address","optional":true,"type":{"structure":[{"isOptional":false,"name":"zip","type":"string"}]}}],"rows":0}]}

            """#
        let (folder, store) = try RelationshipDumpTests.load(Array(dump.utf8))
        defer { withExtendedLifetime(folder) {} }
        #expect(
            try store.entity("City").indexes.map(\.definition) == [
                IndexDefinition(
                    [.init("address.zip", direction: .descending, form: .caseFolded), .init("name")], name: "a",
                    isSectioned: true, included: ["name"]),
                IndexDefinition([.init("name")], name: "b", kind: .unique),
            ])
    }
}
