/// The catalog's JSON leaves out what an entity does not have: relationships, the role of plain attributes, former
/// names, that a value is preserved.
extension Entity: Codable {
    private enum Key: String, CodingKey {
        case id, name, properties, relationships, indexes
    }

    /// Reads an entity of a catalog; without relationships it has none.
    ///
    /// - Throws: `DecodingError` where a member is missing or of another type.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            id: try values.decode(EntityID.self, forKey: .id), name: try values.decode(String.self, forKey: .name),
            properties: try values.decode([Property].self, forKey: .properties),
            relationships: try values.decodeIfPresent([Relationship].self, forKey: .relationships) ?? [],
            indexes: try values.decode([Index].self, forKey: .indexes))
    }

    /// Writes the entity; relationships only where it has some.
    ///
    /// - Throws: what the encoder throws.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(id, forKey: .id)
        try values.encode(name, forKey: .name)
        try values.encode(properties, forKey: .properties)
        if !relationships.isEmpty { try values.encode(relationships, forKey: .relationships) }
        try values.encode(indexes, forKey: .indexes)
    }
}

extension Property: Codable {
    private enum Key: String, CodingKey {
        case id, name, type, isOptional, reference, position, formerNames, isPreserved
    }

    /// Reads a property of a catalog: an attribute where it names no relationship that it belongs to.
    ///
    /// - Throws: `DecodingError` where a member is missing or of another type.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let role: Role =
            if let relationship = try values.decodeIfPresent(PropertyID.self, forKey: .reference) {
                .reference(relationship)
            } else if let relationship = try values.decodeIfPresent(PropertyID.self, forKey: .position) {
                .position(relationship)
            } else {
                .attribute
            }
        self.init(
            id: try values.decode(PropertyID.self, forKey: .id), name: try values.decode(String.self, forKey: .name),
            type: try values.decode(ValueType.self, forKey: .type),
            isOptional: try values.decode(Bool.self, forKey: .isOptional), role: role,
            formerNames: try values.decodeIfPresent([String].self, forKey: .formerNames) ?? [],
            isPreserved: try values.decodeIfPresent(Bool.self, forKey: .isPreserved) ?? false)
    }

    /// Writes the property; the relationship that it belongs to, and former names, only where there are some.
    ///
    /// - Throws: what the encoder throws.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(id, forKey: .id)
        try values.encode(name, forKey: .name)
        try values.encode(type, forKey: .type)
        try values.encode(isOptional, forKey: .isOptional)
        switch role {
        case .attribute: break
        case .reference(let relationship): try values.encode(relationship, forKey: .reference)
        case .position(let relationship): try values.encode(relationship, forKey: .position)
        }
        if !formerNames.isEmpty { try values.encode(formerNames, forKey: .formerNames) }
        if isPreserved { try values.encode(true, forKey: .isPreserved) }
    }
}
