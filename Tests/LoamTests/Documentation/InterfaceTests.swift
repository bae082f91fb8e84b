import Foundation
import Loam
import Observation
import Testing

@Model final class Ferry {
    #Unique<Ferry>([\.id], [])
    @Attribute(.allowsCloudEncryption) var id: String
    var name: String
    var seats: Int
    @Attribute(.ephemeral) var isSelected = false
    @Attribute(.ephemeral) var remark: String?

    init(_ id: String, name: String, seats: Int = 0) {
        (self.id, self.name, self.seats) = (id, name, seats)
    }

    /// The value is kept nowhere, so the property tells observers by itself.
    var isFull: Bool {
        get {
            access(keyPath: \.isFull)
            return getValue(forKey: \.seats) == 0
        }
        set { withMutation(keyPath: \.isFull) { setValue(forKey: \.seats, to: newValue ? 0 : 100) } }
    }
}

private enum FerriesV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Ferry.self] }
}

private enum FerriesV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 1, 0)
    static var models: [any PersistentModel.Type] { [Ferry.self] }
}

private enum FerryPlan: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [FerriesV1.self, FerriesV2.self]
    static let stages = [migrateV1toV2]

    static let migrateV1toV2 = MigrationStage.lightweight(fromVersion: FerriesV1.self, toVersion: FerriesV2.self)
    static let fillSeats = MigrationStage.custom(
        fromVersion: FerriesV1.self, toVersion: FerriesV2.self, willMigrate: nil,
        didMigrate: { context in
            for ferry in try context.fetch(FetchDescriptor<Ferry>()) { ferry.seats = 100 }
            try context.save()
        })
}

/// An actor as people wrote it before `@ModelActor`, with a context that they made themselves.
private actor Harbour: ModelActor {
    nonisolated let modelContainer: ModelContainer
    nonisolated let modelExecutor: any ModelExecutor

    init(_ container: ModelContainer) {
        modelContainer = container
        let context = ModelContext(container)
        context.autosaveEnabled = false
        modelExecutor = DefaultSerialModelExecutor(modelContext: context)
    }

    func add(_ id: String) throws -> Int {
        modelContext.insert(Ferry(id, name: "Ferry \(id)"))
        try modelContext.save()
        return try modelContext.fetchCount(FetchDescriptor<Ferry>())
    }
}

/// The class is not private: the runtime finds no private types by their names.
final class JournalTransformer: ValueTransformer {}

@Model private final class Journal {
    @Attribute(.transformable(by: JournalTransformer.self), .unique) var text: Data?
    @Attribute(.transformable(by: "author")) var author: Data?
    @Attribute(originalName: "name", hashModifier: "2") var title: String

    init(title: String) { self.title = title }
}

/// SwiftData's interface, in the rarer ways in which programs use it.
@Suite("Interface")
struct InterfaceTests {
    let container: ModelContainer

    init() throws {
        container = try memoryContainer(Ferry.self)
    }

    @Test func aPlanWithStagesInStaticConstants() throws {
        #expect("\(FerriesV2.versionIdentifier)" == "2.1.0")
        _ = try ModelContainer(
            for: Schema(versionedSchema: FerriesV2.self), migrationPlan: FerryPlan.self,
            configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
        guard case .custom(_, _, nil, .some) = FerryPlan.fillSeats else {
            Issue.record("The stage has lost its closure.")
            return
        }
    }

    @Test func anActorWithAnExecutorOfItsOwn() async throws {
        let harbour = Harbour(container)
        #expect(try await harbour.add("a") == 1)
        #expect(try await harbour.add("b") == 2)
    }

    @Test func identifiersOfASaveAsSetsAndArrays() throws {
        let context = ModelContext(container)
        let ferries = (0..<3).map { Ferry("\($0)", name: "Ferry \($0)") }
        for ferry in ferries { context.insert(ferry) }
        nonisolated(unsafe) var told: [[AnyHashable: Any]] = []
        let token = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: context, queue: nil
        ) { told.append($0.userInfo ?? [:]) }
        defer { NotificationCenter.default.removeObserver(token) }
        try context.save()
        ferries[0].seats = 5
        context.delete(ferries[2])
        let deleted = ferries[2].persistentModelID
        try context.save()
        try #require(told.count == 2)
        typealias Key = ModelContext.NotificationKey
        let expected: [(Int, Key, [PersistentIdentifier])] = [
            (0, .insertedIdentifiers, ferries.prefix(2).map(\.persistentModelID) + [deleted]),
            (0, .updatedIdentifiers, []), (1, .updatedIdentifiers, [ferries[0].persistentModelID]),
            (1, .deletedIdentifiers, [deleted]),
        ]
        for (number, key, identifiers) in expected {
            #expect(told[number][key] as? Set<PersistentIdentifier> == Set(identifiers))
            let array = try #require(told[number][key.rawValue] as? [PersistentIdentifier])
            #expect(array.sorted() == identifiers.sorted())
        }
    }

