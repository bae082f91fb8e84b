import LoamQuery
import LoamStorage

/// What an expression of a predicate becomes: a value, or several, each under a condition.
///
/// At most one condition holds; `??` and `?:` are where they come from. Where none does, the expression has no value,
/// and what is made of it is false.
struct Lowered {
    private var content: Content

    /// Nearly every expression has one value: an array for it would be on the heap.
    private enum Content {
        case one(LoweredValue)
        case several([Case])
    }

    struct Case {
        /// The condition; nil where it always holds.
        var condition: QueryPredicate?
        var value: LoweredValue
    }

    init(_ value: LoweredValue) {
        content = .one(value)
    }

    init(cases: [Case]) {
        if let first = cases.first, cases.count == 1, first.condition == nil {
            content = .one(first.value)
        } else {
            content = .several(cases)
        }
    }

    var cases: [Case] {
        switch content {
        case .one(let value): [Case(condition: nil, value: value)]
        case .several(let cases): cases
        }
    }

    /// How many cases there are.
    var count: Int {
        switch content {
        case .one: 1
        case .several(let cases): cases.count
        }
    }

    /// The value, where there is only one.
    var value: LoweredValue? {
        if case .one(let value) = content { value } else { nil }
    }

    /// More cases than this are refused; a few operators with several cases each multiply them.
    static let limit = 256
}

/// One value of an expression.
enum LoweredValue {
    /// A value of Swift's, captured by the predicate.
    case constant(Any)
    case expression(QueryExpression)
    case predicate(QueryPredicate)
    /// A model: the row itself, or the end of to-one relationships.
    case row(LoweredPath, ModelType)
    /// The first or the last row of a to-many relationship, or a row that it leads to: what its identifier is.
    case end(QueryExpression, ModelType, store: String?)
    /// The rows of a to-many relationship, or those of them that a predicate holds for.
    case related(LoweredArray, ModelType, where: QueryPredicate?)
    /// Those elements of a stored array that a predicate holds for.
    case elements(LoweredArray, where: QueryPredicate)
    /// Captured values, each of them there where a condition on the row holds.
    case chosen([Choice])
    indirect case range(LoweredValue, LoweredValue, isClosed: Bool)
}

/// A captured value, and when it is there.
struct Choice {
    var value: Any
    var condition: QueryPredicate
}

/// Names from a row on, and how many counts lie between that row and the place where the path stands.
struct LoweredPath {
    var names: [String] = []
    var levels = 0
    /// The store that is asked, where it is known: identifiers of others are no row's.
    var store: String?

    func appending(_ name: String) -> LoweredPath {
        LoweredPath(names: names + [name], levels: levels, store: store)
    }

    /// The value at the end: the row's identifier where the path is empty.
    var expression: QueryExpression {
        let expression: QueryExpression = names.isEmpty ? .identifier : .keyPath(names)
        return expression.outside(levels)
    }
}

extension LoweredValue {
    /// The value one count further in.
    func outside(_ levels: Int) -> LoweredValue {
        guard levels > 0 else { return self }
        switch self {
        case .constant: return self
        case .expression(let expression): return .expression(expression.outside(levels))
        case .predicate(let predicate): return .predicate(predicate.outside(levels))
        case .row(var path, let model):
            path.levels += levels
            return .row(path, model)
        case .end(let row, let model, let store): return .end(row.outside(levels), model, store: store)
        case .related(let rows, let model, let condition):
            let (moved, test) = rows.outside(levels, where: condition)
            return .related(moved, model, where: test)
        case .elements(let array, let condition):
            let (moved, test) = array.outside(levels, where: condition)
            return .elements(moved, where: test ?? .constant(true))
        case .chosen(let choices):
            return .chosen(choices.map { Choice(value: $0.value, condition: $0.condition.outside(levels)) })
        case .range(let lower, let upper, let isClosed):
            return .range(lower.outside(levels), upper.outside(levels), isClosed: isClosed)
        }
    }

    /// Whether it is nil, whatever the row: what is computed of it is nil again, and no order or text holds for it.
    var isNil: Bool {
        if case .constant(let value) = self { ConstantValue.isNil(value) } else { false }
    }

    /// Whether it is the same for all rows: a captured value.
    var isConstant: Bool {
        if case .constant = self { true } else { false }
    }

    var isPredicate: Bool {
        if case .predicate = self { true } else { false }
    }

    /// Whether it is a model, which is compared by its identifier.
    var isRow: Bool {
        switch self {
        case .row, .end: true
        default: false
        }
    }

    /// Whether it is nil, as far as the rows decide it.
    func isNull() throws -> QueryPredicate {
        switch self {
        case .constant(let value): return .constant(ConstantValue.isNil(value))
        case .expression(let expression):
            return expression.isCount ? .constant(false) : .comparison(expression, .equal, .constant(.null), .none)
        case .row(let path, _):
            return path.names.isEmpty
                ? .constant(false) : .comparison(path.expression, .equal, .constant(.null), .none)
        case .end(let row, _, _): return .comparison(row, .equal, .constant(.null), .none)
        case .predicate, .range, .chosen: return .constant(false)
        case .elements(let array, _): return .comparison(array.expression, .equal, .constant(.null), .none)
        case .related(let rows, _, _):
            // The list itself is never nil; the model that it belongs to may be.
            guard let path = LoweredPath(rows.expression) else { return .constant(false) }
            let owner = LoweredPath(names: path.names.dropLast(), levels: path.levels)
            return owner.names.isEmpty
                ? .constant(false) : .comparison(owner.expression, .equal, .constant(.null), .none)
        }
    }

    /// - Throws: ``Unsupported`` for what is no single value.
    func expression() throws -> QueryExpression {
        switch self {
        case .constant(let value): return .constant(try ConstantValue.value(of: value))
        case .expression(let expression): return expression
        case .row(let path, _): return path.expression
        case .end(let row, _, _): return row
        case .predicate: throw Unsupported("the result of a comparison used as a value")
        case .related: throw Unsupported("a to-many relationship used as a value")
        case .elements: throw Unsupported("filtered elements used as a value")
        case .chosen: throw Unsupported("filtered captured values used as a value")
        case .range: throw Unsupported("a range used as a value")
        }
    }

    /// The value beside `other`, with which it is compared.
    func expression(beside other: LoweredValue) throws -> QueryExpression {
        guard case .constant(let value) = self else { return try expression() }
        switch other {
        case .row(let path, let model):
            return .constant(try ConstantValue.value(of: value, comparedWith: model, in: path.store))
        case .end(_, let model, let store):
            return .constant(try ConstantValue.value(of: value, comparedWith: model, in: store))
        default: return try expression()
        }
    }

    /// The value as a condition.
    func predicate() throws -> QueryPredicate {
        switch self {
        case .constant(let value): return .constant(ConstantValue.unwrapped(value) as? Bool ?? false)
        case .predicate(let predicate): return predicate
        case .expression(let expression): return .comparison(expression, .equal, .constant(.bool(true)), .none)
        case .row, .end, .related, .elements, .chosen, .range: throw Unsupported("a condition that is no Bool")
        }
    }
}

extension QueryExpression {
    /// Whether it counts related rows: that is never nil.
    fileprivate var isCount: Bool {
        switch self {
        case .count: true
        case .outer(let inner): inner.isCount
        default: false
        }
    }
}

/// A part of a predicate that cannot be run, in words that stand after "Not supported in a fetch:".
struct Unsupported: Error {
    let part: String

    init(_ part: String) {
        self.part = part
    }
}
