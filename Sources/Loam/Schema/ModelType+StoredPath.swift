import LoamStorage

extension ModelType {
    /// An attribute, or a part of one, that a key path leads to: of the class, or of a model that to-one relationships
    /// lead to.
    struct StoredPath: Sendable {
        /// The names along the key path: of relationships, the property and members of its structure.
        fileprivate(set) var names: [String]
        let property: ModelProperty
        /// The class that has the property, and its ordinal there.
        let model: ModelType
        let ordinal: Int
        /// The type of the stored values.
        fileprivate(set) var type: ValueType
        /// The function of the stored values that the key path goes on with; nil where it leads to them.
        fileprivate(set) var function: Function?
        /// Whether the values are those of the property: no part of them, and none of a model that may be missing.
        fileprivate(set) var isWhole = true

        fileprivate init?(_ ordinal: Int, of model: ModelType) {
            property = model.properties[ordinal]
            guard let storage = property.storage else { return nil }
            (names, type) = ([property.name], storage.type)
            (self.model, self.ordinal) = (model, ordinal)
        }

        /// The names with dots between them.
        var path: String { names.joined(separator: ".") }

        /// Whether its stored values have the order of its values.
        var isOrdered: Bool { property.transformer == nil && !property.isOpaque && type.isOrdered }
    }

    /// The names along a key path to an attribute that has an order. Nil for any other.
    func attributePath(of keyPath: AnyKeyPath) -> String? {
        storedPath(of: keyPath).flatMap { $0.isOrdered ? $0.path : nil }
    }

    /// The attribute that has an order, or the function of one, to which a key path leads. Nil for any other.
    func storedOrder(of keyPath: AnyKeyPath) -> StoredPath? {
        anyStoredPath(of: keyPath).flatMap { $0.isOrdered ? $0 : nil }
    }

    /// The attribute that a key path leads to; nil where it leads to none.
    func storedPath(of keyPath: AnyKeyPath) -> StoredPath? {
        anyStoredPath(of: keyPath).flatMap { $0.function == nil ? $0 : nil }
    }

    /// The attribute, or the function of one. A path through relationships or into a structure is told by its text when
    /// it is met first, and looked up from then on.
    private func anyStoredPath(of keyPath: AnyKeyPath) -> StoredPath? {
        if let ordinal = ordinal(of: keyPath), let path = StoredPath(ordinal, of: self) { return path }
        return knownPaths.path(of: keyPath) { storedPath(KeyPathText(keyPath), of: keyPath, behind: []) }
    }

    /// - Parameters:
    ///   - text: what follows `steps`.
    ///   - keyPath: the whole, from the first of the models on.
    ///   - steps: the relationships that were passed.
    private func storedPath(_ text: KeyPathText, of keyPath: AnyKeyPath, behind steps: [ModelStep]) -> StoredPath? {
        for (ordinal, property) in properties.enumerated() {
            var rest = text
            guard let own = self.keyPath(ordinal), rest.pass(KeyPathText(own)) else { continue }
            let step = ModelStep(model: self, ordinal: ordinal)
            guard let destination = property.destination else {
                guard var path = StoredPath(ordinal, of: self), path.take(rest, of: keyPath, along: steps + [step])
                else { return nil }
                path.names = steps.map(\.property.name) + path.names
                if steps.contains(where: { $0.property.relationship?.isOptional ?? false }) { path.isWhole = false }
                return path
            }
            guard property.relationship?.isToOneRelationship ?? false else { return nil }
            rest.passUnwrapping()
            return ModelType.of(destination).storedPath(rest, of: keyPath, behind: steps + [step])
        }
        return nil
    }

    /// The names along a key path to an attribute that has an order.
    ///
    /// - Parameter use: what the attribute is for, in words.
    /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for any other.
    func orderedPath(of keyPath: AnyKeyPath, for use: String) throws -> String {
        if let path = attributePath(of: keyPath) { return path }
        throw SwiftDataError(
            .unsupportedKeyPath,
            detail:
                "\(keyPath) cannot be used for \(use): it is no stored attribute of \(entityName) that has an order. "
                + "Relationships, collections, structures, and transformed, computed and transient properties cannot be."
        )
    }
}

extension ModelType.StoredPath {
    /// What a key path prints as where it asks a string for its number of characters.
    private static let stringCount = KeyPathText(\String.count)

    /// Goes into the property's value along what is left of a key path; false where that is not stored.
    fileprivate mutating func take(_ text: KeyPathText, of keyPath: AnyKeyPath, along steps: [ModelStep]) -> Bool {
        var rest = text
        while !rest.isAtEnd {
            let isForced = rest.isForced
            rest.passUnwrapping()
            if type == .string, rest.pass(Self.stringCount) {
                function = .length
                isWhole = false
                return rest.isAtEnd
            }
            guard let name = rest.passName() else {
                return ModelStep.readsRawValue(
                    keyPath, along: steps, in: Array(names.dropFirst()), isForced: isForced)
            }
            if case .structure(let members) = type {
                guard let member = members.first(where: { $0.name == name }) else { return false }
                names.append(name)
                type = member.type
                isWhole = false
            } else if name != "rawValue" || !type.isOrdered {
                return false
            }
        }
        return true
    }
}

extension ModelProperty {
    /// Whether its values are stored as data that only their type reads.
    fileprivate var isOpaque: Bool {
        guard storage?.type == .data, let type = valueType as? any Codable.Type else { return false }
        return CodableStorage.isOpaque(type)
    }
}
