extension ViewNode {
    /// How many rows of a container that mounts those that are shown are mounted at first.
    public static let initialRows = 50

    /// The number of rows in a container that mounts those that are shown (``RowMounting``), mounted or not; else nil.
    ///
    /// As of the last render. Where it changes, the node is among those that the render has changed. O(1).
    public var rowCount: Int? { rows?.count }

    /// The positions of the rows that are mounted in such a container; empty in others. As of the last render. O(1).
    ///
    /// They move with their rows where others come or go above.
    public var shownRows: Range<Int> { rows?.shown ?? 0..<0 }

    /// Where the row stands that the node is an outermost one of, among all rows of the container that mounts those that
    /// are shown; nil elsewhere. O(views between the node and its row).
    public var rowPosition: Int? {
        var place = mount?.parent
        while let mount = place, mount.node == nil {
            if let position = mount.rowPosition { return position }
            place = mount.parent
        }
        return nil
    }

    /// Has other rows of a container mounted, in the next turn or in ``ViewHost/render()``: those that are to be seen, and
    /// as many around them as whoever draws wants to have at hand.
    ///
    /// Rows that were mounted before and are asked for again stay as they are. Positions that there are none of are left
    /// out; where the container has too few rows behind the first one that is asked for, rows before it take their place.
    /// Does nothing in other nodes. Costs what the rows cost that come and go.
    public func show(rows range: Range<Int>) { rows?.ask(for: range) }
}
