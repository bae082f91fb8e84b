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
        if let path = model.knownPaths.sortPath(of: keyPath) { return SortKey(path, direction: direction) }
        if model.isIdentifier(keyPath) { return .identifier(direction) }
        if let (path, comparator) = model.comparedPath(of: keyPath) {
            return SortKey(path, direction: direction, form: try comparator.form())
        }
        try CaseOrder.check(keyPath)
        guard let path = model.sortPath(of: keyPath) else {
            throw SwiftDataError(
                .unsupportedSortDescriptor,
                detail:
                    "\(keyPath) is no stored attribute of \(model.entityName) that has an order: relationships, collections, "
                    + "structures, and transformed, computed and transient properties cannot be sorted by.")
        }
        model.knownPaths.note(sortPath: path, of: keyPath)
        return SortKey(path, direction: direction)
    }
}
