import Foundation
import LoamLive
import LoamStorage

/// The models of an observer's results whose records are read together: those around the one that was asked for.
///
/// Confined to the isolation of the observer's context.
final class ResultBatch {
    /// The most models that are read at a time, and kept until others are.
    static let size = 64

    /// Relationships whose models are read along.
    var prefetching: [AnyKeyPath] = []
    /// Models of the results that left the context, while a change is told.
    var departed: [RowID: any PersistentModel] = [:]
    private var models: [any PersistentModel] = []
    /// How often records were read: work that tests count.
    private(set) var reads = 0

    /// Reads the records of the models around a place, in one go, and makes those that are not there yet. What goes
    /// wrong is thrown by the context's next fetch or save; the models then read for themselves.
    func read<Model: PersistentModel>(_ type: Model.Type, around index: Int, of shown: ShownResult) {
        let start = index - index % Self.size
        var rowIDs: [RowID] = []
        shown.state.forEachRowID(in: start..<min(start + Self.size, shown.count)) { rowIDs.append($0) }
        let (store, binding) = (shown.store, shown.binding)
        let wanted = rowIDs.filter { departed[$0] == nil && shown.readModel($0, as: type) == nil }
        reads += 1
        do {
            let records = try store.readRecords(Set(wanted), of: binding)
            let made = wanted.compactMap { rowID in
                records[rowID].map { store.object(type, rowID: rowID, binding: binding, record: $0) }
            }
            models = made
            let paths = prefetching.compactMap { $0 as? PartialKeyPath<Model> }
            try store.relationships.prefetch(paths, of: made, binding: binding)
        } catch {
            shown.context.keep(error)
        }
    }
}
