/// The JSON of catalogs and dumps. What it says that this version does not know is kept, and written again.
extension IndexDefinition: Codable {
    private enum Key: String, CodingKey {
        case name, kind, sectioned, components, included
        /// What dumps of format 1 have in place of a kind.
        case unique
    }

    /// Reads a definition; a kind is told by `unique` in dumps of format 1.
    ///
    /// - Throws: `DecodingError` where a member is missing or of another type.
    package init(from decoder: any Decoder) throws {
        let members = try MembersReader(decoder, keyedBy: Key.self)
        let isUnique = try members.decodeIfPresent(Bool.self, forKey: .unique) ?? false
        self.init(
            try members.decode([Component].self, forKey: .components),
            name: try members.decode(String.self, forKey: .name),
            kind: try members.decodeIfPresent(String.self, forKey: .kind).map(IndexKind.init)
                ?? (isUnique ? .unique : .ordered),
            isSectioned: try members.decode(Bool.self, forKey: .sectioned),
            included: try members.decode([String].self, forKey: .included))
        foreign = try members.foreign()
    }

    /// Writes the definition, with what was read of it and is not known here.
    ///
    /// - Throws: what the encoder throws.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(name, forKey: .name)
        try values.encode(kind, forKey: .kind)
        try values.encode(isSectioned, forKey: .sectioned)
        try values.encode(components, forKey: .components)
        try values.encode(included, forKey: .included)
        try foreign.encode(to: encoder)
    }
}

extension IndexDefinition.Component: Codable {
    private enum Key: String, CodingKey {
        case keyPath, function, direction, form
        /// What dumps of format 1 have in place of a key path.
        case property, path
    }

    /// Reads a component, whose key path is two members in dumps of format 1.
    ///
    /// - Throws: `DecodingError` where a member is missing or of another type. A form that this version does not know
    ///   is kept, and is no error.
    package init(from decoder: any Decoder) throws {
        let members = try MembersReader(decoder, keyedBy: Key.self)
        // A form of another version is kept as what is foreign is.
        let form = try StringForm(rawValue: members.decode(String.self, forKey: .form))
        self.init(
            names: try members.decodeIfPresent([String].self, forKey: .keyPath)
                ?? [members.decode(String.self, forKey: .property)] + members.decode([String].self, forKey: .path),
            function: try members.decodeIfPresent(IndexFunction.self, forKey: .function),
            direction: try members.decode(SortDirection.self, forKey: .direction), form: form ?? .exact)
        foreign = try members.foreign(unreadable: form == nil ? [.form] : [])
    }

    /// Writes the component, with what was read of it and is not known here.
    ///
    /// - Throws: what the encoder throws.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(names, forKey: .keyPath)
        try values.encodeIfPresent(function, forKey: .function)
        try values.encode(direction, forKey: .direction)
        try values.encode(form, forKey: .form)
        try foreign.encode(to: encoder)
    }
}

extension IndexFunction: Codable {
    private enum Key: String, CodingKey {
        case name, timeZone
    }

    /// Reads a function of a component.
    ///
    /// - Throws: `DecodingError` where a member is missing or of another type. A name that this version does not know
    ///   is no error.
    package init(from decoder: any Decoder) throws {
        let members = try MembersReader(decoder, keyedBy: Key.self)
        self.init(
            try members.decode(String.self, forKey: .name),
            timeZone: try members.decodeIfPresent(String.self, forKey: .timeZone))
        foreign = try members.foreign()
    }

    /// Writes the function, with what was read of it and is not known here.
    ///
    /// - Throws: what the encoder throws.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(name, forKey: .name)
        try values.encodeIfPresent(timeZone, forKey: .timeZone)
        try foreign.encode(to: encoder)
    }
}
