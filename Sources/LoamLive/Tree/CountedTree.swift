/// What a ``CountedTree`` keeps its elements in: a few of them, in order, changed by position.
///
/// A value: a copy of it keeps what it holds when the other one changes.
package protocol CountedLeaf: Sendable {
    associatedtype Element

    /// A leaf without elements; takes nothing from the heap.
    init()

    var count: Int { get }
    /// The sum of the elements' weights.
    var weight: Int { get }
    subscript(position: Int) -> Element { get }

    /// The weight of the elements before a position.
    func weight(before position: Int) -> Int

    /// Inserts an element before the one at a position.
    mutating func insert(_ element: Element, at position: Int)
    mutating func remove(at position: Int)
    mutating func replace(at position: Int, with element: Element)
    /// Takes the elements from a position on out, into a leaf of their own.
    mutating func split(at position: Int) -> Self
    /// Adds the elements of a leaf behind the own ones.
    mutating func append(_ other: Self)
}

/// A sequence of elements that is changed and asked for by position in O(log n), and whose copies share what they have
/// in common.
///
/// A B+tree whose nodes know how many elements they hold, and their weight. A change copies the nodes between the root
/// and the leaf where a copy of the tree still holds them, and nothing else, so that keeping an old state costs one
/// path for each change made since. A full node gives to a neighbour that has room before it is split.
///
/// ```
/// var sections = SectionTree(sorted: [first, second])
/// let before = sections
/// sections.insert(third, at: 1)      // `before` still holds two
/// ```
package struct CountedTree<Leaf: CountedLeaf>: Sendable {
    var root: Node
    let capacity: TreeCapacity

    package init(capacity: TreeCapacity = TreeCapacity()) {
        root = Node(leaf: Leaf())
        self.capacity = capacity
    }

    /// A tree of leaves in their order, which are at least half full and none of which is empty, but for a single one.
    /// O(leaves).
    init(leaves: [Leaf], capacity: TreeCapacity) {
        self.capacity = capacity
        var level = leaves.map { Node(leaf: $0) }
        while level.count > 1 {
            level = Self.pieces(of: level.count, by: capacity.inner).map { Node(children: Array(level[$0])) }
        }
        root = level.first ?? Node(leaf: Leaf())
    }

    /// The sum of all elements' weights.
    package var weight: Int { root.weight }

    /// Ranges of about equal length, and of at most `capacity` elements, that cover so many elements.
    static func pieces(of count: Int, by capacity: Int) -> [Range<Int>] {
        let pieces = (count + capacity - 1) / capacity
        return (0..<pieces).map { count * $0 / pieces..<count * ($0 + 1) / pieces }
    }
}

/// The most elements of a leaf and children of an inner node. A leaf that is not the root holds half of it at least, an
/// inner node a quarter, and none of them fewer than two.
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
        var leaf: Leaf
        var children: [Node] = []
        var count: Int
        var weight: Int

        init(leaf: Leaf) {
            self.leaf = leaf
            (count, weight) = (leaf.count, leaf.weight)
        }

        init(children: [Node]) {
            self.children = children
            leaf = Leaf()
            count = children.reduce(0) { $0 + $1.count }
            weight = children.reduce(0) { $0 + $1.weight }
        }

        var isLeaf: Bool { children.isEmpty }

        /// The number that the capacity limits: the elements of a leaf, or the children of an inner node.
        var size: Int { isLeaf ? leaf.count : children.count }
    }
}
