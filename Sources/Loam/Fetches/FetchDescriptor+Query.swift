import Foundation
import LoamQuery
import LoamStorage

extension FetchDescriptor {
    /// The descriptor over the entity's description.
    ///
    /// - Parameter store: the identifier of the store that is asked; nil where any may be.
    /// - Throws: ``SwiftDataError/unsupportedPredicate``, ``SwiftDataError/unsupportedKeyPath`` or
    ///   ``SwiftDataError/unsupportedSortDescriptor``, naming the part that cannot be run.
    func query(result: ResultKind = .rows, in store: String? = nil) throws -> Query {
        let model = ModelType.of(T.self)
        guard (fetchLimit ?? 0) >= 0, (fetchOffset ?? 0) >= 0 else {
            throw SwiftDataError(.unsupportedPredicate, detail: "fetchLimit and fetchOffset cannot be negative.")
        }
        return Query(
            entity: model.entityName, predicate: try predicate.map { try PredicateLowering.lower($0, in: store) },
            sort: try sortBy.map { try $0.lowered(in: model) }, limit: fetchLimit, offset: fetchOffset ?? 0,
            result: result)
    }
}

extension SortDescriptor where Compared: PersistentModel {
    func lowered(in model: ModelType) throws -> SortKey {
        guard let keyPath else {
            throw SwiftDataError(
                .unsupportedSortDescriptor, detail: "A sort descriptor has to name a property by its key path.")
        }
        let direction: SortDirection = order == .forward ? .ascending : .descending
        if model.isIdentifier(keyPath) { return .identifier(direction) }
        if let path = model.localizedPath(of: keyPath) {
            return SortKey(path, direction: direction, form: .localizedStandard)
        }
        guard let path = model.attributePath(of: keyPath) else {
            throw SwiftDataError(
                .unsupportedSortDescriptor,
                detail:
                    "\(keyPath) is no stored attribute of \(model.entityName) that has an order: relationships, collections, "
                    + "structures, and transformed, computed and transient properties cannot be sorted by.")
        }
        return SortKey(path, direction: direction)
    }
}

extension ModelType {
    /// An attribute that a key path leads to: of the class, or of a model that to-one relationships lead to which are
    /// never nil.
    struct StoredPath {
        /// The names along the key path, with dots between them.
        let path: String
        let property: ModelProperty
        /// The class that has the property, and its ordinal there.
        let model: ModelType
        let ordinal: Int

        /// Whether its stored values have the order of its values.
        var isOrdered: Bool { property.transformer == nil && property.storage?.type.isOrdered ?? false }
    }

    /// The names along a key path to an attribute that has an order. Nil for any other.
    func attributePath(of keyPath: AnyKeyPath) -> String? {
        storedPath(of: keyPath).flatMap { $0.isOrdered ? $0.path : nil }
    }

    /// The attribute that a key path leads to; nil where it leads to none.
    func storedPath(of keyPath: AnyKeyPath) -> StoredPath? {
        // The class's own property by any of its key paths.
        if let ordinal = ordinal(of: keyPath), properties[ordinal].storage != nil { return storedPath(ordinal) }
        return storedPath { $0 == keyPath }
    }

    /// The first attribute whose key path is the one that is meant.
    func storedPath(where isMeant: (AnyKeyPath) -> Bool) -> StoredPath? {
        storedPath(where: isMeant, from: nil, levels: 4)
    }

    private func storedPath(
        where isMeant: (AnyKeyPath) -> Bool, from start: AnyKeyPath?, levels: Int
    ) -> StoredPath? {
        guard levels > 0 else { return nil }
        for (ordinal, metadata) in type.schemaMetadata.enumerated() {
            let property = properties[ordinal]
            guard let whole = start.map({ $0.appending(path: metadata.keypath) }) ?? metadata.keypath else { continue }
            if property.storage != nil {
                if isMeant(whole) { return storedPath(ordinal) }
            } else if let destination = property.destination, let relationship = property.relationship,
                relationship.isToOneRelationship, !relationship.isOptional,
                let rest = ModelType.of(destination).storedPath(where: isMeant, from: whole, levels: levels - 1)
            {
                return StoredPath(
                    path: property.name + "." + rest.path, property: rest.property, model: rest.model,
                    ordinal: rest.ordinal)
            }
        }
        return nil
    }

    private func storedPath(_ ordinal: Int) -> StoredPath {
        StoredPath(path: properties[ordinal].name, property: properties[ordinal], model: self, ordinal: ordinal)
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
                + "Relationships, collections, structures, and transformed, computed and transient properties cannot be, "
                + "and neither can what lies behind a relationship that may be nil.")
    }
}
