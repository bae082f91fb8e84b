import LoamStorage

extension Filter {
    /// - Throws: ``QueryError`` for a malformed pattern.
    init(_ predicate: TypedPredicate) throws {
        switch predicate {
        case .constant(let value): self = .constant(value)
        case .and(let parts): self = .all(try parts.map(Filter.init))
        case .or(let parts): self = .any(try parts.map(Filter.init))
        case .not(let part): self = .not(try Filter(part))
        case .comparison(.property(let path), let comparison, .constant(let value), let form):
            self = try Self.comparison(path, comparison: comparison, value: value, form: form) ?? .general(predicate)
        case .between(.property(let path), .constant(let lower), .constant(let upper), let form):
            guard let above = try Self.comparison(path, comparison: .greaterOrEqual, value: lower, form: form),
                let below = try Self.comparison(path, comparison: .lessOrEqual, value: upper, form: form)
            else {
                self = .general(predicate)
                return
            }
            self = .all([above, below])
        case .isIn(.property(let path), let elements, let form) where elements.areConstants:
            self = Self.membership(path, elements: elements, form: form)
        case .isIn(.identifier, let elements, let form) where elements.areConstants:
            self = .identifier(Self.lookup(elements, type: .uint64, form: form))
        case .text(.property(let path), let text, .constant(let value), let form):
            guard case .string(let pattern) = value else {
                self = .constant(false)
                return
            }
            self = .text(FilterPath(path), try TextMatcher(text, operand: pattern, form: form))
        default: self = .general(predicate)
        }
    }

    /// The filter that matches where all of these predicates hold. They are tested in this order, up to the first that
    /// does not.
    init(all predicates: [TypedPredicate]) throws {
        self = predicates.isEmpty ? .constant(true) : try .init(TypedPredicate.all(predicates))
    }

    private static func comparison(
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
            return try self.comparison(path, comparison: .equal, value: value, form: form).map(Filter.not)
        }
        if path.type.isNumeric { return number(path, comparison: comparison, value: value) }
        switch (value, comparison) {
        case (.date(let date), _): return .floating(FilterPath(path), comparison, date.seconds)
        case (.string(let text), _): return .text(FilterPath(path), TextMatcher(comparison, operand: text, form: form))
        case (.uuid, .equal), (.bool, .equal), (.data, .equal):
            return .oneOf(FilterPath(path), ValueLookup([value], type: path.type, form: .exact))
        default: return nil
        }
    }

    /// The comparison with a number, made in the property's own type, by the same rules as a range of an index over the
    /// property. Nil where the property is a decimal.
    private static func number(_ path: PropertyPath, comparison: ComparisonOperator, value: Value) -> Filter? {
        guard path.type != .decimal else { return nil }
        switch NumericBound.bound(path.type, comparison: comparison.bound, constant: value) {
        case .never: return .constant(false)
        case .compare(let bound, .int(let value)): return .signed(FilterPath(path), bound.comparison, value)
        case .compare(let bound, .uint(let value)): return .unsigned(FilterPath(path), bound.comparison, value)
        case .compare(let bound, .double(let value)): return .floating(FilterPath(path), bound.comparison, value)
        case .compare(let bound, .float(let value)):
            return .floating(FilterPath(path), bound.comparison, Double(value))
        default: return nil
        }
    }

    private static func membership(_ path: PropertyPath, elements: ElementList, form: StringForm) -> Filter {
        let values = lookup(elements, type: path.type, form: form)
        let field = FilterPath(path)
        guard path.type == .string else { return .oneOf(field, values) }
        let isOne = Filter.text(field, TextMatcher(oneOf: values.strings))
        return values.hasNil ? .any([.isNull(field), isOne]) : isOne
    }

    private static func lookup(_ elements: ElementList, type: ValueType, form: StringForm) -> ValueLookup {
        elements.lookup ?? ValueLookup(elements.constants ?? [], type: type, form: form)
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