    @Test func anIdentifierFromNumbersThatAreKnownFromElsewhere() throws {
        let context = ModelContext(container)
        let ferry = Ferry("a", name: "Ferry")
        context.insert(ferry)
        try context.save()
        let store = try #require(ferry.persistentModelID.storeIdentifier)
        let made = try (1...20).map {
            try PersistentIdentifier.identifier(for: store, entityName: "Ferry", primaryKey: $0)
        }
        #expect(made.filter { $0 == ferry.persistentModelID }.count == 1)
        let elsewhere = try PersistentIdentifier.identifier(for: "x", entityName: "Ferry", primaryKey: "1")
        #expect(elsewhere != ferry.persistentModelID)
        for key in ["", "x", "-1", "0", "1.5", "99999999999999999999"] {
            #expect(throws: SwiftDataError.unknownSchema) {
                try PersistentIdentifier.identifier(for: store, entityName: "Ferry", primaryKey: key)
            }
        }
    }

    @Test func observersOfAComputedPropertyAreTold() throws {
        let context = ModelContext(container)
        let ferry = Ferry("a", name: "Ferry")
        context.insert(ferry)
        nonisolated(unsafe) var changes = 0
        let isFull = withObservationTracking {
            ferry.isFull
        } onChange: {
            changes += 1
        }
        #expect(isFull)
        ferry.isFull = false
        #expect(changes == 1)
        #expect(ferry.seats == 100)
    }

    @Test func anEphemeralPropertyIsObservedAndKeptInMemoryOnly() throws {
        let context = ModelContext(container)
        let ferry = Ferry("a", name: "Ferry")
        context.insert(ferry)
        try context.save()
        nonisolated(unsafe) var changes = 0
        withObservationTracking {
            #expect(!ferry.isSelected)
            #expect(ferry.remark == nil)
        } onChange: {
            changes += 1
        }
        ferry.isSelected = true
        ferry.remark = "late"
        #expect(changes == 1)
        #expect(!context.hasChanges)
        #expect(ferry.isSelected)
        let stored = try #require(try ModelContext(container).fetch(FetchDescriptor<Ferry>()).first)
        #expect(!stored.isSelected)
        #expect(stored.remark == nil)
        let entity = try #require(Schema([Ferry.self]).entity(for: Ferry.self))
        #expect(entity.attributesByName.keys.sorted() == ["id", "name", "seats"])
    }

    @Test func anErrorKeepsItsSentence() throws {
        let error = #expect(throws: SwiftDataError.self) {
            try PersistentIdentifier.identifier(for: "", entityName: "", primaryKey: "many")
        }
        let plain: (any Error)? = error
        #expect(plain?.localizedDescription == "A row's key is a whole number above 0, and 'many' is none.")
        #expect(SwiftDataError.conflict.localizedDescription == "conflict")
    }

    @Test func aUniqueIdentifierBesideAnEmptyList() throws {
        let context = ModelContext(container)
        for seats in 1...2 {
            context.insert(Ferry("a", name: "Ferry", seats: seats))
            try context.save()
        }
        #expect(try context.fetch(FetchDescriptor<Ferry>()).map(\.seats) == [2])
    }

    @Test func foldersThatFoundationHasElsewhere() {
        for folder in [URL.documentsDirectory, .applicationSupportDirectory, .cachesDirectory] {
            #expect(folder.isFileURL)
            #expect(folder.hasDirectoryPath)
        }
    }

    @Test func thePropertiesOfASchemaAreDecodedOneByOne() throws {
        func copy<Property: SchemaProperty>(_ property: Property) throws -> Property {
            try JSONDecoder().decode(Property.self, from: JSONEncoder().encode(property))
        }
        let schema = Schema([Country.self, Journal.self])
        for property in schema.entities.flatMap(\.properties) {
            if let attribute = property as? Schema.Attribute {
                let copy = try copy(attribute)
                #expect(copy == attribute && copy.isOptional == attribute.isOptional)
                #expect(
                    copy.hashModifier == attribute.hashModifier && copy.isTransformable == attribute.isTransformable)
            }
            guard let relationship = property as? Schema.Relationship else { continue }
            let copy = try copy(relationship)
            #expect(copy == relationship && copy.isToOneRelationship == relationship.isToOneRelationship)
            #expect(copy.maximumModelCount == relationship.maximumModelCount)
            #expect(copy.inverseKeyPath != nil || relationship.inverseName == nil)
        }
        let journal = try #require(schema.entitiesByName["Journal"])
        #expect(journal.attributesByName["text"]?.options == [.transformable(by: JournalTransformer.self), .unique])
        #expect(journal.attributesByName["author"]?.options == [.transformable(by: "author")])
        #expect(journal.attributesByName["title"]?.originalName == "name")
        #expect(journal.attributes.count == 3 && journal.relationships.isEmpty && journal.properties.count == 3)
    }

    @Test func aSchemaDescribesItselfAndIsDecoded() throws {
        let schema = Schema([Country.self], version: Schema.Version(3, 0, 0))
        let cities = try #require(schema.entity(for: Country.self)?.relationshipsByName["cities"])
        #expect(cities.inverseName == "country")
        #expect(schema.entity(for: City.self)?.relationshipsByName["country"]?.inverseName == "cities")
        let decoded = try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(schema))
        #expect(decoded == schema)
        #expect(decoded.entities == schema.entities)
        let entity = try JSONDecoder().decode(
            Schema.Entity.self, from: JSONEncoder().encode(schema.entitiesByName["Tag"]))
        #expect(entity == schema.entitiesByName["Tag"])
        #expect(Schema.Entity(City.self) == schema.entitiesByName["City"])
        #expect(Schema().entities.isEmpty && Schema(entity).entities == schema.entities)
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).schema")
        defer { try? FileManager.default.removeItem(at: file) }
        try schema.save(to: file)
        #expect(try Schema.load(from: file) == schema)
        let newer =
            #"{"version":{"major":1,"minor":0,"patch":0},"models":[],"encodingVersion":{"major":9,"minor":0,"patch":0}}"#
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Schema.self, from: Data(newer.utf8)) }
        // The names name nothing, or no model; some have bytes that the runtime would follow as addresses in its own
        // names.
        for name in ["9Nowhere", "", "Si", "$sSi", #"\u0001abcd"#, #"\u0002\u0000\u0000\u0000\u0000"#] {
            let text = #"{"version":{"major":1,"minor":0,"patch":0},"models":["\#(name)"]}"#
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Schema.self, from: Data(text.utf8)) }
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(
                Schema.Attribute.Option.self, from: Data(#"{"name":"transformable","transformer":{"type":"Si"}}"#.utf8))
        }
        let index = Schema.Index<City>([\.name], [\.population, \.name])
        #expect(index.indices.count == 2)
        guard case .binary(let keyPaths) = index.indices[1], keyPaths == [\City.population, \City.name] else {
            Issue.record("\(index.indices)")
            return
        }
        #expect(Schema.Unique<City>([\.name], []).constraints == [[\City.name]])
    }
}
