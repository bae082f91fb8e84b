import LoamQuery
package import LoamStorage

/// Finds rows in a state of a result by where they stand now.
package struct RowFinder: Sendable {
    let rule: PlacementRule
    let store: Store

    /// The place of a row in a state; nil where it is not in it. O(log n) for virtual rows; else a look at the row and O(log n) where it still stands
    /// where the state has it, else O(n), some three nanoseconds for each row.
    package func index(of rowID: RowID, in state: ResultState) -> Int? {
        if state.virtual != nil { return state.index(of: rowID) }
        if let place = try? store.read({ try rule.placement(of: rowID, in: $0) }),
            let index = state.index(of: ResultRow(rowID: rowID, key: place.key))
        {
            return index
        }
        return state.index(of: rowID)
    }

    /// The values of a row as it is saved now, by the positions of the properties; nil where it is gone or cannot be read.
    func storedValues(of rowID: RowID) -> [Value]? {
        try? store.read { try $0.withRow(rowID, of: rule.query.entity) { try $0.values() } }
    }
}
