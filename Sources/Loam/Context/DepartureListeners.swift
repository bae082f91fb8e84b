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

    private var entries: [Entry] = []

    /// Adds a listener, once.
    mutating func add(_ listener: any DepartureListener) {
        entries.removeAll { $0.listener == nil || $0.listener === listener }
        entries.append(Entry(listener: listener))
    }

    func tell(of model: any PersistentModel, row: RowID) {
        for entry in entries { entry.listener?.modelDidLeave(model, row: row) }
    }
}
