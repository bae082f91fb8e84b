import LoamStorage

/// Pending rows among which those are for which a predicate holds.
enum PendingCandidates {
    case all(count: Int)
    case rows(Set<RowID>)
    /// The rows in ranges of an order, of which there are at most so many.
    case ranges(OverlaidOrder, [KeyRange], count: Int)

    /// The most rows that there may be.
    var count: Int {
        switch self {
        case .all(let count), .ranges(_, _, let count): count
        case .rows(let rows): rows.count
        }
    }
}

/// Which pending rows a predicate may hold for, found without testing them all.
extension OverlaidEntity {
    /// At least the pending rows for which the predicate holds: those with the values that a part which must hold asks
    /// for, or in the ranges that such parts leave, whichever are the fewest; all of them where no part tells.
    func candidates(of predicate: TypedPredicate) throws -> PendingCandidates {
        var fewest = PendingCandidates.all(count: rows.count)
        let conjuncts = predicate.conjuncts
        var others: [TypedPredicate] = []
        for part in conjuncts {
            guard let found = candidates(ofPart: part) else {
                others.append(part)
                continue
            }
            if found.count < fewest.count { fewest = .rows(found) }
        }
        var asked: [(path: PropertyPath, form: StringForm)] = []
        for part in others where fewest.count > Self.fewRows {
            guard let (path, form) = rangeKey(of: part), !asked.contains(where: { $0 == (path, form) }) else {
                continue
            }
            asked.append((path, form))
            guard let order = try ordered(leadBy: path, form) else { continue }
            let ranges = try order.ranges(of: conjuncts)
            let count = order.count(in: ranges)
            if count < fewest.count { fewest = .ranges(order, ranges, count: count) }
        }
        return fewest
    }

    /// Calls `body` with each of some candidates, in no order.
    func forEachRow(of candidates: PendingCandidates, _ body: (PlainRow) throws -> Void) rethrows {
        switch candidates {
        case .all: for row in rows.values { try body(row) }
        case .rows(let rowIDs): for rowID in rowIDs { if let row = rows[rowID] { try body(row) } }
        case .ranges(let order, let ranges, _):
            try order.forEachRow(in: ranges) { rowID in
                if let row = rows[rowID] { try body(row) }
                return true
            }
        }
    }

    /// The values of which ranges may answer a part of a predicate, and the form in which they are compared.
    private func rangeKey(of part: TypedPredicate) -> (PropertyPath, StringForm)? {
        let key: (PropertyPath, StringForm)
        switch part {
        case .comparison(.property(let path), _, _, _) where !path.type.isOrdered: return nil
        // Nearly all rows differ from a value.
        case .comparison(_, .notEqual, .constant(let value), _) where !value.isNull: return nil
        case .comparison(.property(let path), _, .constant, let form): key = (path, form)
        case .between(.property(let path), .constant, .constant, let form): key = (path, form)
        // Every element costs a range, every row a test.
        case .isIn(.property(let path), let elements, let form) where elements.count < rows.count: key = (path, form)
        case .text(.property(let path), .beginsWith, .constant, let form) where !form.isCollated:
            key = (path, form)
        case .not(let part): return rangeKey(of: part)
        case .and(let parts), .or(let parts):
            let keys = parts.map(rangeKey)
            guard let first = keys.first ?? nil, keys.allSatisfy({ $0.map { $0 == first } ?? false }) else {
                return nil
            }
            return first
        default: return nil
        }
        return key.0.related == nil && key.0.type.isOrdered ? key : nil
    }

    private func candidates(ofPart part: TypedPredicate) -> Set<RowID>? {
        switch part {
        case .constant(false): return []
        case .comparison(let left, .equal, let right, let form):
            return candidates(left, equalTo: right, form: form) ?? candidates(right, equalTo: left, form: form)
        case .isIn(let expression, let elements, let form):
            // Every element costs a look-up, every row a test.
            guard elements.count < rows.count else { return nil }
            var found: Set<RowID> = []
            for element in elements {
                guard let some = candidates(expression, equalTo: element, form: form) else { return nil }
                found.formUnion(some)
            }
            return found
        default: return nil
        }
    }

    private func candidates(
        _ expression: TypedExpression, equalTo other: TypedExpression, form: StringForm
    ) -> Set<RowID>? {
        guard let value = other.constant else { return nil }
        switch expression {
        case .identifier:
            guard case .uint(let row) = value else { return nil }
            return rows[row] == nil ? [] : [row]
        case .property(let path) where path.related == nil && Self.isFound(value, type: path.type, form: form):
            return rows(with: value, at: path)
        default: return nil
        }
    }

    /// Whether rows whose value equals this one in a predicate have it as their `Value`: not so where numbers of other
    /// types, or strings that only fold to the same, are equal too.
    private static func isFound(_ value: Value, type: ValueType, form: StringForm) -> Bool {
        switch value {
        case .null, .bool, .date, .uuid, .data: true
        case .string: form == .exact && type == .string
        case .int: type.isSignedInteger
        case .uint: type.isUnsignedInteger
        default: false
        }
    }
}
