import Foundation
import LoamQuery
import LoamStorage

extension FetchDescriptor {
    /// The descriptor over the entity's description.
    ///
    /// - Throws: ``SwiftDataError/unsupportedPredicate``, ``SwiftDataError/unsupportedKeyPath`` or
    ///   ``SwiftDataError/unsupportedSortDescriptor``, naming the part that cannot be run.
    func query(result: ResultKind = .rows) throws -> Query {
        let model = ModelType.of(T.self)
        guard (fetchLimit ?? 0) >= 0, (fetchOffset ?? 0) >= 0 else {
            throw SwiftDataError(.unsupportedPredicate, "fetchLimit and fetchOffset cannot be negative.")
        }
        return Query(
            entity: model.entityName, predicate: try predicate.map { try PredicateLowering.lower($0) },
            sort: try sortBy.map { try $0.lowered(in: model) }, limit: fetchLimit, offset: fetchOffset ?? 0,
            result: result)
    }
}

extension SortDescriptor where Compared: PersistentModel {
    func lowered(in model: ModelType) throws -> SortKey {
        guard let keyPath else {
            throw SwiftDataError(
                .unsupportedSortDescriptor, "A sort descriptor has to name a property by its key path.")
        }
        guard let name = model.name(of: keyPath) else {
            throw SwiftDataError(
                .unsupportedSortDescriptor, "\(keyPath) is no stored property of \(model.entityName).")
        }
        return SortKey(name, order == .forward ? .ascending : .descending)
    }
}
