/// The models of a container: their entities with attributes, relationships and indexes.
///
/// ```swift
/// let schema = Schema([Country.self, City.self])
/// ```
///
/// Models that are reachable through relationships join by themselves.
public final class Schema: Hashable, Sendable {
    /// The models of the schema, in the order of their names.
    public let entities: [Entity]
    /// Which version of the models this is.
    public let version: Version
    package let types: [ModelType]
    /// Those that the schema was made of, without what they lead to.
    let listed: [ModelType]

    /// - Parameters:
    ///   - types: the models; those that their relationships lead to are added.
    ///   - version: which version of the models this is.
    public init(_ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)) {
        let reachable = ModelType.reachable(from: types)
        self.types = reachable
        listed = reachable.filter { model in types.contains { $0 == model.type } }
        self.version = version
        // Where the models contradict each other there are no pairs: opening a container says what is wrong.
        let pairs = try? RelationshipPairs(self.types)
        entities = self.types.map { Entity($0, pairs: pairs) }.sorted { $0.name < $1.name }
    }

    /// A schema without models.
    public convenience init() { self.init([]) }

    /// The models of entities, and those that their relationships lead to.
    public convenience init(_ entities: Entity..., version: Version = Version(1, 0, 0)) {
        self.init(entities.map(\.type.type), version: version)
    }

    /// The same from a list.
    public convenience init(_ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)) {
        self.init(types, version: version)
    }

    /// The entities by their names. The dictionary is made at each call, O(entities).
    public var entitiesByName: [String: Entity] {
        Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The entity of a model; nil when the schema does not have it.
    public func entity<T: PersistentModel>(for type: T.Type) -> Entity? {
        entities.first { $0.name == Schema.entityName(for: type) }
    }

    /// The name under which a model is stored: the class's own.
    public static func entityName<T: PersistentModel>(for type: T.Type) -> String { name(of: type) }

    static func name(of type: any PersistentModel.Type) -> String { String(describing: type) }

    /// Whether both have the same version, and the same models in the same order.
    public static func == (left: Schema, right: Schema) -> Bool {
        left.version == right.version && left.types.map(\.entityName) == right.types.map(\.entityName)
            && zip(left.types, right.types).allSatisfy { $0.0 === $0.1 }
    }

    /// Hashes the version and the names of the models, so that equal schemas have equal hashes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(version)
        hasher.combine(types.map(\.entityName))
    }
}

extension Schema {
    /// A schema's version, compared number by number.
    public struct Version: Codable, Comparable, CustomStringConvertible, Hashable, Sendable {
        /// Raised for changes that older versions cannot read.
        public let major: Int
        /// Raised for additions that older versions can do without.
        public let minor: Int
        /// Raised for changes that are neither.
        public let patch: Int

        /// Makes a version of three numbers.
        public init(_ major: Int, _ minor: Int, _ patch: Int) {
            self.major = major
            self.minor = minor
            self.patch = patch
        }

        /// The numbers with points between them, like `1.0.0`.
        public var description: String { "\(major).\(minor).\(patch)" }

        /// Whether the first version is older. The numbers are compared in turn, `major` first.
        public static func < (left: Version, right: Version) -> Bool {
            (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
        }
    }

    /// What `@Model` says of one property.
    public struct PropertyMetadata {
        /// The property's name.
        public let name: String
        /// The property's key path.
        public let keypath: AnyKeyPath
        /// The value of the property's initializer.
        public let defaultValue: Any?
        /// What `@Attribute` or `@Relationship` says; nil where neither is there.
        public let metadata: (any SchemaProperty)?

        /// Describes a property; generated code calls it.
        public init(
            name: String, keypath: AnyKeyPath, defaultValue: Any? = nil, metadata: (any SchemaProperty)? = nil
        ) {
            self.name = name
            self.keypath = keypath
            self.defaultValue = defaultValue
            self.metadata = metadata
        }
    }

    /// One model as it is stored.
    public final class Entity: Hashable, Sendable {
        /// The name under which the model is stored, that of its class.
        public let name: String
        /// Attributes and relationships, in the order of their declaration.
        public let properties: [any SchemaProperty]
        /// The properties whose values lie in the model's record.
        public let attributes: Set<Attribute>
        /// The properties that lead to other models.
        public let relationships: Set<Relationship>
        /// Names of the properties that are unique together.
        public let uniquenessConstraints: [[String]]
        /// Names of the properties of each index that `#Index` declares. Constraints are not among them.
        public let indices: [[String]]

        /// The class that it describes.
        let type: ModelType

        /// The same as a type.
        package var model: any PersistentModel.Type { type.type }

        init(_ type: ModelType, pairs: RelationshipPairs?) {
            self.type = type
            name = type.entityName
            let properties: [any SchemaProperty] = type.properties.compactMap { property in
                if let attribute = property.attribute { return attribute }
                return property.relationship?.led(backBy: pairs?.inverse(of: property.name, in: type.entityName))
            }
            self.properties = properties
            attributes = Set(properties.compactMap { $0 as? Attribute })
            relationships = Set(properties.compactMap { $0 as? Relationship })
            uniquenessConstraints = type.uniqueProperties
            indices = type.indexedProperties
        }

        /// The entity of a model, with the inverses that it has beside the models that its relationships reach.
        public convenience init(_ model: any PersistentModel.Type) {
            let type = ModelType.of(model)
            self.init(type, pairs: try? RelationshipPairs(ModelType.reachable(from: [model])))
        }

        /// The attributes by name.
        public var attributesByName: [String: Attribute] {
            Dictionary(attributes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }

        /// The relationships by their names. The dictionary is made at each call, O(relationships).
        public var relationshipsByName: [String: Relationship] {
            Dictionary(relationships.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }

        /// The properties that the model declares itself: all, as models do not inherit here.
        public var storedProperties: [any SchemaProperty] { properties }
        /// The same by name.
        public var storedPropertiesByName: [String: any SchemaProperty] { propertiesByName }
        /// The properties by name.
        public var propertiesByName: [String: any SchemaProperty] {
            Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }

        /// Whether both have the same name, and equal properties, constraints and indexes.
        public static func == (left: Entity, right: Entity) -> Bool {
            left.name == right.name && left.attributes == right.attributes && left.relationships == right.relationships
                && left.uniquenessConstraints == right.uniquenessConstraints && left.indices == right.indices
        }

        /// Hashes the name, so that equal entities have equal hashes.
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }
}

/// An attribute or a relationship of a model.
public protocol SchemaProperty: Codable, Hashable, Sendable {
    var name: String { get }
    /// The name under which older stores keep the property; the same as ``name`` where it was not renamed.
    var originalName: String { get }
    /// The Swift type of the property.
    var valueType: any Any.Type { get }
    /// Whether it is an attribute, whose value lies in the model's record.
    var isAttribute: Bool { get }
    /// Whether it leads to other models.
    var isRelationship: Bool { get }
    /// Whether it is kept out of the store. False for all that a schema lists.
    var isTransient: Bool { get }
    /// Whether it may be nil.
    var isOptional: Bool { get }
    /// Whether no two models may share a value.
    var isUnique: Bool { get }
}
