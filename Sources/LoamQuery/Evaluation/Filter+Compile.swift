import LoamStorage

extension Filter {
    /// - Parameter isInside: whether it is a predicate about rows of another one, whose row it may read.
    /// - Throws: ``QueryError`` for a malformed pattern.
    init(_ predicate: TypedPredicate, isInside: Bool = false) throws {
        switch predicate {
        case .constant(let value): self = .constant(value)
        case .and(let parts): self = .all(try parts.map { try Filter($0, isInside: isInside) })
        case .or(let parts): self = .any(try parts.map { try Filter($0, isInside: isInside) })
        case .not(let part): self = .not(try Filter(part, isInside: isInside))
        default:
            let test = try Self.test(predicate)
            let reference = isInside ? nil : predicate.onlyReference
            self = reference.map { .remembered(FilterPath($0), test) } ?? test
        }
    }

    /// The filter that matches where all of these predicates hold. They are tested in this order, up to the first that
    /// does not.
    init(all predicates: [TypedPredicate]) throws {
        self = predicates.isEmpty ? .constant(true) : try .init(TypedPredicate.all(predicates))
    }

    /// A predicate that is not made of others about the same row.
    private static func test(_ predicate: TypedPredicate) throws -> Filter {
        switch predicate {
        case .comparison(let left, let comparison, let right, let form):
            return try self.comparison(left, comparison: comparison, right: right, form: form)
        case .between(let value, let lower, let upper, let form):
            guard case .property = value, lower.isConstant, upper.isConstant else {
                return .between(value, lower, upper, form)
            }
            return .all([
                try self.comparison(value, comparison: .greaterOrEqual, right: lower, form: form),
                try self.comparison(value, comparison: .lessOrEqual, right: upper, form: form),
            ])
        case .isIn(let value, let elements, let form):
            guard elements.areConstants else { return .isAny(value, elements, form) }
            return membership(value, elements: elements, form: form)
        case .text(let left, let text, .constant(let value), let form):
            guard case .string(let pattern) = value else {
                return value.isNull ? .constant(false) : .texts(left, text, .constant(value), form)
            }
            return self.text(left, try TextMatcher(text, operand: pattern, form: form))
        case .text(let left, let text, let right, let form): return .texts(left, text, right, form)
        case .hasElement(let path, let element, let form): return .hasElement(FilterPath(path), element, form)
        case .exists(let hops, let inner): return .exists(hops, inner)
        case .existsElement(let array, let inner): return .existsElement(array, inner)
        default: return .general(predicate)
        }
    }

    private static func comparison(
        _ left: TypedExpression, comparison: ComparisonOperator, right: TypedExpression, form: StringForm
    ) throws -> Filter {
        if left.isConstant, !right.isConstant {
            return try self.comparison(right, comparison: comparison.mirrored, right: left, form: form)
        }
        guard case .constant(let value) = right else { return .comparison(left, comparison, right, form) }
        if case .property(let path) = left,
            let test = try direct(path, comparison: comparison, value: value, form: form)
        {
            return test
        }
        if comparison == .notEqual {
            return .not(try self.comparison(left, comparison: .equal, right: right, form: form))
        }
        guard case .string(let operand) = value, left.type == .string else {
            return .comparison(left, comparison, right, form)
        }
        return .computedText(left, TextMatcher(comparison, operand: operand, form: form))
    }

    /// A comparison of a property with a constant, where it is made from the record's bytes.
    private static func direct(
        _ path: PropertyPath, comparison: ComparisonOperator, value: Value, form: StringForm
    ) throws -> Filter? {
        if value.isNull {
            switch comparison {
            case .equal: return .isNull(FilterPath(path))
            case .notEqual: return .not(.isNull(FilterPath(path)))
            default: return .constant(false)
            }
        }
        if value.isNaN { return .constant(comparison == .notEqual) }
        if comparison == .notEqual {
            return try direct(path, comparison: .equal, value: value, form: form).map(Filter.not)
        }
        if path.type.isNumeric { return number(path, comparison: comparison, value: value) }
        switch value {
        case .date(let date): return .floating(FilterPath(path), comparison, date.seconds)
        case .string(let text): return .text(FilterPath(path), TextMatcher(comparison, operand: text, form: form))
        default: return nil
        }
    }

    /// The comparison with a number, made in the property's own type, by the same rules as a range of an index over the
    /// property. Nil where it holds for all numbers.
    private static func number(_ path: PropertyPath, comparison: ComparisonOperator, value: Value) -> Filter? {
        switch NumericBound.bound(path.type, comparison: comparison.bound, constant: value) {
        case .never: .constant(false)
        case .compare(let bound, .int(let value)): .signed(FilterPath(path), bound.comparison, value)
        case .compare(let bound, .uint(let value)): .unsigned(FilterPath(path), bound.comparison, value)
        case .compare(let bound, .double(let value)): .floating(FilterPath(path), bound.comparison, value)
        case .compare(let bound, .float(let value)): .floating(FilterPath(path), bound.comparison, Double(value))
        case .compare(let bound, .decimal(let value)):
            .comparison(.property(path), bound.comparison, .constant(.decimal(value)), .exact)
        default: nil
        }
    }

    private static func text(_ value: TypedExpression, _ matcher: TextMatcher) -> Filter {
        if case .property(let path) = value { return .text(FilterPath(path), matcher) }
        return .computedText(value, matcher)
    }

    private static func membership(_ value: TypedExpression, elements: ElementList, form: StringForm) -> Filter {
        if case .identifier = value { return .identifier(lookup(elements, type: .uint64, form: form)) }
        let values = lookup(elements, type: value.type, form: form)
        guard case .property(let path) = value, path.type == .string else { return .isOne(value, values) }
        let isOne = Filter.text(FilterPath(path), TextMatcher(oneOf: values.strings))
        return values.hasNil ? .any([.isNull(FilterPath(path)), isOne]) : isOne
    }

    private static func lookup(_ elements: ElementList, type: ValueType?, form: StringForm) -> ValueLookup {
        elements.lookup ?? ValueLookup(elements.constants ?? [], type: type, form: form)
    }
}

extension TypedPredicate {
    /// The reference on which alone the result depends, where it reads other rows.
    fileprivate var onlyReference: PropertyPath? {
        guard readsRelations, !readsIdentifier else { return nil }
        return onlyPath
    }
}

extension NumericBound.Comparison {
    var comparison: ComparisonOperator {
        switch self {
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .equal: .equal
        case .greaterOrEqual: .greaterOrEqual
        case .greater: .greater
        }
    }
}
