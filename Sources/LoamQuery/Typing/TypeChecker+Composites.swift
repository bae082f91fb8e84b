import LoamStorage

/// Structures, arrays and dictionaries: they are compared as wholes, with values of the same type.
///
/// They are equal where all that is stored of them is. Values are compared, not bytes, which are not the same for equal
/// texts, decimals and dictionaries.
extension TypeChecker {
    /// Both sides of a comparison, of which at least one is written as a composite value.
    func compared(
        _ left: QueryExpression, with right: QueryExpression, in predicate: QueryPredicate
    ) throws(QueryError) -> [TypedExpression] {
        guard !left.isCompositeLiteral else {
            guard !right.isCompositeLiteral else {
                throw mismatch("two lists are not compared with each other", part: predicate)
            }
            return try compared(right, with: left, in: predicate).reversed()
        }
        let value = try typed(left, beside: nil)
        guard value.isComposite, let type = value.type else {
            throw mismatch(
                "\(value) is of type \(value.type?.description ?? "nil"), and no array or structure", part: predicate)
        }
        return [value, .constant(try storable(constant(right, as: type, in: predicate), in: predicate))]
    }

    /// A value of a composite type: written down, or what a path leads to.
    func composite(
        _ expression: QueryExpression, as type: ValueType, in predicate: QueryPredicate
    ) throws(QueryError) -> TypedExpression {
        if expression.isCompositeLiteral {
            return .constant(try storable(constant(expression, as: type, in: predicate), in: predicate))
        }
        let value = try typed(expression, beside: nil)
        if value.constant?.isNull != true, value.type?.isLike(type) != true {
            throw mismatch("\(value) is no value of type \(type)", part: predicate)
        }
        return value
    }

    /// The same value, which programs have in the encoding that records have.
    ///
    /// - Throws: ``QueryError`` for one that no record can hold: it would be nil to a program.
    private func storable(_ value: Value, in predicate: QueryPredicate) throws(QueryError) -> Value {
        do {
            _ = try CompositeCodec.encode(value)
            return value
        } catch {
            if case .valueTooDeep(let limit) = (error as? StorageError)?.kind {
                throw QueryError(.valueTooDeep(limit: limit))
            }
            throw mismatch("a value that no row can have is compared with one", part: predicate)
        }
    }

    /// A value that is written down, as one of a type: its parts take the types that they have there.
    private func constant(
        _ expression: QueryExpression, as type: ValueType, in predicate: QueryPredicate
    ) throws(QueryError) -> Value {
        switch (expression.withoutOuter, type) {
        case (.constant(.null), _): return .null
        case (.list(let elements), .array(let element, _)):
            var values: [Value] = []
            for part in elements { values.append(try constant(part, as: element, in: predicate)) }
            return .array(values)
        case (.constant(.array(let elements)), .array(let element, _)):
            var values: [Value] = []
            for part in elements { values.append(try constant(.constant(part), as: element, in: predicate)) }
            return .array(values)
        case (.constant(.dictionary(let pairs)), .dictionary(let keyType, let valueType, _)):
            var values: [Value: Value] = [:]
            for (key, value) in pairs {
                let key = try constant(.constant(key), as: keyType, in: predicate)
                values[key] = try constant(.constant(value), as: valueType, in: predicate)
            }
            guard Set(values.keys.map(\.asKey)).count == pairs.count else {
                throw mismatch("a dictionary with one key twice is compared with one", part: predicate)
            }
            return .dictionary(values)
        case (.constant(.structure(let parts)), .structure(let members)):
            var values: [String: Value] = [:]
            for (name, value) in parts {
                guard let member = members.first(where: { $0.name == name }) else {
                    throw mismatch("a structure without a member \(name) is compared with one", part: predicate)
                }
                values[name] = try constant(.constant(value), as: member.type, in: predicate)
            }
            return .structure(values)
        case (.list, _), (.constant(.array), _), (.constant(.dictionary), _), (.constant(.structure), _):
            throw mismatch("a value of type \(type) is compared with another kind of value", part: predicate)
        default:
            guard expression.isLiteral, type.isOrdered, case .constant(let value) = try typed(expression, beside: type)
            else { throw mismatch("what a list has is constant, of type \(type) here", part: predicate) }
            try requireComparable([type, value.scalarType].compactMap { $0 }, in: predicate)
            return value
        }
    }

    /// Throws where composite values of several types, or of one and a single value, are compared.
    func requireOneType(_ parts: [TypedExpression], in predicate: QueryPredicate) throws(QueryError) {
        let values = parts.filter { $0.constant?.isNull != true }
        guard let first = values.first?.type else { return }
        for value in values.dropFirst() where value.type?.isLike(first) != true {
            let other = value.type?.description ?? "another type"
            throw mismatch("\(first) and \(other) cannot be compared", part: predicate)
        }
    }
}

extension QueryExpression {
    /// Whether it is written as a list, or is a captured array, dictionary or structure.
    var isCompositeLiteral: Bool {
        switch withoutOuter {
        case .constant(let value): value.isComposite
        case .list: true
        default: false
        }
    }
}

extension ValueType {
    /// Whether values of another type can be equal to those of this one: nils may be among one's elements.
    func isLike(_ other: ValueType) -> Bool {
        switch (self, other) {
        case (.array(let left, _), .array(let right, _)): left.isLike(right)
        case (.dictionary(let leftKey, let left, _), .dictionary(let rightKey, let right, _)):
            leftKey.isLike(rightKey) && left.isLike(right)
        case (.structure(let left), .structure(let right)):
            left.count == right.count
                && left.allSatisfy { member in
                    right.contains { $0.name == member.name && $0.type.isLike(member.type) }
                }
        default: self == other || (isNumeric && other.isNumeric)
        }
    }
}
