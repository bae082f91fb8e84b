/// In a catalog: the definition, and for each of its components and included names what the store has found for them.
extension Index: Codable {
    private enum Key: String, CodingKey {
        case id, definition, components, included, state, formVersion
    }

    private struct Found: Codable {
        var property: PropertyID
        var type: ValueType
        var isOptional: Bool
        var share: Int
        var functionVersion: String?
    }

    /// Reads an index of a catalog. Members that this version does not know are kept.
    ///
    /// - Throws: `DecodingError` where a member is missing or of another type, or where there are more or fewer parts
    ///   than the definition has.
    package init(from decoder: any Decoder) throws {
        let members = try MembersReader(decoder, keyedBy: Key.self)
        let definition = try members.decode(IndexDefinition.self, forKey: .definition)
        let found = try members.decode([Found].self, forKey: .components)
        let included = try members.decode([PropertyID].self, forKey: .included)
        guard found.count == definition.components.count, included.count == definition.included.count,
            definition.components.allSatisfy({ !$0.names.isEmpty })
        else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "an index has other parts than its definition"))
        }
        self.init(
            id: try members.decode(IndexID.self, forKey: .id), definition,
            components: zip(definition.components, found).map { component, found in
                IndexComponent(
                    component, in: definition.kind, property: found.property, type: found.type,
                    isOptional: found.isOptional, share: found.share, functionVersion: found.functionVersion)
            },
            included: included, state: try members.decode(IndexState.self, forKey: .state),
            formVersion: try members.decodeIfPresent(String.self, forKey: .formVersion),
            foreign: try members.foreign())
    }

    /// Writes the index, with what was read of it and is not known here.
    ///
    /// - Throws: what the encoder throws.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(id, forKey: .id)
        try values.encode(definition, forKey: .definition)
        let found = components.map {
            Found(
                property: $0.property, type: $0.type, isOptional: $0.isOptional, share: $0.share,
                functionVersion: $0.functionVersion)
        }
        try values.encode(found, forKey: .components)
        try values.encode(included, forKey: .included)
        try values.encode(state, forKey: .state)
        try values.encodeIfPresent(formVersion, forKey: .formVersion)
        try foreign.encode(to: encoder)
    }
}
