extension CountedTree {
    /// Inserts an element before the one at a position; at `count`, behind all. O(log n).
    package mutating func insert(_ element: Leaf.Element, at index: Int) {
        precondition(0...count ~= index, "There is no such position to insert at.")
        root.insert(element, at: index, capacity)
        if root.isTooLarge(capacity) {
            let sibling = root.split(at: root.size / 2)
            root = Node(children: [root, sibling])
        }
    }

    /// Takes the element at a position out. O(log n).
    package mutating func remove(at index: Int) {
        precondition(indices.contains(index), "There is no such position to remove.")
        root.remove(at: index, capacity)
        while root.children.count == 1 { root = root.children[0] }
    }

    /// Puts another element in the place of the one at a position. O(log n).
    package mutating func replace(at index: Int, with element: Leaf.Element) {
        precondition(indices.contains(index), "There is no such position to replace.")
        root.replace(at: index, with: element)
    }
}

extension CountedTree.Node {
    /// Inserts an element into the node, which may be too large then.
    fileprivate mutating func insert(_ element: Leaf.Element, at index: Int, _ capacity: TreeCapacity) {
        count += 1
        if isLeaf {
            leaf.insert(element, at: index)
            weight = leaf.weight
        } else {
            var (child, offset) = location(of: index)
            if child == children.count {
                child -= 1
                offset = children[child].count
            }
            weight -= children[child].weight
            children[child].insert(element, at: offset, capacity)
            weight += children[child].weight
            if children[child].isTooLarge(capacity) { relieve(child, capacity) }
        }
    }

    fileprivate mutating func remove(at index: Int, _ capacity: TreeCapacity) {
        count -= 1
        if isLeaf {
            leaf.remove(at: index)
            weight = leaf.weight
        } else {
            let (child, offset) = location(of: index)
            weight -= children[child].weight
            children[child].remove(at: offset, capacity)
            weight += children[child].weight
            if children[child].isTooSmall(capacity), children.count > 1 { joinChild(max(0, child - 1), capacity) }
        }
    }

    fileprivate mutating func replace(at index: Int, with element: Leaf.Element) {
        if isLeaf {
            leaf.replace(at: index, with: element)
            weight = leaf.weight
        } else {
            let (child, offset) = location(of: index)
            weight -= children[child].weight
            children[child].replace(at: offset, with: element)
            weight += children[child].weight
        }
    }

    private func limit(_ capacity: TreeCapacity) -> Int { isLeaf ? capacity.leaf : capacity.inner }

    fileprivate func isTooLarge(_ capacity: TreeCapacity) -> Bool { size > limit(capacity) }

    func isTooSmall(_ capacity: TreeCapacity) -> Bool { size < max(2, limit(capacity) / (isLeaf ? 2 : 4)) }

    /// Has a child that is too large give to a neighbour that has room for an eighth of a node, or splits it. Between two
    /// neighbours that have none it is cut into three together with the one behind it, so that elements which come at
    /// random fill two thirds of each. At an end it is halved: what comes there in order fills one of the two again.
    private mutating func relieve(_ child: Int, _ capacity: TreeCapacity) {
        let limit = children[child].limit(capacity)
        for left in [child - 1, child] where left >= 0 && left + 1 < children.count {
            let neighbour = children[left == child ? child + 1 : left]
            guard neighbour.size + max(1, limit / 8) <= limit else { continue }
            return joinChild(left, capacity)
        }
        guard 0 < child, child + 1 < children.count else {
            return splitChild(child, at: children[child].size / 2)
        }
        let right = children.remove(at: child + 1)
        children[child].append(right)
        let third = children[child].size / 3
        splitChild(child, at: third)
        splitChild(child + 1, at: children[child + 1].size / 2)
    }

    /// Joins a child with the one behind it, and cuts the two evenly again where they do not fit into one.
    private mutating func joinChild(_ child: Int, _ capacity: TreeCapacity) {
        let right = children.remove(at: child + 1)
        children[child].append(right)
        if children[child].isTooLarge(capacity) { splitChild(child, at: children[child].size / 2) }
    }

    private mutating func splitChild(_ child: Int, at position: Int) {
        let sibling = children[child].split(at: position)
        children.insert(sibling, at: child + 1)
    }

    private mutating func append(_ other: Self) {
        if isLeaf { leaf.append(other.leaf) } else { children += other.children }
        count += other.count
        weight += other.weight
    }

    /// Takes what lies from a position on out, into a node of its own.
    fileprivate mutating func split(at position: Int) -> Self {
        let sibling: Self
        if isLeaf {
            sibling = Self(leaf: leaf.split(at: position))
        } else {
            sibling = Self(children: Array(children[position...]))
            children.removeSubrange(position...)
        }
        count -= sibling.count
        weight -= sibling.weight
        return sibling
    }
}
