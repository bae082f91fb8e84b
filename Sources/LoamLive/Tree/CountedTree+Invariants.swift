extension CountedTree {
    /// What is wrong with the tree; empty when nothing is. O(n).
    package func checkInvariants() -> [String] {
        var faults: [String] = []
        _ = root.check(isRoot: true, capacity: capacity, faults: &faults)
        return faults
    }
}

extension CountedTree.Node {
    /// Adds what is wrong with the node and those below it to the faults; returns the number of levels.
    fileprivate func check(isRoot: Bool, capacity: TreeCapacity, faults: inout [String]) -> Int {
        if leaf.count > 0 && !children.isEmpty { faults.append("a node has elements and children") }
        if size > (isLeaf ? capacity.leaf : capacity.inner) { faults.append("a node holds \(size)") }
        if isRoot ? children.count == 1 : isTooSmall(capacity) { faults.append("a node holds only \(size)") }
        if count != leaf.count + children.reduce(0, { $0 + $1.count }) { faults.append("a count is wrong") }
        let weights = leaf.weight(before: leaf.count) + children.reduce(0) { $0 + $1.weight }
        if weight != weights { faults.append("a weight is wrong") }
        let depths = Set(children.map { $0.check(isRoot: false, capacity: capacity, faults: &faults) })
        if depths.count > 1 { faults.append("the leaves are not on one level") }
        return (depths.max() ?? 0) + 1
    }
}
