import LoamStorage

extension CountedTree: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { root.count }
    package var count: Int { root.count }

    /// The element at a position. O(log n).
    package subscript(position: Int) -> Element {
        precondition(indices.contains(position), "There is no such position.")
        var node = root
        var offset = position
        while !node.isLeaf {
            let location = node.location(of: offset)
            node = node.children[location.child]
            offset = location.offset
        }
        return node.elements[offset]
    }

    /// The first position whose element does not come before what is sought; `count` where all do. O(log n).
    ///
    /// - Parameter precedes: true for the elements of a beginning of the sequence and for no others.
    /// - Throws: what the closure throws.
    package func firstPosition(where precedes: (Element) throws -> Bool) rethrows -> Int {
        var node = root
        var position = 0
        while !node.isLeaf {
            let child = try node.children.indices.partitionPoint { try precedes(node.children[$0].lastElement) }
            for passed in node.children[..<child] { position += passed.count }
            guard child < node.children.count else { return position }
            node = node.children[child]
        }
        return position + (try node.elements.indices.partitionPoint { try precedes(node.elements[$0]) })
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
        return node.elements[..<offset].reduce(sum) { $0 + $1.weight }
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
        var element = 0
        while rest >= node.elements[element].weight {
            rest -= node.elements[element].weight
            element += 1
        }
        return (position + element, rest)
    }

    /// Calls the closure with the elements of a range, in order. O(log n + range).
    ///
    /// - Throws: what the closure throws.
    package func forEach(in range: Range<Int>, _ body: (Element) throws -> Void) rethrows {
        precondition(0 <= range.lowerBound && range.upperBound <= count, "There is no such range.")
        try root.forEach(in: range, body)
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

    /// The last element; the node must not be empty.
    fileprivate var lastElement: Element {
        var node = self
        while !node.isLeaf { node = node.children[node.children.count - 1] }
        return node.elements[node.elements.count - 1]
    }

    fileprivate func forEach(in range: Range<Int>, _ body: (Element) throws -> Void) rethrows {
        guard !range.isEmpty else { return }
        if isLeaf {
            for element in elements[range] { try body(element) }
            return
        }
        var start = 0
        for child in children {
            let part = range.clamped(to: start..<start + child.count)
            if !part.isEmpty { try child.forEach(in: part.lowerBound - start..<part.upperBound - start, body) }
            start += child.count
            if start >= range.upperBound { return }
        }
    }
}
