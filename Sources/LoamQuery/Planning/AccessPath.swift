package import LoamStorage

/// How the rows are reached from which a result is made.
package enum AccessPath: Hashable, Sendable {
    /// No row can match.
    case nothing
    /// These rows, in ascending order of their ids; some may not exist.
    case rows([RowID])
    /// The records from one id through another, in the order of ids.
    case table(from: RowID, through: RowID)
    case index(IndexScan)
    /// Every row that any of the scans reaches, each once.
    case union([IndexScan])
    /// Every row that all of the scans reach; the one with the fewest entries comes first.
    case intersection([IndexScan])
    case skip(SkipScan)
    indirect case join(Join)
}

extension AccessPath {
    /// The scan of the one index that is read; of a ``SkipScan`` without its ranges.
    package var scan: IndexScan? {
        switch self {
        case .index(let scan): scan
        case .skip(let skip): skip.scan
        case .nothing, .rows, .table, .union, .intersection, .join: nil
        }
    }

    /// Lets the one index that is read be read backwards. Other ways stay as they are.
    mutating func reverse() {
        switch self {
        case .index(var scan):
            scan.isReversed = true
            self = .index(scan)
        case .skip(var skip):
            skip.scan.isReversed = true
            self = .skip(skip)
        case .nothing, .rows, .table, .union, .intersection, .join: break
        }
    }
}

/// The rows from which a relationship leads to rows that another plan finds.
package struct Join: Hashable, Sendable {
    package var hop: RelationHop
    /// Over the destination: its rows alone, or with the reference that leads back.
    package var target: Plan
    /// The condition that the join answers.
    package var condition: TypedPredicate

    /// The index of the reference that ``hop`` is, by target.
    var index: Index? {
        guard case .reference(_, _, let id) = hop.relationship.storage else { return nil }
        return hop.source.indexes.first { $0.id == id && $0.isReadable }
    }
}

/// The scan of some ranges of one index.
package struct IndexScan: Hashable, Sendable {
    private let body: Body
    package var isReversed = false
    /// Whether the ranges are read side by side, in the order of the components behind those points, and not one after
    /// another.
    package var isMerged = false

    /// - Parameters:
    ///   - ranges: in the order of keys. No two of them touch.
    ///   - equalityCount: leading components that are one and the same value in all ranges.
    ///   - pointCount: leading components that are one value in each of the ranges, if not the same in all.
    ///   - conjuncts: those that the scan was made for.
    ///   - positions: of those among the conjuncts that the ranges come from.
    ///   - entryCount: entries in the ranges when the plan was made.
    ///   - isInexact: whether some keys of the index were cut, so that it gives no order and no exact counts.
    init(
        shared: SharedIndex, ranges: [KeyRange], equalityCount: Int, pointCount: Int, conjuncts: [TypedPredicate],
        positions: [Int], entryCount: Int, isInexact: Bool
    ) {
        body = Body(
            shared: shared, ranges: ranges, equalityCount: equalityCount, pointCount: pointCount, conjuncts: conjuncts,
            positions: positions, entryCount: entryCount, isInexact: isInexact)
    }

    private init(_ body: Body, like scan: IndexScan) {
        self.body = body
        (isReversed, isMerged) = (scan.isReversed, scan.isMerged)
    }

    /// What no one changes. Scans are handed on often, so copies of one share it.
    private final class Body: Hashable, Sendable {
        let shared: SharedIndex
        let ranges: [KeyRange]
        let equalityCount: Int
        let pointCount: Int
        let conjuncts: [TypedPredicate]
        let positions: [Int]
        let entryCount: Int
        let isInexact: Bool
        let isNarrowed: Bool

        init(
            shared: SharedIndex, ranges: [KeyRange], equalityCount: Int, pointCount: Int, conjuncts: [TypedPredicate],
            positions: [Int], entryCount: Int, isInexact: Bool
        ) {
            (self.shared, self.ranges, self.equalityCount) = (shared, ranges, equalityCount)
            (self.pointCount, self.conjuncts, self.positions) = (pointCount, conjuncts, positions)
            (self.entryCount, self.isInexact) = (entryCount, isInexact)
            isNarrowed = ranges.count != 1 || ranges[0].hasLower || ranges[0].hasUpper
        }

        func replacing(ranges: [KeyRange], entryCount: Int) -> Body {
            Body(
                shared: shared, ranges: ranges, equalityCount: equalityCount, pointCount: pointCount,
                conjuncts: conjuncts, positions: positions, entryCount: entryCount, isInexact: isInexact)
        }

        static func == (left: Body, right: Body) -> Bool {
            left === right
                || left.shared == right.shared && left.ranges == right.ranges
                    && left.equalityCount == right.equalityCount && left.pointCount == right.pointCount
                    && left.conjuncts == right.conjuncts && left.positions == right.positions
                    && left.entryCount == right.entryCount && left.isInexact == right.isInexact
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(shared)
            hasher.combine(ranges)
            hasher.combine(conjuncts)
        }
    }
}

extension IndexScan {
    var shared: SharedIndex { body.shared }
    package var index: Index { body.shared.index }
    package var ranges: [KeyRange] { body.ranges }
    package var equalityCount: Int { body.equalityCount }
    package var pointCount: Int { body.pointCount }
    var conjuncts: [TypedPredicate] { body.conjuncts }
    var positions: [Int] { body.positions }
    package var entryCount: Int { body.entryCount }
    package var isInexact: Bool { body.isInexact }

    /// The scan with other ranges, or another number of entries. O(1).
    func replacing(ranges: [KeyRange]? = nil, entryCount: Int? = nil) -> IndexScan {
        IndexScan(
            body.replacing(ranges: ranges ?? body.ranges, entryCount: entryCount ?? body.entryCount), like: self)
    }
}

extension IndexScan {
    /// Whether the ranges narrow the index at all.
    var isNarrowed: Bool { body.isNarrowed }

    /// Whether conditions narrow the index to some ranges.
    var isNarrow: Bool { !isOfNothing && isNarrowed && !body.positions.isEmpty }

    /// Whether there is no range.
    var isOfNothing: Bool { body.ranges.isEmpty }

    /// What the ranges answer, part by part; empty for the whole index.
    package var conditions: [TypedPredicate] {
        positions.count == conjuncts.count ? conjuncts : positions.map { conjuncts[$0] }
    }
}

/// An index that scans share, so that copying a scan does not copy it.
package final class SharedIndex: Hashable, Sendable {
    let index: Index
    let id: IndexID
    let components: [IndexComponent]
    let componentCount: Int
    /// Whether row ids run downwards among equal keys.
    let invertsRowID: Bool
    let isOfTrigrams: Bool
    /// What is known of the one order for which the index was looked at.
    private let knownMatches: OrderMatches?

    /// - Parameter order: the one for which it is looked at: matches of it are found once.
    init(_ index: Index, order: [ResolvedSortKey] = []) {
        self.index = index
        id = index.id
        components = index.components
        componentCount = index.components.count
        invertsRowID = index.components.last?.direction == .descending
        isOfTrigrams = index.kind == .trigrams
        knownMatches = order.isEmpty ? nil : OrderMatches(index.components, order)
    }

    /// Which of the components are sorted by which keys of an order.
    func matches(_ order: [ResolvedSortKey]) -> OrderMatches {
        if let knownMatches, knownMatches.isOf(order) { return knownMatches }
        return OrderMatches(components, order)
    }

    package static func == (left: SharedIndex, right: SharedIndex) -> Bool {
        left === right || left.index == right.index
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(index.id) }
}
