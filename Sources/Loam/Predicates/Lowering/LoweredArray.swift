import Foundation
import LoamQuery
import LoamStorage

/// A stored array whose elements are asked for, a dictionary whose pairs, a text whose characters, data whose bytes, or a
/// to-many relationship whose rows.
enum LoweredArray {
    /// An attribute, or a member of one.
    case path(LoweredPath)
    /// An element of another collection that is an array itself, such as `lists["a"]`, or a text that is computed. What is
    /// asked of its elements stays where it stands, whatever row the array is of.
    ///
    /// - store: the store of related rows, where it is known.
    case computed(QueryExpression, store: String? = nil)
    /// A member of each element: the keys or the values of a dictionary.
    indirect case members(LoweredArray, String)

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
        case .members(let array, _): array.path
        }
    }

    var expression: QueryExpression {
        switch self {
        case .path(let path): path.expression
        case .computed(let expression, _): expression
        case .members(let array, _): array.expression
        }
    }

    /// An element, where a condition on each is written.
    var element: QueryExpression {
        if case .members(_, let name) = self { .keyPath([name]) } else { .identifier }
    }

    /// The store that is asked, where it is known.
    var store: String? {
        switch self {
        case .path(let path): path.store
        case .computed(_, let store): store
        case .members(let array, _): array.store
        }
    }

    /// The number of elements, or of those for which a condition holds; nil where there is no array.
    func counted(where condition: QueryPredicate?) -> QueryExpression {
        switch self {
        case .path(let path): path.counted(where: condition)
        case .computed(let array, _): .aggregate(.count, of: .elements(array, where: condition))
        case .members(let array, _): array.counted(where: condition)
        }
    }

    /// An aggregate of the elements for which a condition holds; nil is true for all.
    func aggregate(_ aggregate: LoamQuery.Aggregate, where condition: QueryPredicate?) -> QueryExpression {
        switch self {
        case .computed(let array, _): return .aggregate(aggregate, of: .elements(array, where: condition))
        case .path(let path):
            let collection: QueryCollection =
                condition.map { .rows(path.names, where: $0, value: .identifier) } ?? .path(path.names)
            return QueryExpression.aggregate(aggregate, of: collection).outside(path.levels)
        case .members(.path(let path), _):
            let members = QueryCollection.rows(path.names, where: condition ?? .constant(true), value: element)
            return QueryExpression.aggregate(aggregate, of: members).outside(path.levels)
        case .members(let array, let name):
            let members = QueryCollection.elements(
                array.expression, where: condition ?? .constant(true), members: [name])
            return .aggregate(aggregate, of: members)
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
        switch self {
        case .path(let path): return path.lifted(levels).map(LoweredArray.path)
        case .members(let array, let name): return array.lifted(levels).map { .members($0, name) }
        case .computed: return nil
        }
    }

    /// The array and the condition on its elements so many counts further in: that on the elements of a path begins with
    /// the row that has them, and comes along as it is.
    func outside(_ levels: Int, where condition: QueryPredicate?) -> (LoweredArray, QueryPredicate?) {
        switch self {
        case .path(var path):
            path.levels += levels
            return (.path(path), condition)
        case .computed(let expression, let store):
            return (.computed(expression.outside(levels), store: store), condition?.outside(levels, beyond: 1))
        case .members(let array, let name):
            let (array, condition) = array.outside(levels, where: condition)
            return (.members(array, name), condition)
        }
    }

    /// The array as one whose elements' condition stands here, whatever row has them; nil where it stands here anyway.
    private func computedHere(
        where condition: QueryPredicate
    ) -> (array: LoweredArray, condition: QueryPredicate)? {
        if case .members(let array, let name) = self {
            return array.computedHere(where: condition).map { (.members($0.array, name), $0.condition) }
        }
        guard case .path(let path) = self, path.levels > 0 else { return nil }
        return (.computed(path.expression, store: path.store), condition.outside(path.levels, beyond: 1))
    }

    /// Makes what reads the elements, with the path on which these lie. Where that reads a row between the array's and
    /// this one, the array becomes one that is computed, and what reads its elements is made once more, where it stands.
    ///
    /// - Parameter condition: the condition on the elements that there is already.
    /// - Throws: what `body` throws, of the first call where both throw.
    mutating func reading<Result>(
        where condition: inout QueryPredicate, _ body: (LoweredPath) throws -> Result
    ) throws -> Result {
        do {
            return try body(path)
        } catch let error as Unsupported {
            guard let here = computedHere(where: condition), let result = try? body(here.array.path) else {
                throw error
            }
            (self, condition) = here
            return result
        }
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
