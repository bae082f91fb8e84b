import Foundation
import LoamStorage

extension TypedPredicate: CustomStringConvertible {
    /// The predicate in format grammar; checked against the same entity it means the same.
    package var description: String { source.description }

    /// The tree that this one was checked from, constants written as their neighbours read them.
    var source: QueryPredicate {
        switch self {
        case .constant(let value): .constant(value)
        case .comparison(let left, let comparison, let right, let form):
            .comparison(
                left.source(beside: right), comparison, right.source(beside: left), StringOptions(form: form))
        case .text(let left, let text, let right, let form):
            .text(left.source(beside: nil), text, right.source(beside: nil), StringOptions(form: form))
        case .between(let value, let lower, let upper, let form):
            .between(
                value.source(beside: lower), lower.source(beside: value), upper.source(beside: value),
                StringOptions(form: form))
        case .isIn(let value, let elements, let form):
            .isIn(
                value.source(beside: elements.first { $0.constant == nil }),
                .list(elements.map { $0.source(beside: value) }), StringOptions(form: form))
        case .hasElement(let path, let element, let form):
            .isIn(element.source(type: path.elementType), .keyPath(path.names), StringOptions(form: form))
        case .and(let parts): .and(parts.map(\.source))
        case .or(let parts): .or(parts.map(\.source))
        case .not(let part): .not(part.source)
        case .existsElement(let array, let predicate): Self.source(array, predicate: predicate)
        case .exists(let hops, let predicate): Self.source(hops, predicate: predicate)
        }
    }

    /// The predicate of a count; nil where all will do.
    fileprivate var condition: QueryPredicate? { self == .constant(true) ? nil : source }

    /// IN where it looks for one value, else a count.
    private static func source(_ array: TypedExpression, predicate: TypedPredicate) -> QueryPredicate {
        if case .comparison(.property(let element), .equal, let value, let form) = predicate, element.isElement,
            let value = value.source(type: element.type).peeled
        {
            return .isIn(value, array.source(type: nil), StringOptions(form: form))
        }
        switch array.source(type: nil) {
        case .keyPath(let names): return .any(names, predicate: predicate.source)
        case let array: return .any(in: array, predicate: predicate.source)
        }
    }

    /// ANY before a comparison where it can be written so, else a count.
    private static func source(_ hops: [RelationHop], predicate: TypedPredicate) -> QueryPredicate {
        if case .hasElement(let path, let element, let form) = predicate,
            !hops.contains(where: { $0.relationship.isToMany }),
            let value = element.source(type: path.elementType).peeled
        {
            return .isIn(value, .keyPath(hops.names + path.names), StringOptions(form: form))
        }
        let inner = predicate.source
        guard predicate != .constant(true) else {
            return .comparison(.count(hops.names, where: nil), .greater, .number(NumberLiteral(0 as Int64)), .none)
        }
        return inner.quantifiedAny(behind: hops.names) ?? .any(hops.names, predicate: inner)
    }
}

extension TypedExpression: CustomStringConvertible {
    /// The expression in format grammar.
    package var description: String { source(beside: nil).description }

    fileprivate func source(beside other: TypedExpression?) -> QueryExpression {
        source(type: other.flatMap { $0.constant == nil ? $0.type : nil })
    }

    fileprivate func source(type: ValueType?) -> QueryExpression {
        switch self {
        case .constant(let value): value.source(type: type)
        case .property(let path): path.isElement ? .identifier : .keyPath(path.names)
        case .identifier: .identifier
        case .call(let function, let arguments):
            .call(function.function, arguments.all.map { $0.source(type: $0.constant == nil ? type : function.type) })
        case .related(let hops, let expression): expression.source(type: type).behind(hops.names)
        case .reference(let hop): .keyPath([hop.relationship.name])
        case .count(let hops, let predicate): .count(hops.names, where: predicate?.source)
        case .conditional(let predicate, let first, let second):
            .conditional(
                predicate.source, first.source(type: second.constant == nil ? second.type : nil),
                second.source(type: first.constant == nil ? first.type : nil))
        case .aggregate(let aggregate): aggregate.source
        case .outer(let expression): expression.source(type: type).outside(1)
        }
    }
}

extension TypedExpression {
    /// The path that begins at the row which the expression is the id of.
    fileprivate func source(path names: [String]) -> QueryExpression {
        switch self {
        case .outer(let expression): expression.source(path: names).outside(1)
        case .identifier: .keyPath(names)
        default: names.reduce(source(type: nil)) { .call(.element, [$0, .constant(.string($1))]) }
        }
    }
}

