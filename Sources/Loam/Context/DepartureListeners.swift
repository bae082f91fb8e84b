import LoamStorage

/// Hears of models that leave a context: because their rows are gone, or because they were never saved.
protocol DepartureListener: AnyObject {
    /// Called on the context's isolation. The model has its last values, as far as they were read.
    func modelDidLeave(_ model: any PersistentModel, row: RowID)
}

/// Those who hear of the models that leave one store's part of a context. They are not kept.
struct DepartureListeners {
    private struct Entry {
        weak var listener: (any DepartureListener)?
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    /// The number of entries at which those are taken out whose listeners are gone.
    private var mostEntries = 16

    /// Adds a listener, once. O(1), amortized.
    mutating func add(_ listener: any DepartureListener) {
        if entries.count >= mostEntries {
            entries = entries.filter { $0.value.listener != nil }
            mostEntries = 2 * entries.count + 16
        }
        entries[ObjectIdentifier(listener)] = Entry(listener: listener)
    }

    func tell(of model: any PersistentModel, row: RowID) {
        for entry in entries.values { entry.listener?.modelDidLeave(model, row: row) }
    }
}
