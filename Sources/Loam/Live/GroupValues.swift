import LoamLive
import LoamQuery
import LoamStorage

/// Groups, or aggregates of all models, with what is unsaved in a context.
///
/// Confined to the isolation of its observer, which keeps it.
final class GroupValues: ValuesSource, DeliveryTarget {
    weak var listener: (any ValuesListener)?
    private(set) var rows: [ValuesRow] = []
    private(set) var error: (any Error)?
    private let store: StoreContext
    /// Keeps the store's part of it.
    private let context: ModelContext
    private var live: LiveGroups?
    private var route: DeliveryRoute?
    /// What was unsaved when it was looked at last.
    private var seen: UnsavedWatch.Version?
    /// Whether the last save could not be followed.
    private var isBehind = false

    init(_ query: GroupedQuery, of store: StoreContext, isolation: (any Actor)?) throws {
        (self.store, context) = (store, store.owner)
        let route = DeliveryRoute(isolation: isolation, target: self)
        live = try LiveGroups(query, in: store.store) { _ in route.notify() }
        self.route = route
        store.unsaved.add(route)
        context.receiveChanges()
        rows = try read()
    }

    deinit { live?.cancel() }

    /// What was done to keep the groups current: work that tests count.
    var work: (placed: Int, searches: Int, reads: Int) {
        live.map { ($0.trace.placed, $0.trace.searches, $0.trace.reads) } ?? (0, 0, 0)
    }

    func refresh() {
        live?.refresh()
        live?.settle()
        takeDeliveries()
    }

    func takeDeliveries() {
        // What the context has saved itself is shown already: it does not go until its save arrives.
        if !isBehind, seen?.saves != store.unsaved.version.saves { live?.settle() }
        let delivery = live?.take()
        guard delivery != nil || seen != store.unsaved.version else { return }
        if let delivery { isBehind = delivery.error != nil }
        if isBehind {
            if let failure = delivery?.error { fail(failure) }
            return
        }
        do {
            context.receiveChanges()
            show(try read())
        } catch {
            // The next look tries again.
            seen = nil
            fail(error)
        }
    }

    private func read() throws -> [ValuesRow] {
        seen = store.unsaved.look()
        guard let live, let kept = live.kept else { return rows }
        let groups =
            if let overlay = try store.overlay() {
                try kept.result(under: overlay, of: live.query, in: store.store)
            } else {
                try kept.result()
            }
        return groups.map { ValuesRow(values: $0) }
    }

    private func show(_ new: [ValuesRow]) {
        if error != nil {
            error = nil
            listener?.errorDidChange()
        }
        guard new != rows else { return }
        rows = new
        listener?.rowsDidChange()
    }

    private func fail(_ failure: any Error) {
        error = failure
        listener?.errorDidChange()
    }
}
