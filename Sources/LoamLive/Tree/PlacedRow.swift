import LoamStorage

/// A row at a place in a result.
struct PlacedRow: Hashable {
    var index: Int
    var rowID: RowID
}

extension [Int] {
    /// How many of the places before one are not in this ascending list.
    func rank(_ position: Int) -> Int { position - indices.partitionPoint { self[$0] < position } }

    /// The place that is not in this ascending list and has so many places before it that are not in the list either.
    func position(ofRank rank: Int) -> Int {
        // The element at i has self[i] - i places before it that are not in the list, which never falls with i.
        rank + indices.partitionPoint { self[$0] - $0 <= rank }
    }
}
