import LoamStorage

extension CountedTree: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { root.count }
    package var count: Int { root.count }

    /// The element at a position. O(log n).
    package subscript(position: Int) -> Leaf.Element {
        let (leaf, offset) = location(of: position)
        return leaf[offset]
    }

    /// The leaf that holds a position, and the position in it. O(log n).
    func location(of position: Int) -> (leaf: Leaf, offset: Int) {
        precondition(indices.contains(position), "There is no such position.")
        var node = root
        var offset = position
        while !node.isLeaf {
            let location = node.location(of: offset)
            node = node.children[location.child]
            offset = location.offset
        }
        return (node.leaf, offset)
    }

    /// The first position at which a search ends. O(log n).
    ///
    /// - Parameters:
    ///   - isBegun: whether the first element of a leaf comes before what is sought: true for the leaves of a beginning
    ///     of the sequence and for no others.
    ///   - offset: the first position in a leaf at which the search ends.
    func firstPosition(begunBy isBegun: (Leaf) -> Bool, in offset: (Leaf) -> Int) -> Int {
        var node = root
        var position = 0
        while !node.isLeaf {
            // The search ends in the last child that begins before what is sought, or behind it.
            let begun = node.children.indices.dropFirst().partitionPoint { isBegun(node.children[$0].firstLeaf) }
            let child = begun - 1
            for passed in node.children[..<child] { position += passed.count }
            node = node.children[child]
        }
        return position + offset(node.leaf)
    }

    /// The weight of the elements before a position. O(log n).
    package func weight(before position: Int) -> Int {
        precondition(0...count ~= position, "There is no such position.")
        var node = root
        var offset = position
        var sum = 0
        while !node.isLeaf {
            let location = node.location(of: offset)
            for passed in node.children[..<location.child] { sum += passed.weight }
            guard location.child < node.children.count else { return sum }
            node = node.children[location.child]
            offset = location.offset
        }
        return sum + node.leaf.weight(before: offset)
    }

    /// The position of the element that a unit of the weight falls into, and which of its units it is. O(log n).
    package func position(ofWeight unit: Int) -> (position: Int, offset: Int) {
        precondition(0..<weight ~= unit, "The tree does not weigh so much.")
        var node = root
        var (position, rest) = (0, unit)
        while !node.isLeaf {
            var child = 0
            while rest >= node.children[child].weight {
                rest -= node.children[child].weight
                position += node.children[child].count
                child += 1
            }
            node = node.children[child]
        }
        let leaf = node.leaf
        let offset = (0..<leaf.count).partitionPoint { leaf.weight(before: $0 + 1) <= rest }
        return (position + offset, rest - leaf.weight(before: offset))
    }

    /// Calls the closure with the leaves that hold the elements of a range, in order, and the range in each.
    /// O(log n + leaves).
    ///
    /// - Throws: what the closure throws.
    func forEachLeaf(in range: Range<Int>, _ body: (Leaf, Range<Int>) throws -> Void) rethrows {
        precondition(0 <= range.lowerBound && range.upperBound <= count, "There is no such range.")
        try root.forEachLeaf(in: range, body)
    }

    /// Calls the closure with the elements of a range, in order. O(log n + range).
    ///
    /// - Throws: what the closure throws.
    package func forEach(in range: Range<Int>, _ body: (Leaf.Element) throws -> Void) rethrows {
        try forEachLeaf(in: range) { leaf, range in
            for offset in range { try body(leaf[offset]) }
        }
    }
}

extension CountedTree.Node {
    /// The child that holds a position, and the position in it; behind the last one for the end.
    func location(of index: Int) -> (child: Int, offset: Int) {
        var (child, offset) = (0, index)
        while child < children.count, offset >= children[child].count {
            offset -= children[child].count
            child += 1
        }
        return (child, offset)
    }

    fileprivate var firstLeaf: Leaf {
        var node = self
        while !node.isLeaf { node = node.children[0] }
        return node.leaf
    }

    fileprivate func forEachLeaf(in range: Range<Int>, _ body: (Leaf, Range<Int>) throws -> Void) rethrows {
        guard !range.isEmpty else { return }
        if isLeaf { return try body(leaf, range) }
        var start = 0
        for child in children {
            let part = range.clamped(to: start..<start + child.count)
            if !part.isEmpty { try child.forEachLeaf(in: part.lowerBound - start..<part.upperBound - start, body) }
            start += child.count
            if start >= range.upperBound { return }
        }
    }
}
