import LoamStorage

/// What an ``ElementLeaf`` holds.
package protocol CountedElement: Sendable {
    /// What the element adds to the weight of the tree: the number of its rows for a section.
    var weight: Int { get }
}

/// Elements in an array.
package struct ElementLeaf<Element: CountedElement>: CountedLeaf {
    private var elements: [Element] = []
    package private(set) var weight = 0

    package init() {}

    fileprivate init(_ elements: [Element]) {
        self.elements = elements
        weight = elements.reduce(0) { $0 + $1.weight }
    }

    package var count: Int { elements.count }

    package subscript(position: Int) -> Element { elements[position] }

    package func weight(before position: Int) -> Int { elements[..<position].reduce(0) { $0 + $1.weight } }

    package mutating func insert(_ element: Element, at position: Int) {
        weight += element.weight
        elements.insert(element, at: position)
    }

    package mutating func remove(at position: Int) {
        weight -= elements.remove(at: position).weight
    }

    package mutating func replace(at position: Int, with element: Element) {
        weight += element.weight - elements[position].weight
        elements[position] = element
    }

    package mutating func split(at position: Int) -> Self {
        let other = Self(Array(elements[position...]))
        elements.removeSubrange(position...)
        weight -= other.weight
        return other
    }

    package mutating func append(_ other: Self) {
        elements += other.elements
        weight += other.weight
    }
}

extension CountedTree {
    /// A tree of the elements in their order. O(n).
    package init<Element>(
        sorted elements: [Element], capacity: TreeCapacity = TreeCapacity()
    ) where Leaf == ElementLeaf<Element> {
        self.init(count: elements.count, capacity: capacity) { elements[$0] }
    }

    /// A tree of so many elements, each made of its position. O(n).
    package init<Element>(
        count: Int, capacity: TreeCapacity = TreeCapacity(), element: (Int) -> Element
    ) where Leaf == ElementLeaf<Element> {
        let leaves = Self.pieces(of: count, by: capacity.leaf).map { Leaf($0.map(element)) }
        self.init(leaves: leaves, capacity: capacity)
    }

    /// The first position whose element does not come before what is sought; `count` where all do. O(log n).
    ///
    /// - Parameter precedes: true for the elements of a beginning of the sequence and for no others.
    package func firstPosition<Element>(
        where precedes: (Element) -> Bool
    ) -> Int where Leaf == ElementLeaf<Element> {
        firstPosition {
            $0.count > 0 && precedes($0[0])
        } in: { leaf in
            (0..<leaf.count).partitionPoint { precedes(leaf[$0]) }
        }
    }
}
