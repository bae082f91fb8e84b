import ArgumentParser
import LoamLive
import LoamStorage

/// The formats that `watch` writes.
enum WatchFormat: String, CaseIterable, ExpressibleByArgument {
    case text, ndjson
}

/// What the writers of `watch` know of the result.
struct WatchedColumns: Hashable {
    var columns: [OutputColumn]
    /// The type of the sections' values; nil for a result without sections.
    var sectionType: ValueType?
}

/// A state as it is announced: its number of rows, and its sections with theirs.
struct WatchedState {
    var save: UInt64
    var count: Int
    var sections: [ResultState.Section]
    /// Whether it leads on from nothing that was written before.
    var isReset: Bool

    init(_ state: ResultState, isReset: Bool) {
        (save, count, self.isReset) = (state.save, state.count, isReset)
        sections = state.sections
    }
}

/// How a result is kept, and what was done for that since it was told last.
struct WatchedWork {
    let kind: LiveKind
    let trace: LiveTrace
}

/// Writes a result and what becomes of it. Whatever is called, whole lines have been written when it returns.
protocol WatchWriter {
    /// Writes that a state begins, whose rows follow.
    mutating func begin(_ state: WatchedState, _ columns: WatchedColumns) throws
    /// Writes a row of a state; without values where it has been deleted meanwhile.
    mutating func append(_ rowID: RowID, at position: ResultPosition, _ values: [Value]?) throws
    /// Writes a step to the state of a save, with the values of the row that it shows, if that is still there.
    mutating func append(_ step: WatchStep, save: UInt64, _ values: [Value]?) throws
    /// Writes that a state is complete.
    ///
    /// - Parameter work: how the result is kept current, and what was done for that since the state before; nil where nobody
    ///   asks.
    mutating func end(save: UInt64, count: Int, _ work: WatchedWork?) throws
    /// Writes why the saves behind one cannot be followed for now.
    mutating func fail(_ error: any Error, save: UInt64) throws
}
