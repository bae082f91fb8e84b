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
    /// The names along a key path to an attribute that has an order: of the class, or of a model that to-one
    /// relationships which are never nil lead to. Nil for any other.
    func attributePath(of keyPath: AnyKeyPath) -> String? {
        attributePath(of: keyPath, from: nil, levels: 4)
    }

    private func attributePath(of keyPath: AnyKeyPath, from start: AnyKeyPath?, levels: Int) -> String? {
        guard levels > 0 else { return nil }
        // The class's own property by any of its key paths.
        if start == nil, let ordinal = ordinal(of: keyPath), properties[ordinal].storage != nil {
            return properties[ordinal].isOrdered ? properties[ordinal].name : nil
        }
        let metadata = type.schemaMetadata
        for (property, metadata) in zip(properties, metadata) {
            guard let whole = start.map({ $0.appending(path: metadata.keypath) }) ?? metadata.keypath else { continue }
            if property.storage != nil {
                if whole == keyPath { return property.isOrdered ? property.name : nil }
            } else if let destination = property.destination, let relationship = property.relationship,
                relationship.isToOneRelationship, !relationship.isOptional,
                let rest = ModelType.of(destination).attributePath(of: keyPath, from: whole, levels: levels - 1)
            {
                return property.name + "." + rest
            }
        }
        return nil
    }
}

extension ModelProperty {
    /// Whether it is an attribute whose stored values have the order of its values.
    fileprivate var isOrdered: Bool { transformer == nil && storage?.type.isOrdered ?? false }
}
