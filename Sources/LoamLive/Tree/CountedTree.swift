/// What a ``CountedTree`` holds.
package protocol CountedElement: Sendable {
    /// What the element adds to the weight of the tree: 1 for a row, the number of its rows for a section.
    var weight: Int { get }
}

/// A sequence of elements that is changed and asked for by position in O(log n), and whose copies share what they have
/// in common.
///
/// A B+tree whose nodes know how many elements they hold, and their weight. A change copies the nodes between the root
/// and the leaf where a copy of the tree still holds them, and nothing else, so that keeping an old state costs one
/// path for each change made since.
///
/// ```
/// var rows = CountedTree(sorted: [first, second])
/// let before = rows
/// rows.insert(third, at: 1)      // `before` still holds two
/// ```
package struct CountedTree<Element: CountedElement>: Sendable {
    var root: Node
    let capacity: TreeCapacity

    package init(capacity: TreeCapacity = TreeCapacity()) {
        root = Node(elements: [])
        self.capacity = capacity
    }

    /// A tree of the elements in their order. O(n).
    package init(sorted elements: [Element], capacity: TreeCapacity = TreeCapacity()) {
        self.capacity = capacity
        var level = Self.pieces(of: elements.count, by: capacity.leaf).map { Node(elements: Array(elements[$0])) }
        while level.count > 1 {
            level = Self.pieces(of: level.count, by: capacity.inner).map { Node(children: Array(level[$0])) }
        }
        root = level.first ?? Node(elements: [])
    }

    /// The sum of all elements' weights.
    package var weight: Int { root.weight }

    /// Ranges of about equal length, and of at most `capacity` elements, that cover so many elements.
    private static func pieces(of count: Int, by capacity: Int) -> [Range<Int>] {
        let pieces = (count + capacity - 1) / capacity
        return (0..<pieces).map { count * $0 / pieces..<count * ($0 + 1) / pieces }
    }
}

/// The most elements of a leaf and children of an inner node. A node that is not the root holds a quarter
/// at least, and never fewer than two.
package struct TreeCapacity: Hashable, Sendable {
    let leaf: Int
    let inner: Int

    /// Traps where one of the numbers is less than 4.
    package init(leaf: Int = 64, inner: Int = 32) {
        precondition(leaf >= 4 && inner >= 4, "A node holds at least four: give larger capacities.")
        self.leaf = leaf
        self.inner = inner
    }
}

extension CountedTree {
    /// A leaf with elements, or an inner node with children. Values, so that copies share and Swift's arrays copy the
    /// path that is written.
    struct Node: Sendable {
        var elements: [Element] = []
        var children: [Node] = []
        var count: Int
        var weight: Int

        init(elements: [Element]) {
            self.elements = elements
            count = elements.count
            weight = elements.reduce(0) { $0 + $1.weight }
        }

        init(children: [Node]) {
            self.children = children
            count = children.reduce(0) { $0 + $1.count }
            weight = children.reduce(0) { $0 + $1.weight }
        }

        var isLeaf: Bool { children.isEmpty }

        /// The number that the capacity limits: the elements of a leaf, or the children of an inner node.
        var size: Int { isLeaf ? elements.count : children.count }
    }
}
