import LoamStorage

extension ResolvedQuery {
    /// The keys of the order that the predicate leaves open: where it fixes a value, rows are equal in that key.
    var openOrder: [ResolvedSortKey] {
        guard result == .rows, !order.isEmpty else { return [] }
        let conjuncts = predicate.conjuncts
        return order.filter { key in !conjuncts.contains { $0.fixes(key) } }
    }
}

extension TypedPredicate {
    fileprivate func fixes(_ key: ResolvedSortKey) -> Bool {
        guard let call = key.path.call else { return fixes(.property(key.path), of: key) }
        if let expression = call.typed, fixes(expression, of: key) { return true }
        guard call.isDecidedByArgument else { return false }
        return fixes(
            .property(call.argument), of: ResolvedSortKey(path: call.argument, direction: .ascending, form: .exact))
    }

    /// - Parameter expression: the key's.
    private func fixes(_ expression: TypedExpression, of key: ResolvedSortKey) -> Bool {
        switch self {
        case .comparison(expression, .equal, .constant, let form): form == .exact || form == key.form
        // Of two values, what is not one is the other.
        case .comparison(expression, .notEqual, .constant(.bool), _): !key.path.isOptional
        case .isIn(expression, let elements, let form):
            elements.count == 1 && elements[0].constant != nil && (form == .exact || form == key.form)
        default: false
        }
    }
}

extension IndexScan {
    /// Whether the scan delivers rows in the order of `keys`, and in which direction it then runs; nil when it does
    /// not.
    ///
    /// The components behind those that are one value (in a merge: one in each range) must be exactly the keys, all in
    /// their direction or all reversed, and so must the row ids at the end.
    func isReversed(for keys: [ResolvedSortKey], rowIDs: SortDirection) -> Bool? {
        guard !isInexact else { return nil }
        let fixedCount = isMerged ? pointCount : equalityCount
        let isReversed = shared.invertsRowID != (rowIDs == .descending)
        guard shared.componentCount - fixedCount == keys.count else { return nil }
        if keys.isEmpty { return isReversed }
        let matches = shared.matches(keys)
        for number in keys.indices
        where matches.isReversed(component: fixedCount + number, key: number) != isReversed {
            return nil
        }
        return isReversed
    }
}

/// Which components of an index are sorted by which keys of an order. Comparing a component with a key compares names
/// and types, for every way to the rows some times.
final class OrderMatches: Sendable {
    private let order: [ResolvedSortKey]
    /// For each component and each key whether they run in opposite directions; nil where the key sorts otherwise.
    private let areReversed: [Bool?]

    init(_ components: [IndexComponent], _ order: [ResolvedSortKey]) {
        self.order = order
        areReversed = components.flatMap { component in
            order.map { component.isSortedBy($0) ? component.direction != $0.direction : nil }
        }
    }

    /// Whether it is of this order, and no copy of it.
    func isOf(_ order: [ResolvedSortKey]) -> Bool {
        self.order.withUnsafeBufferPointer { known in
            order.withUnsafeBufferPointer { known.baseAddress == $0.baseAddress && known.count == $0.count }
        }
    }

    /// Whether a component runs against the direction of a key; nil where it is not sorted by it, or there is no such
    /// component.
    func isReversed(component: Int, key: Int) -> Bool? {
        let position = component * order.count + key
        return position < areReversed.count ? areReversed[position] : nil
    }
}

extension IndexScan {
    /// The scan with its ranges merged, where that gives the order that is wanted and reading one range after another
    /// does not.
    ///
    /// - Parameter rangeCount: about how many ranges there will be; nil where they are known.
    func merged(for keys: [ResolvedSortKey], rowIDs: SortDirection, rangeCount: Int? = nil) -> IndexScan? {
        guard rangeCount ?? ranges.count > 1, isReversed(for: keys, rowIDs: rowIDs) == nil else { return nil }
        var merged = self
        merged.isMerged = true
        return merged.isReversed(for: keys, rowIDs: rowIDs) == nil ? nil : merged
    }
}

extension IndexComponent {
    func isSortedBy(_ key: ResolvedSortKey) -> Bool {
        isValue(of: key.path) && form == key.form
    }

    /// Whether it is the value that a path leads to in the row itself, or the function of one that the path is.
    func isValue(of path: PropertyPath) -> Bool {
        guard path.related == nil, property == path.property, self.path == path.members else { return false }
        guard let call = path.call else { return function == nil }
        return function.map { $0.known == call.function.function && $0.zone == call.function.zone } ?? false
            && type == path.type
    }
}
