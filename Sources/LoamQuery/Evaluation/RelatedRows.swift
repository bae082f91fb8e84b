package import LoamStorage

/// Rows of other entities, as predicates reach them along relationships.
///
/// Used by one thread at a time.
package protocol RelatedRows: AnyObject {
    /// The value of an expression on a row; nil where there is no such row.
    func value(of expression: TypedExpression, at rowID: RowID, of entity: Entity) throws -> Value?
    /// Whether a predicate holds for a row; nil where there is no such row.
    func holds(_ predicate: TypedPredicate, at rowID: RowID, of entity: Entity) throws -> Bool?
    /// Runs a program that another one has called on a row: whether it holds; nil where there is no such row.
    func run(_ program: FilterProgram, at rowID: RowID, of entity: Entity, _ call: FilterCall) throws -> Bool?
    func contains(_ rowID: RowID, of entity: Entity) throws -> Bool
    /// Calls `body` with each row that a row leads to, until it returns false. All of them exist.
    func forEachRelated(of rowID: RowID, _ hop: RelationHop, _ body: (RowID) throws -> Bool) throws
    func relatedCount(of rowID: RowID, _ hop: RelationHop) throws -> Int
    /// The answer that `owner` has had remembered for a key; nil where there is none.
    func known(_ owner: ObjectIdentifier, key: Value) -> Bool?
    func remember(_ result: Bool, for owner: ObjectIdentifier, key: Value)
    /// The value at the end of a path that begins with a reference to this row, if it was remembered.
    func knownValue(of path: PropertyPath, _ target: Value) -> Value?
    func remember(_ value: Value, of path: PropertyPath, target: Value)
}

extension RelatedRows {
    package func known(_ owner: ObjectIdentifier, key: Value) -> Bool? { nil }
    package func remember(_ result: Bool, for owner: ObjectIdentifier, key: Value) {}
    package func knownValue(of path: PropertyPath, _ target: Value) -> Value? { nil }
    package func remember(_ value: Value, of path: PropertyPath, target: Value) {}

    /// The rows that a row leads to, one after another along all hops; a row may come more than once.
    func forEachRelated(
        of rowID: RowID, along hops: ArraySlice<RelationHop>, _ body: (RowID) throws -> Bool
    ) throws {
        guard let hop = hops.first else { return }
        let rest = hops.dropFirst()
        guard !rest.isEmpty else { return try forEachRelated(of: rowID, hop, body) }
        var isStopped = false
        try forEachRelated(of: rowID, hop) { next in
            try forEachRelated(of: next, along: rest) {
                isStopped = try !body($0)
                return !isStopped
            }
            return !isStopped
        }
    }

    /// Whether a row exists for which the predicate holds.
    func isMatch(_ rowID: RowID, of entity: Entity, predicate: TypedPredicate) throws -> Bool {
        try predicate == .constant(true)
            ? contains(rowID, of: entity) : holds(predicate, at: rowID, of: entity) ?? false
    }
}

/// Follows relationships from a row. Every function is given the related rows, which a row by itself does not have, and
/// throws ``missing`` where there are none.
enum Relations {
    static let missing = QueryError(.unsupported("a relationship where there is no store"))

    /// Calls `body` with each row at the end of `hops`, until it returns false; they may not exist.
    static func forEachTarget<Row: RowValues & ~Escapable>(
        of row: borrowing Row, along hops: [RelationHop], _ related: any RelatedRows, _ body: (RowID) throws -> Bool
    ) throws {
        guard let first = hops.first else { return }
        guard let reference = first.reference else {
            return try related.forEachRelated(of: row.rowID, along: hops[...], body)
        }
        guard case .uint(let target) = try row.value(of: reference) else { return }
        let rest = hops.dropFirst()
        if rest.isEmpty {
            _ = try body(target)
        } else {
            try related.forEachRelated(of: target, along: rest, body)
        }
    }

    /// The first row at the end of `hops`, which may not exist.
    static func target<Row: RowValues & ~Escapable>(
        of row: borrowing Row, along hops: [RelationHop], _ related: any RelatedRows
    ) throws -> RowID? {
        var found: RowID?
        try forEachTarget(of: row, along: hops, related) {
            found = $0
            return false
        }
        return found
    }

    /// The row behind the to-one relationships that `hops` begins with, and the relationships from there on, at least the
    /// last one; nil where one of the to-ones leads nowhere.
    static func lastSource(
        from start: RowID, along hops: [RelationHop], _ related: any RelatedRows
    ) throws -> (source: RowID, rest: ArraySlice<RelationHop>)? {
        var (source, rest) = (start, hops[...])
        while rest.count > 1, let hop = rest.first, !hop.relationship.isToMany {
            var target: RowID?
            try related.forEachRelated(of: source, hop) {
                target = $0
                return false
            }
            guard let target else { return nil }
            (source, rest) = (target, rest.dropFirst())
        }
        return (source, rest)
    }

    static func exists<Row: RowValues & ~Escapable>(
        from row: borrowing Row, along hops: [RelationHop], predicate: TypedPredicate, related: (any RelatedRows)?
    ) throws -> Bool {
        guard let related, let last = hops.last else { throw missing }
        let predicate = try predicate.bound(to: row, related)
        var isFound = false
        try forEachTarget(of: row, along: hops, related) {
            isFound = try related.isMatch($0, of: last.destination, predicate: predicate)
            return !isFound
        }
        return isFound
    }

    /// The number of rows at the end of `hops` for which the predicate holds, or of all where there is none; nil
    /// where a to-one on the way leads nowhere. O(rows) with a predicate, which is tested for each.
    static func count<Row: RowValues & ~Escapable>(
        from row: borrowing Row, along hops: [RelationHop], predicate: TypedPredicate?, related: (any RelatedRows)?
    ) throws -> Int? {
        guard let related, let last = hops.last else { throw missing }
        var source = row.rowID
        if hops.count > 1 {
            guard let target = try target(of: row, along: hops.dropLast(), related),
                try related.contains(target, of: last.source)
            else { return nil }
            source = target
        }
        guard let predicate = try predicate?.bound(to: row, related) else {
            return try related.relatedCount(of: source, last)
        }
        var count = 0
        try related.forEachRelated(of: source, last) {
            if try related.isMatch($0, of: last.destination, predicate: predicate) { count += 1 }
            return true
        }
        return count
    }
}
