import LoamStorage

/// A row that matches, with what was asked for of it.
struct Match {
    var rowID: RowID
    var values: [Value] = []
    /// The record's bytes where it was read: in the file, and valid as long as the snapshot, whose pages no later save
    /// reuses or moves.
    var record: UnsafeRawBufferPointer?
    /// Whether the row comes from the overlay.
    var isPending = false
    /// Whether values and record are all that there is: nothing is read again for the row.
    var isComplete = false
    /// Where its key lies with the execution's ``RowPlacer``, if there is one; good until the next row is asked for.
    var key = 0..<0

    /// The match without its first so many values.
    func withoutValues(_ count: Int) -> Match {
        guard count > 0 else { return self }
        var match = self
        match.values.removeFirst(count)
        return match
    }
}

extension StoredRow {
    /// Where the record lies in the file; valid as long as the snapshot.
    var record: UnsafeRawBufferPointer { view.bytes.withUnsafeBytes { $0 } }
}
