import Foundation
import LoamQuery
import LoamStorage

/// A stored array whose elements are asked for, a text whose characters, or data whose bytes.
enum LoweredArray {
    /// An attribute, or a member of one.
    case path(LoweredPath)
    /// An element of another collection that is an array itself, such as `lists["a"]`, or a text that is computed. What is
    /// asked of its elements stays where it stands, whatever row the array is of.
    case computed(QueryExpression)

    /// The collection that an expression of a type in Swift is; nil where it can be none.
    init?(_ expression: QueryExpression, as type: any Any.Type) {
        if type is any TextOrData.Type {
            self = LoweredPath(expression).map(LoweredArray.path) ?? .computed(expression)
        } else {
            self.init(expression)
        }
    }

    /// The array that an expression is; nil where it can be none.
    init?(_ expression: QueryExpression) {
        if let path = LoweredPath(expression) {
            self = .path(path)
        } else if expression.isElement {
            self = .computed(expression)
        } else {
            return nil
        }
    }

    /// The path; what is computed is at hand, as a path that begins at the row is.
    var path: LoweredPath {
        switch self {
        case .path(let path): path
        case .computed: LoweredPath()
        }
    }

    var expression: QueryExpression {
        switch self {
        case .path(let path): path.expression
        case .computed(let expression): expression
        }
    }

    /// The number of elements, or of those for which a condition holds; nil where there is no array.
    func counted(where condition: QueryPredicate?) -> QueryExpression {
        switch self {
        case .path(let path): path.counted(where: condition)
        case .computed(let array): .aggregate(.count, of: .elements(array, where: condition))
        }
    }

    /// An aggregate of the elements for which a condition holds; nil is true for all.
    func aggregate(_ aggregate: LoamQuery.Aggregate, where condition: QueryPredicate?) -> QueryExpression {
        switch self {
        case .computed(let array): return .aggregate(aggregate, of: .elements(array, where: condition))
        case .path(let path):
            let collection: QueryCollection =
                condition.map { .rows(path.names, where: $0, value: .identifier) } ?? .path(path.names)
            return QueryExpression.aggregate(aggregate, of: collection).outside(path.levels)
        }
    }

    /// The predicate holds for at least one element.
    func any(_ predicate: QueryPredicate) -> QueryPredicate {
        .comparison(counted(where: predicate), .greater, .number(NumberLiteral(Int64(0))), .none)
    }

    /// The predicate holds for no element; nil is true for all.
    func none(_ predicate: QueryPredicate?) -> QueryPredicate {
        .comparison(counted(where: predicate), .equal, .number(NumberLiteral(Int64(0))), .none)
    }

    /// The array so many counts further out; nil where it reads a row that is not there.
    func lifted(_ levels: Int) -> LoweredArray? {
        guard levels > 0 else { return self }
        guard case .path(let path) = self else { return nil }
        return path.lifted(levels).map(LoweredArray.path)
    }
}

/// What is stored as one value and has elements in Swift: nothing but a subquery asks for these.
protocol TextOrData {
    /// The function that a key path of a property is, where it is that of an element.
    static func end(_ keyPath: AnyKeyPath) -> LoamStorage.Function?
}

extension String: TextOrData {
    static func end(_ keyPath: AnyKeyPath) -> LoamStorage.Function? {
        keyPath == \Self.first ? .first : keyPath == \Self.last ? .last : nil
    }
}

extension Data: TextOrData {
    static func end(_ keyPath: AnyKeyPath) -> LoamStorage.Function? {
        keyPath == \Self.first ? .first : keyPath == \Self.last ? .last : nil
    }
}

extension QueryExpression {
    /// Whether it is an element of a collection.
    fileprivate var isElement: Bool {
        switch self {
        case .identifier: true
        case .outer(let expression): expression.isElement
        case .call(.element, _), .call(.first, _), .call(.last, _), .aggregate(.first, _), .aggregate(.last, _): true
        default: false
        }
    }
}
