/// Hears that something unsaved has changed.
protocol UnsavedListener: AnyObject {
    /// Called on the context's isolation, in the midst of a change: schedules a look, and does nothing else.
    func notify()
}

/// Tells observers that what is unsaved in one store's part of a context has changed.
///
/// A change costs a count; the first one after an observer has looked schedules a look of each observer, on its own
/// isolation. Confined to the isolation of the context.
struct UnsavedWatch {
    /// What an observer has seen.
    struct Version: Equatable {
        fileprivate(set) var changes = 0
        /// The saves of the context.
        fileprivate(set) var saves = 0
    }

    private struct Entry {
        weak var listener: (any UnsavedListener)?
    }

    private(set) var version = Version()
    private var isTold = false
    private var entries: [Entry] = []
    /// The number of entries at which those are taken out whose observers are gone.
    private var mostEntries = 16

    /// Unsaved changes have come, or gone.
    mutating func note() {
        version.changes &+= 1
        guard !isTold, !entries.isEmpty else { return }
        isTold = true
        for entry in entries { entry.listener?.notify() }
    }

    /// The unsaved changes are saved.
    mutating func noteSave() {
        version.saves &+= 1
        note()
    }

    /// What is there to be seen now. The next change is told.
    mutating func look() -> Version {
        isTold = false
        return version
    }

    /// Tells an observer from now on, which is not kept. O(1), amortized.
    mutating func add(_ listener: any UnsavedListener) {
        if entries.count >= mostEntries {
            entries.removeAll { $0.listener == nil }
            mostEntries = 2 * entries.count + 16
        }
        entries.append(Entry(listener: listener))
    }
}
