import LoamQuery
import LoamStorage

/// How far an overlay was when somebody looked at it.
struct OverlayVersion: Equatable {
    /// Which of the overlays of a context.
    let overlay: Int
    let change: Int
}

/// What has changed in an overlay since a version.
struct OverlayChanges {
    /// The rows, each once.
    let rows: [RowID]
    /// What is unsaved of these rows; none of those that are as they are saved.
    let overlay: Overlay
    let version: OverlayVersion
}

/// When each pending row of an overlay changed last, so that whoever has looked at the others looks at those alone that
/// have changed since. O(1) amortized for a change, and O(rows that ever were pending) of memory.
struct PendingLog {
    /// What an overlay says of a row.
    enum State {
        case row(PlainRow, isStored: Bool)
        /// A stored row that goes.
        case masked
        /// Nothing any more.
        case asSaved
    }

    private struct Entity {
        var states: [RowID: (change: Int, state: State)] = [:]
        /// The changes in order. Those of rows that changed again are passed over.
        var order: [(change: Int, rowID: RowID)] = []
    }

    private var entities: [EntityID: Entity] = [:]
    private(set) var lastChange = 0

    mutating func note(_ state: State, _ rowID: RowID, of entity: EntityID) {
        lastChange += 1
        note(state, rowID, in: &entities[entity, default: Entity()])
    }

    private func note(_ state: State, _ rowID: RowID, in entity: inout Entity) {
        entity.states[rowID] = (lastChange, state)
        entity.order.append((lastChange, rowID))
        guard entity.order.count > 2 * entity.states.count + 64 else { return }
        let states = entity.states
        entity.order.removeAll { states[$0.rowID]?.change != $0.change }
    }

    /// The rows that changed after a change, and what is unsaved of them. O(log changes + rows).
    func changes(since change: Int, of entity: EntityID) -> (rows: [RowID], overlay: Overlay) {
        let overlay = Overlay()
        guard let known = entities[entity] else { return ([], overlay) }
        var rows: [RowID] = []
        let first = known.order.indices.partitionPoint { known.order[$0].change <= change }
        for (number, rowID) in known.order[first...] {
            guard let last = known.states[rowID], last.change == number else { continue }
            rows.append(rowID)
            switch last.state {
            case .row(let row, let isStored): overlay.set(row, isStored: isStored, of: entity)
            case .masked: overlay.mask(rowID, of: entity)
            case .asSaved: break
            }
        }
        return (rows, overlay)
    }
}
