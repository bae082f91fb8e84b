import LoamStorage

extension ResolvedQuery {
    /// The keys of the order that the predicate leaves open: where it fixes a value, rows are equal in that key.
    var openOrder: [ResolvedSortKey] {
        guard result == .rows else { return [] }
        return order.filter { key in !predicate.conjuncts.contains { $0.fixes(key) } }
    }
}

extension TypedPredicate {
    fileprivate func fixes(_ key: ResolvedSortKey) -> Bool {
        switch self {
        case .comparison(.property(key.path), .equal, .constant, let form): form == .exact || form == key.form
        case .isIn(.property(key.path), let elements, let form):
            elements.count == 1 && elements[0].constant != nil && (form == .exact || form == key.form)
        default: false
        }
    }
}

extension IndexScan {
    /// Whether the scan delivers rows in the order of `keys`, and in which direction it then runs; nil when it does
    /// not.
    ///
    /// The components behind those that are one value must be exactly the keys, all in their direction or all reversed,
    /// and so must the row ids at the end.
    func isReversed(for keys: [ResolvedSortKey], rowIDs: SortDirection) throws -> Bool? {
        guard !isInexact else { return nil }
        let open = index.components[equalityCount...]
        guard open.count == keys.count, zip(open, keys).allSatisfy({ $0.isSortedBy($1) }) else { return nil }
        let invertsRowID = index.components.last?.direction == .descending
        let reversals = zip(open, keys).map { $0.direction != $1.direction } + [invertsRowID != (rowIDs == .descending)]
        return reversals.allSatisfy { $0 == reversals[0] } ? reversals[0] : nil
    }
}

extension IndexComponent {
    fileprivate func isSortedBy(_ key: ResolvedSortKey) -> Bool {
        key.path.related == nil && isValue(of: key.path.property, key.path.members) && form == key.form
    }
}
