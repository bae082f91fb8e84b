package import LoamStorage

/// Consecutive rows of a result that have one value of the section key path.
package struct LiveSection: CountedElement, Hashable {
    /// The bytes that every key in the section begins with, and no other key.
    package var key: [UInt8]
    package var identifier: Value
    package var count: Int

    package var weight: Int { count }

    package init(key: [UInt8], identifier: Value, count: Int) {
        self.key = key
        self.identifier = identifier
        self.count = count
    }
}

/// A row's place in a result: the section, and the row in it. Without sections all rows are in section 0.
package struct ResultPosition: Hashable, Comparable, Sendable {
    package var section: Int
    package var item: Int

    package init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }

    package static func < (left: ResultPosition, right: ResultPosition) -> Bool {
        (left.section, left.item) < (right.section, right.item)
    }
}

/// The sections of a result, in order.
package typealias SectionTree = CountedTree<ElementLeaf<LiveSection>>