extension TypedAggregate {
    fileprivate var source: QueryExpression {
        switch collection {
        case .list(let values): .aggregate(aggregate, of: .list(values.map { $0.source(type: nil) }))
        case .elements(let array, .constant(true)) where aggregate.isEnd && member == nil:
            .call(aggregate == .first ? .first : .last, [array.source(type: nil)])
        case .elements(let array, let predicate):
            source(array.source(type: nil), where: array.isArray ? predicate.condition : predicate.source)
        case .rows(let hops, let predicate, let value, let start) where aggregate.isEnd:
            endRow(
                of: (start ?? .identifier).source(path: hops.names), where: predicate.condition,
                members: value.source(type: nil).names)
        case .rows(let hops, let predicate, let value, nil):
            source(hops.names, where: predicate.condition, value: value.source(type: nil))
        case .rows(let hops, let predicate, let value, let start?):
            .aggregate(
                aggregate,
                of: .elements(
                    start.source(path: hops.names), where: predicate.condition, members: value.source(type: nil).names))
        }
    }

    /// The first or the last of the rows that a path leads to, or what names lead to from there.
    private func endRow(
        of path: QueryExpression, where condition: QueryPredicate?, members: [String]
    ) -> QueryExpression {
        let row: QueryExpression =
            switch (path, condition) {
            case (_, nil): .call(aggregate == .first ? .first : .last, [path])
            case (.keyPath(let names), let condition?):
                .aggregate(aggregate, of: .rows(names, where: condition, value: .identifier))
            case (_, let condition?): .aggregate(aggregate, of: .elements(path, where: condition))
            }
        return members.reduce(row) { .call(.element, [$0, .constant(.string($1))]) }
    }

    /// - Parameter condition: never nil for a text and for data, of which only a subquery makes an aggregate.
    private func source(_ array: QueryExpression, where condition: QueryPredicate?) -> QueryExpression {
        guard case .keyPath(let names) = array else {
            return .aggregate(aggregate, of: .elements(array, where: condition, members: member?.members ?? []))
        }
        return source(names, where: condition, value: member.map { .keyPath($0.members) } ?? .identifier)
    }

    private func source(
        _ names: [String], where condition: QueryPredicate?, value: QueryExpression
    ) -> QueryExpression {
        if aggregate == .count, value == .identifier { return .count(names, where: condition) }
        if let condition { return .aggregate(aggregate, of: .rows(names, where: condition, value: value)) }
        if case .keyPath(let rest) = value { return .aggregate(aggregate, of: .path(names + rest)) }
        return .aggregate(aggregate, of: .path(names))
    }
}

extension QueryExpression {
    /// The names of a key path; none for anything else.
    fileprivate var names: [String] {
        if case .keyPath(let names) = self { names } else { [] }
    }

    /// The expression at the end of a path.
    fileprivate func behind(_ names: [String]) -> QueryExpression {
        switch self {
        case .keyPath(let rest): .keyPath(names + rest)
        case .identifier: .keyPath(names)
        default: self
        }
    }

    /// The expression one count further out; nil where it reads something inside.
    fileprivate var peeled: QueryExpression? {
        switch self {
        case .constant, .number: return self
        case .list(let elements):
            let peeled = elements.compactMap(\.peeled)
            return peeled.count == elements.count ? .list(peeled) : nil
        case .outer(let expression): return expression
        case .call(let function, let arguments):
            let peeled = arguments.compactMap(\.peeled)
            return peeled.count == arguments.count ? .call(function, peeled) : nil
        default: return nil
        }
    }
}

extension QueryPredicate {
    fileprivate func quantifiedAny(behind names: [String]) -> QueryPredicate? {
        switch left {
        case .keyPath?, .identifier?: break
        default: return nil
        }
        var isPeelable = true
        let peeled = replacingLeft(.constant(.null)).mapped {
            guard let peeled = $0.peeled else {
                isPeelable = false
                return $0
            }
            return peeled
        }
        guard isPeelable, let left else { return nil }
        return .quantified(.any, peeled.replacingLeft(left.behind(names)))
    }
}

extension Value {
    /// A bare number where the neighbour's type makes it this very value again, else the literal with its cast.
    fileprivate func source(type: ValueType?) -> QueryExpression {
        let text: String? =
            switch self {
            case .double(let value) where value.isFinite: "\(value)"
            case .float(let value) where value.isFinite: "\(value)"
            case .decimal(let value) where !value.isNaN: value.description
            default: nil
            }
        if let text, let type, let literal = NumberLiteral(text), NumberTyping.value(of: literal, beside: type) == self
        {
            return .number(literal)
        }
        switch self {
        case .int(let value): return .number(NumberLiteral(value))
        case .uint(let value): return .number(NumberLiteral(value))
        default: return .constant(self)
        }
    }
}
