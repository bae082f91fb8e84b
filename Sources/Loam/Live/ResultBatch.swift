import Foundation
import LoamLive
import LoamStorage

/// The models of an observer's results whose records are read together: those around the one that was asked for.
///
/// Who asks for one row far from the last one reads that one. Who goes on near it reads four times as many each time, up to
/// ``size``: so many at once for the first row of all, and among those that are known to be shown.
///
/// Confined to the isolation of the observer's context.
final class ResultBatch {
    /// The most models that are read at a time, and kept until others are.
    static let size = 64

    /// Relationships whose models are read along.
    var prefetching: [AnyKeyPath] = []
    /// Models of the results that left the context, while a change is told.
    var departed: [RowID: any PersistentModel] = [:]
    /// The positions that are about to be asked for.
    var expected = 0..<0
    private var models: [any PersistentModel] = []
    /// The positions that were read last, and how many they were to be; nil where none were.
    private var last: Range<Int>?
    private var length = size
    /// How often records were read: work that tests count.
    private(set) var reads = 0
    /// How many records were read.
    private(set) var recordCount = 0

    /// Reads the records of the models around a place, in one go, and makes those that are not there yet. What goes
    /// wrong is thrown by the context's next fetch or save; the models then read for themselves.
    ///
    /// - Parameter rowID: the row at the place.
    func read<Model: PersistentModel>(
        _ type: Model.Type, around index: Int, at rowID: RowID, of shown: ShownResult
    ) {
        var rowIDs = [rowID]
        let positions = positions(around: index, of: shown.count)
        if positions.count > 1 {
            rowIDs.removeAll()
            shown.state.forEachRowID(in: positions) { rowIDs.append($0) }
        }
        let (store, binding) = (shown.store, shown.binding)
        let wanted = rowIDs.filter { departed[$0] == nil && shown.readModel($0, as: type) == nil }
        reads += 1
        do {
            let records = try store.readRecords(Set(wanted), of: binding)
            recordCount += records.count
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

    /// What is read for a position among so many: it, and those that are likely to be asked for next.
    private func positions(around index: Int, of count: Int) -> Range<Int> {
        let positions: Range<Int>
        if let last, !expected.contains(index) {
            let isNear = index >= last.lowerBound - Self.size && index < last.upperBound + Self.size
            length = isNear ? min(4 * length, Self.size) : 1
            positions =
                isNear && index < last.lowerBound
                ? max(0, index + 1 - length)..<index + 1 : index..<min(index + length, count)
        } else {
            length = Self.size
            let start = index - index % length
            positions = start..<min(start + length, count)
        }
        last = positions
        return positions
    }
}
