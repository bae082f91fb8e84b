import LoamStorage

/// Which pending rows a predicate may hold for, found without testing them all.
extension OverlaidEntity {
    /// At least the pending rows for which the predicate holds: those with the values that a part which must hold asks for,
    /// the fewest that any such part leaves; all of them where no part does.
    func candidates(of predicate: TypedPredicate) -> [PlainRow] {
        var fewest: Set<RowID>?
        for part in predicate.conjuncts {
            guard let found = candidates(ofPart: part), found.count < fewest?.count ?? .max else { continue }
            fewest = found
        }
        guard let fewest else { return Array(rows.values) }
        return fewest.compactMap { rows[$0] }
    }

    private func candidates(ofPart part: TypedPredicate) -> Set<RowID>? {
        switch part {
        case .constant(false): return []
        case .comparison(let left, .equal, let right, let form):
            return candidates(left, equalTo: right, form) ?? candidates(right, equalTo: left, form)
        case .isIn(let expression, let elements, let form):
            // Every element costs a look-up, every row a test.
            guard elements.count < rows.count else { return nil }
            var found: Set<RowID> = []
            for element in elements {
                guard let some = candidates(expression, equalTo: element, form) else { return nil }
                found.formUnion(some)
            }
            return found
        default: return nil
        }
    }

    private func candidates(
        _ expression: TypedExpression, equalTo other: TypedExpression, _ form: StringForm
    ) -> Set<RowID>? {
        guard let value = other.constant else { return nil }
        switch expression {
        case .identifier:
            guard case .uint(let row) = value else { return nil }
            return rows[row] == nil ? [] : [row]
        case .property(let path) where path.related == nil && Self.isFound(value, path.type, form):
            return rows(with: value, at: path)
        default: return nil
        }
    }

    /// Whether rows whose value equals this one in a predicate have it as their `Value`: not so where numbers of other
    /// types, or strings that only fold to the same, are equal too.
    private static func isFound(_ value: Value, _ type: ValueType, _ form: StringForm) -> Bool {
        switch value {
        case .null, .bool, .date, .uuid, .data: true
        case .string: form == .exact && type == .string
        case .int: type.isSignedInteger
        case .uint: type.isUnsignedInteger
        default: false
        }
    }
}
