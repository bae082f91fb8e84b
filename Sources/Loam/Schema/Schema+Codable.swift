// A schema is encoded as its version and the names by which the Swift runtime finds its classes: it can be decoded by
// programs that have these classes.

extension Schema: Codable {
    private enum CodingKeys: CodingKey { case version, models }

    /// Reads a schema that was encoded.
    ///
    /// - Throws: `DecodingError` where the program lacks one of its classes.
    public convenience init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let types = try members.decode([EncodedType].self, forKey: .models).map { try $0.model(decoder) }
        self.init(types, version: try members.decode(Version.self, forKey: .version))
    }

    /// Writes the version and the names of the classes.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(version, forKey: .version)
        try members.encode(types.map { EncodedType($0.type) }, forKey: .models)
    }
}

extension Schema.Entity: Codable {
    /// Reads an entity that was encoded.
    ///
    /// - Throws: `DecodingError` where the program lacks the class.
    public convenience init(from decoder: any Decoder) throws {
        let type = ModelType.of(try EncodedType(from: decoder).model(decoder))
        self.init(type, try? RelationshipPairs(ModelType.reachable(from: [type.type])))
    }

    /// Writes the name of the class.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try EncodedType(type.type).encode(to: encoder) }
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
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "This program has no model \(name)."))
        }
        return model
    }
}
