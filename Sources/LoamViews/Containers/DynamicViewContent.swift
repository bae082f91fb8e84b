/// Views made of a collection: what `onDelete` and `onMove` are for.
@MainActor @preconcurrency public protocol DynamicViewContent: View {}

extension ForEach: DynamicViewContent {}

/// Rows with an action on each.
struct ActingRows<Rows: DynamicViewContent>: DynamicViewContent {
    let rows: Rows
    let action: NodeAction
    /// Is given the row's position, the count of rows and the action's value; nil where rows do not have the action.
    let perform: ((Int, Int, NodeValue?) -> Bool)?

    var body: some View {
        ActionView(wrapped: rows, action: action) { [perform] node in
            guard let perform, let place = node.rowPlace else { return nil }
            return { value in place().map { perform($0.position, $0.count, value) } ?? false }
        }
    }
}

extension DynamicViewContent {
    /// Gives each row the action `delete`, which calls a closure with the row's position; nil takes none.
    public func onDelete(perform action: ((IndexSet) -> Void)?) -> some DynamicViewContent {
        ActingRows(
            rows: self, action: .delete,
            perform: action.map { action in
                { position, _, _ in
                    action(IndexSet(integer: position))
                    return true
                }
            })
    }

    /// Gives each row the action `move`, which calls a closure with the row's position and the one of the row that it is
    /// put in front of; nil takes none. Positions that there are none of do not fit; the count of rows is the end.
    public func onMove(perform action: ((IndexSet, Int) -> Void)?) -> some DynamicViewContent {
        ActingRows(
            rows: self, action: .move,
            perform: action.map { action in
                { position, count, value in
                    guard let target = value?.integer, (0...count).contains(target) else { return false }
                    action(IndexSet(integer: position), target)
                    return true
                }
            })
    }
}

extension MutableCollection where Self: RangeReplaceableCollection {
    /// Moves elements in front of another: those at the offsets come to stand together. O(n).
    ///
    /// Offsets that there are none of are left out; a destination past the end is the end.
    public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
        let offsets = source.filter { $0 < count }
        let moved = offsets.map { self[index(startIndex, offsetBy: $0)] }
        let target = Swift.min(Swift.max(0, destination), count) - offsets.count { $0 < destination }
        remove(atOffsets: source)
        insert(contentsOf: moved, at: index(startIndex, offsetBy: target))
    }
}

extension RangeReplaceableCollection {
    /// Removes the elements at offsets. O(n). Offsets that there are none of are left out.
    public mutating func remove(atOffsets offsets: IndexSet) {
        var rest = Self()
        for (offset, element) in enumerated() where !offsets.contains(offset) { rest.append(element) }
        self = rest
    }
}
