import Synchronization

/// Row ids that this process may give out without asking the store.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `state` | its mutex | any thread that makes a row id; the writer, when a lease arrives | the store is closed |
///
/// A lease is taken by raising the mark in a synced transaction, so an id is never given out twice, by any process,
/// whatever happens. What a process does not use is lost; there are 2^64 of them.
final class RowIDLease: Sendable {
    /// Row ids taken at a time.
    static let size: UInt64 = 4096

    private struct State {
        var current: Range<RowID> = 0..<0
        var next: Range<RowID>?
        var isRenewing = false
    }

    private let state = Mutex(State())

    enum Step {
        case rowID(RowID, shouldRenew: Bool)
        case mustLease
    }

    /// The next id, and whether half of the lease is gone and nobody renews it yet.
    func take() -> Step {
        state.withLock { state in
            if state.current.isEmpty, let next = state.next {
                (state.current, state.next) = (next, nil)
            }
            guard let id = state.current.first else { return .mustLease }
            state.current = (id + 1)..<state.current.upperBound
            let shouldRenew = state.next == nil && !state.isRenewing && UInt64(state.current.count) < Self.size / 2
            if shouldRenew { state.isRenewing = true }
            return .rowID(id, shouldRenew: shouldRenew)
        }
    }

    func add(_ lease: Range<RowID>) {
        state.withLock { state in
            state.isRenewing = false
            if state.current.isEmpty {
                state.current = lease
            } else {
                state.next = lease
            }
        }
    }

    func renewalFailed() {
        state.withLock { $0.isRenewing = false }
    }
}
