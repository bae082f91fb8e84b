import Foundation
package import LoamStorage

/// Checks a predicate against an entity: looks up key paths, and gives every literal the type of what it meets.
///
/// A string beside a date is read as ISO 8601, beside a UUID, URL or decimal as one. What cannot be compared is refused
/// here, so that no row ever meets it.
package struct TypeChecker {
    let entity: Entity
    let schema: Schema
    /// What a predicate over the elements of an array calls the element; nil in one over rows.
    let element: PropertyPath?
    /// The checkers of the rows around, for a predicate inside a count; outermost first.
    let around: [TypeChecker]
    /// The time that `now()` is, everywhere in the predicate.
    let now: Date

    /// - Parameter schema: where relationships lead to.
    package init(entity: Entity, schema: Schema? = nil) {
        self.init(entity: entity, schema: schema ?? Schema(entities: [entity]), around: [], now: Date())
    }

    init(entity: Entity, schema: Schema, element: PropertyPath? = nil, around: [TypeChecker], now: Date) {
        self.entity = entity
        self.schema = schema
        self.element = element
        self.around = around
        self.now = now
    }

    /// Linear in the predicate's size, but for texts in errors.
    ///
    /// - Throws: ``QueryError`` naming the part that does not fit, and for a predicate that nests too deep.
    package func check(_ predicate: QueryPredicate) throws(QueryError) -> TypedPredicate {
        try TreeDepth.check(predicate)
        return try checked(predicate)
    }

    /// The typed form of a predicate whose depth is known to be within the limits.
    func checked(_ predicate: QueryPredicate) throws(QueryError) -> TypedPredicate {
        switch predicate {
        case .constant(let value): return .constant(value)
        case .and(let parts): return .and(try checked(all: parts))
        case .or(let parts): return .or(try checked(all: parts))
        case .not(let part): return .not(try checked(part))
        case .comparison(let left, let comparison, let right, let options):
            return try self.comparison(left, comparison: comparison, right: right, options: options, in: predicate)
        case .between(let value, let lower, let upper, let options):
            let parts = try unified([value, lower, upper], in: predicate)
            try requireOrder(parts, in: predicate)
            return .between(parts[0], parts[1], parts[2], parts.form(options.orderForm))
        case .isIn(let value, let collection, let options):
            return try membership(of: value, in: collection, options: options, predicate: predicate)
        case .text(let left, let text, let right, let options):
            return try self.text(left, text: text, right: right, options: options, in: predicate)
        case .quantified(let quantifier, let part): return try quantified(quantifier, part: part, in: predicate)
        }
    }

    private func checked(all parts: [QueryPredicate]) throws(QueryError) -> [TypedPredicate] {
        var checked: [TypedPredicate] = []
        for part in parts { checked.append(try self.checked(part)) }
        return checked
    }

    private func comparison(
        _ left: QueryExpression, comparison: ComparisonOperator, right: QueryExpression, options: StringOptions,
        in predicate: QueryPredicate
    ) throws(QueryError) -> TypedPredicate {
        if left.isCompositeLiteral || right.isCompositeLiteral {
            let parts = try compared(left, with: right, in: predicate)
            if comparison.isOrdering { try requireOrder(parts, in: predicate) }
            return .comparison(parts[0], comparison, parts[1], .exact)
        }
        let parts = try unified([left, right], in: predicate)
        if comparison.isOrdering { try requireOrder(parts, in: predicate) }
        let form = comparison.isOrdering ? options.orderForm : options.form
        return .comparison(parts[0], comparison, parts[1], parts.form(form))
    }

    private func membership(
        of value: QueryExpression, in collection: QueryExpression, options: StringOptions, predicate: QueryPredicate
    ) throws(QueryError) -> TypedPredicate {
        switch collection {
        case .list(let elements) where elements.contains(where: \.isCompositeLiteral):
            var found: [TypedPredicate] = []
            for element in elements {
                found.append(
                    try comparison(value, comparison: .equal, right: element, options: options, in: predicate))
            }
            return .or(found)
        case .constant(.array(let values)) where values.contains(where: \.isComposite):
            let list = QueryExpression.list(values.map(QueryExpression.constant))
            return try membership(of: value, in: list, options: options, predicate: predicate)
        case .list(let elements):
            let parts = try unified([value] + elements, in: predicate)
            return Self.membership(parts, options: options)
        case .constant(.array(let values)):
            let parts = try unified([value] + values.map(QueryExpression.constant), in: predicate)
            return Self.membership(parts, options: options)
        case .constant(.string):
            return try text(collection, text: .contains, right: value, options: options, in: predicate)
        case .keyPath(let names):
            if let found = try membership(of: value, at: names, options: options, predicate: predicate) { return found }
            return try text(collection, text: .contains, right: value, options: options, in: predicate)
        default:
            let array = try typed(collection, beside: nil)
            if array.isArray { return try element(value, of: array, options: options, in: predicate) }
            guard array.type == .string else {
                throw mismatch("IN takes a list in braces, an array or a string", part: predicate)
            }
            return try text(collection, text: .contains, right: value, options: options, in: predicate)
        }
    }

    /// - Parameter parts: the value, then the elements.
    private static func membership(_ parts: [TypedExpression], options: StringOptions) -> TypedPredicate {
        let (value, form) = (parts[0], parts.form(options.form))
        if parts.contains(where: \.isComposite) {
            return .or(parts.dropFirst().map { .comparison(value, .equal, $0, .exact) })
        }
        return .isIn(value, ElementList(parts.dropFirst(), besides: value.type, form: form), form)
    }

    /// Membership in the array or among the related rows that a path leads to; nil where it leads to a string.
    private func membership(
        of value: QueryExpression, at names: [String], options: StringOptions, predicate: QueryPredicate
    ) throws(QueryError) -> TypedPredicate? {
        let (hops, rest, end) = try resolve(names)
        if rest.isEmpty, hops.last?.relationship.isToMany == true { return try member(value, of: hops, end: end) }
        if hops.contains(where: { $0.relationship.isToMany }) {
            let part = QueryPredicate.comparison(.keyPath(names), .equal, value, options)
            return try ends(names, where: part, negated: false, in: predicate)
        }
        guard !hops.isEmpty else {
            let path = try property(names)
            return path.type == .string ? nil : try element(value, of: path, options: options, in: predicate)
        }
        guard case .related(_, .property(let path)) = try keyPath(names), path.type != .string else { return nil }
        return .exists(hops, try inside(end).element(value.outer, of: path, options: options, in: predicate))
    }

    private func element(
        _ value: QueryExpression, of path: PropertyPath, options: StringOptions, in predicate: QueryPredicate
    ) throws(QueryError) -> TypedPredicate {
        guard let elementType = path.elementType else {
            guard case .array(let type, _) = path.type else {
                throw mismatch("\(path) is of type \(path.type), which has no elements", part: predicate)
            }
            return .hasElement(path, try composite(value, as: type, in: predicate), .exact)
        }
        let element = try typed(value, beside: elementType)
        try requireComparable([elementType, element.type].compactMap { $0 }, in: predicate)
        return .hasElement(path, element, elementType == .string ? options.form : .exact)
    }

    /// Membership in an array that is no attribute of the row.
    private func element(
        _ value: QueryExpression, of array: TypedExpression, options: StringOptions, in predicate: QueryPredicate
    ) throws(QueryError) -> TypedPredicate {
        let inside = try inside(array)
        return .existsElement(array, try inside.checked(.comparison(.identifier, .equal, value.outside(1), options)))
    }

    private func text(
        _ left: QueryExpression, text: TextOperator, right: QueryExpression, options: StringOptions,
        in predicate: QueryPredicate
    ) throws(QueryError) -> TypedPredicate {
        if text == .contains, case .keyPath(let names) = left {
            let hops = try resolve(names).hops
            var isCollection = hops.contains { $0.relationship.isToMany }
            if !isCollection {
                let array = try typed(left, beside: nil)
                if let run = try run(of: right, in: array, text: text, options: options, predicate: predicate) {
                    return run
                }
                isCollection = array.isArray
            }
            if isCollection, let found = try membership(of: right, at: names, options: options, predicate: predicate) {
                return found
            }
        }
        if let run = try run(of: right, inLiteral: left, text: text, options: options, predicate: predicate) {
            return run
        }
        let string = try typed(left, beside: .string)
        if let run = try run(of: right, in: string, text: text, options: options, predicate: predicate) { return run }
        if text == .contains, string.isArray {
            return try element(right, of: string, options: options, in: predicate)
        }
        let pattern = try typed(right, beside: .string)
        for type in [string.type, pattern.type].compactMap({ $0 }) where type != .string {
            throw mismatch("\(text.rawValue) applies to strings, not to \(type)", part: predicate)
        }
        if text == .matches {
            guard let constant = pattern.constant else {
                throw QueryError(.unsupported("MATCHES with a pattern that is no constant"), part: "\(predicate)")
            }
            if case .string(let source) = constant {
                _ = try TextMatcher(.matches, operand: source, form: options.form)
            }
        }
        return .text(string, text, pattern, options.form)
    }

    /// Types all `parts`, which are compared with each other: literals take the type of what is not one.
    private func unified(
        _ parts: [QueryExpression], in predicate: QueryPredicate
    ) throws(QueryError) -> [TypedExpression] {
        let parts = try typedTogether(parts, beside: nil)
        if parts.contains(where: { $0.isComposite }) {
            try requireOneType(parts, in: predicate)
            return parts
        }
        try requireComparable(parts.compactMap(\.type), in: predicate)
        return parts
    }

    func requireComparable(_ types: [ValueType], in predicate: QueryPredicate) throws(QueryError) {
        guard let first = types.first else { return }
        for type in types where !(type == first || (type.isNumeric && first.isNumeric)) {
            throw mismatch("\(first) and \(type) cannot be compared", part: predicate)
        }
    }

    func requireOrder(_ parts: [TypedExpression], in predicate: QueryPredicate) throws(QueryError) {
        for part in parts where part.isReference {
            throw mismatch("\(part) is a row, and rows have no order", part: predicate)
        }
        for part in parts where part.type == .bool || part.isComposite {
            throw mismatch("values of type \(part.type?.description ?? "collection") have no order", part: predicate)
        }
    }

    func mismatch(_ why: String, part: QueryPredicate) -> QueryError {
        QueryError(.typeMismatch(why), part: part.description)
    }
}

extension [TypedExpression] {
    /// The form in which they are compared: only strings have several.
    fileprivate func form(_ form: StringForm) -> StringForm {
        lazy.compactMap(\.type).first == .string ? form : .exact
    }
}

extension PropertyPath {
    var isArray: Bool {
        if case .array = type { true } else { false }
    }

    /// The type of an array's elements where they are single values; nil for anything else.
    var elementType: ValueType? {
        if case .array(let element, _) = type, element.isOrdered { element } else { nil }
    }
}
