extension CountedTree {
    /// Inserts an element before the one at a position; at `count`, behind all. O(log n).
    package mutating func insert(_ element: Element, at index: Int) {
        precondition(0...count ~= index, "There is no such position to insert at.")
        if let sibling = root.insert(element, at: index, capacity: capacity) { root = Node(children: [root, sibling]) }
    }

    /// Takes the element at a position out. O(log n).
    @discardableResult
    package mutating func remove(at index: Int) -> Element {
        precondition(indices.contains(index), "There is no such position to remove.")
        let element = root.remove(at: index, capacity)
        while root.children.count == 1 { root = root.children[0] }
        return element
    }

    /// Puts another element in the place of the one at a position. O(log n).
    package mutating func replace(at index: Int, with element: Element) {
        precondition(indices.contains(index), "There is no such position to replace.")
        root.replace(at: index, with: element)
    }
}

extension CountedTree.Node {
    /// Inserts an element into the node; returns the node that was split off behind this one, if any.
    mutating func insert(_ element: Element, at index: Int, capacity: TreeCapacity) -> Self? {
        count += 1
        weight += element.weight
        if isLeaf {
            elements.insert(element, at: index)
        } else {
            var (child, offset) = location(of: index)
            if child == children.count {
                child -= 1
                offset = children[child].count
            }
            if let sibling = children[child].insert(element, at: offset, capacity: capacity) {
                children.insert(sibling, at: child + 1)
            }
        }
        return splitIfTooLarge(capacity)
    }

    mutating func remove(at index: Int, _ capacity: TreeCapacity) -> Element {
        count -= 1
        let element: Element
        if isLeaf {
            element = elements.remove(at: index)
        } else {
            let (child, offset) = location(of: index)
            element = children[child].remove(at: offset, capacity)
            if children[child].isTooSmall(capacity) { joinNeighbours(of: child, capacity) }
        }
        weight -= element.weight
        return element
    }

    mutating func replace(at index: Int, with element: Element) {
        if isLeaf {
            weight += element.weight - elements[index].weight
            elements[index] = element
        } else {
            let (child, offset) = location(of: index)
            weight -= children[child].weight
            children[child].replace(at: offset, with: element)
            weight += children[child].weight
        }
    }

    func isTooSmall(_ capacity: TreeCapacity) -> Bool {
        size < max(2, (isLeaf ? capacity.leaf : capacity.inner) / 4)
    }

    /// Joins a child with one beside it, and cuts the two evenly again where they do not fit into one.
    private mutating func joinNeighbours(of child: Int, _ capacity: TreeCapacity) {
        guard children.count > 1 else { return }
        let left = max(0, child - 1)
        let right = children.remove(at: left + 1)
        let joined = children[left]
        children[left] =
            joined.isLeaf
            ? Self(elements: joined.elements + right.elements) : Self(children: joined.children + right.children)
        if let sibling = children[left].splitIfTooLarge(capacity) { children.insert(sibling, at: left + 1) }
    }

    private mutating func splitIfTooLarge(_ capacity: TreeCapacity) -> Self? {
        guard size > (isLeaf ? capacity.leaf : capacity.inner) else { return nil }
        let middle = size / 2
        let sibling: Self
        if isLeaf {
            sibling = Self(elements: Array(elements[middle...]))
            elements.removeSubrange(middle...)
        } else {
            sibling = Self(children: Array(children[middle...]))
            children.removeSubrange(middle...)
        }
        count -= sibling.count
        weight -= sibling.weight
        return sibling
    }
}
