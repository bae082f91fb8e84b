public import Foundation

// A schema is encoded as its version and the names by which the Swift runtime finds its classes: it can be decoded by
// programs that have these classes, unless they are private. Its properties are encoded with the names of their types.

extension Schema: Codable {
    private enum CodingKeys: CodingKey { case version, models, encodingVersion }

    /// The version of what ``encode(to:)`` writes.
    public static let schemaEncodingVersion = Version(1, 0, 0)

    /// The version of what was read, or would be written.
    public var encodingVersion: Version { Self.schemaEncodingVersion }

    /// Reads a schema that ``save(to:)`` has written.
    ///
    /// - Throws: what keeps the file from being read, and `DecodingError` where it is no schema, is of a newer
    ///   encoding, or the program lacks one of its classes.
    public static func load(from url: URL) throws -> Schema {
        try JSONDecoder().decode(Schema.self, from: Data(contentsOf: url))
    }

    /// Writes the schema to a file, as JSON.
    ///
    /// - Throws: what keeps the file from being written.
    public func save(to url: URL) throws { try JSONEncoder().encode(self).write(to: url, options: .atomic) }

    /// Reads a schema that was encoded.
    ///
    /// - Throws: `DecodingError` where the program lacks one of its classes.
    public convenience init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let encoding = try members.decodeIfPresent(Version.self, forKey: .encodingVersion)
        guard encoding ?? Self.schemaEncodingVersion <= Self.schemaEncodingVersion else {
            throw DecodingError.dataCorruptedError(
                forKey: .encodingVersion, in: members,
                debugDescription: "The schema was written by a newer version of Loam. Update the program.")
        }
        let types = try members.decode([EncodedType].self, forKey: .models).map { try $0.model(decoder) }
        self.init(types, version: try members.decode(Version.self, forKey: .version))
    }

    /// Writes the version and the names of the classes.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(encodingVersion, forKey: .encodingVersion)
        try members.encode(version, forKey: .version)
        try members.encode(types.map { EncodedType($0.type) }, forKey: .models)
    }
}

extension Schema.Entity: Codable {
    /// Reads an entity that was encoded.
    ///
    /// - Throws: `DecodingError` where the program lacks the class.
    public convenience init(from decoder: any Decoder) throws {
        self.init(try EncodedType(from: decoder).model(decoder))
    }

    /// Writes the name of the class.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try EncodedType(type.type).encode(to: encoder) }
}

extension Schema.Attribute: Codable {
    private enum CodingKeys: CodingKey { case name, originalName, options, valueType, isOptional, hashModifier }

    /// Reads an attribute that was encoded.
    ///
    /// - Throws: `DecodingError` where the program lacks the type of its values, or its transformer.
    public convenience init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try members.decode(String.self, forKey: .name),
            originalName: try members.decode(String.self, forKey: .originalName),
            options: try members.decode([Option].self, forKey: .options),
            valueType: try members.decode(EncodedType.self, forKey: .valueType).type(decoder),
            isOptional: try members.decode(Bool.self, forKey: .isOptional),
            hashModifier: try members.decodeIfPresent(String.self, forKey: .hashModifier))
    }

    /// Writes all that the attribute says, and the name of its type.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(name, forKey: .name)
        try members.encode(originalName, forKey: .originalName)
        try members.encode(options, forKey: .options)
        try members.encode(EncodedType(valueType), forKey: .valueType)
        try members.encode(isOptional, forKey: .isOptional)
        try members.encodeIfPresent(hashModifier, forKey: .hashModifier)
    }
}

extension Schema.Relationship: Codable {
    private enum CodingKeys: CodingKey {
        case name, originalName, options, valueType, destination, deleteRule, inverseName, minimumModelCount
        case maximumModelCount, isToOneRelationship, isOptional, hashModifier
    }

    /// Reads a relationship that was encoded. The key path of the inverse is found by the inverse's name.
    ///
    /// - Throws: `DecodingError` where the program lacks the type of its values.
    public convenience init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let valueType = try members.decode(EncodedType.self, forKey: .valueType).type(decoder)
        let inverseName = try members.decodeIfPresent(String.self, forKey: .inverseName)
        let destination = RelationshipTarget(valueType).map { ModelType.of($0.type) }
        let inverse = destination?.properties.firstIndex { $0.name == inverseName }
        self.init(
            name: try members.decode(String.self, forKey: .name),
            originalName: try members.decode(String.self, forKey: .originalName),
            options: try members.decode([Option].self, forKey: .options), valueType: valueType,
            destination: try members.decode(String.self, forKey: .destination),
            deleteRule: try members.decode(DeleteRule.self, forKey: .deleteRule), inverseName: inverseName,
            inverseKeyPath: inverse.flatMap { destination?.keyPath($0) },
            minimumModelCount: try members.decodeIfPresent(Int.self, forKey: .minimumModelCount),
            maximumModelCount: try members.decodeIfPresent(Int.self, forKey: .maximumModelCount),
            isToOneRelationship: try members.decode(Bool.self, forKey: .isToOneRelationship),
            isOptional: try members.decode(Bool.self, forKey: .isOptional),
            hashModifier: try members.decodeIfPresent(String.self, forKey: .hashModifier))
    }

    /// Writes all that the relationship says, with the inverse's name for its key path.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        let target = RelationshipTarget(valueType).map { ModelType.of($0.type) }
        let declared = inverseKeyPath.flatMap { target?.name(of: $0) }
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(name, forKey: .name)
        try members.encode(originalName, forKey: .originalName)
        try members.encode(options, forKey: .options)
        try members.encode(EncodedType(valueType), forKey: .valueType)
        try members.encode(destination, forKey: .destination)
        try members.encode(deleteRule, forKey: .deleteRule)
        try members.encodeIfPresent(inverseName ?? declared, forKey: .inverseName)
        try members.encodeIfPresent(minimumModelCount, forKey: .minimumModelCount)
        try members.encodeIfPresent(maximumModelCount, forKey: .maximumModelCount)
        try members.encode(isToOneRelationship, forKey: .isToOneRelationship)
        try members.encode(isOptional, forKey: .isOptional)
        try members.encodeIfPresent(hashModifier, forKey: .hashModifier)
    }
}

/// A type under the name by which the runtime finds it.
private struct EncodedType: Codable {
    let name: String

    init(_ type: any Any.Type) { name = _mangledTypeName(type) ?? String(reflecting: type) }

    init(from decoder: any Decoder) throws { name = try decoder.singleValueContainer().decode(String.self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    func model(_ decoder: any Decoder) throws -> any PersistentModel.Type {
        guard let model = _typeByName(name) as? any PersistentModel.Type else {
            throw lacking("model", decoder: decoder)
        }
        return model
    }

    func type(_ decoder: any Decoder) throws -> any Any.Type {
        guard let type = _typeByName(name) else { throw lacking("type", decoder: decoder) }
        return type
    }

    private func lacking(_ what: String, decoder: any Decoder) -> DecodingError {
        .dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "This program has no \(what) \(name)."))
    }
}
