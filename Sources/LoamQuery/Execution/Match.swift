import LoamStorage

/// A row that matches, with what was asked for of it.
struct Match {
    var rowID: RowID
    var values: [Value] = []
    /// The record's bytes where it was read: in the file, and valid as long as the snapshot, whose pages no later save
    /// reuses or moves.
    var record: UnsafeRawBufferPointer?
}

extension StoredRow {
    /// Where the record lies in the file; valid as long as the snapshot.
    var record: UnsafeRawBufferPointer { view.bytes.withUnsafeBytes { $0 } }
}
