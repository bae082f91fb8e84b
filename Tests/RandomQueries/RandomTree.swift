import Foundation
package import LoamQuery
import LoamStorage
package import SeededRandom

/// Makes predicates of every node, over no entity, in the form in which the parser and `#Predicate` make them.
package struct RandomTree {
    package var generator: SeededGenerator

    package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private static let names = [
        "a", "name", "x", "and", "IN", "SELF", "two words", "é", "it's", "first", "size", "count", "sum", "a.b", "%@",
        "$x",
        "@count", "null", "lowercase", "ternary", "UTI", "", "1", "beginswith", "日本", "_", "union",
        "function", "minus", "intersect", "cast", "subquery",
    ]
    private static let numbers = ["0", "1", "-5", "2.50", "-0.25", "1e300", "1.5E-3", "18446744073709551615", "007"]

    /// - Parameters:
    ///   - depth: how many levels it may have.
    ///   - scope: how many counts lie around it.
    package mutating func predicate(depth: Int, scope: Int = 0) -> QueryPredicate {
        guard depth > 0 else { return leaf(depth: 0, scope) }
        switch int(0...8) {
        case 0: return .and((0..<int(2...3)).map { _ in predicate(depth: depth - 1, scope: scope) })
        case 1: return .or((0..<int(2...3)).map { _ in predicate(depth: depth - 1, scope: scope) })
        case 2: return .not(predicate(depth: depth - 1, scope: scope))
        case 3: return .constant(chance(0.5))
        case 4: return .quantified(pick([.any, .all, .none]), comparison(of: pathOrList(depth, scope), depth, scope))
        default: return leaf(depth: depth, scope)
        }
    }

    private mutating func leaf(depth: Int, _ scope: Int) -> QueryPredicate {
        comparison(of: expression(depth: depth, scope), depth, scope)
    }

    private mutating func comparison(of left: QueryExpression, _ depth: Int, _ scope: Int) -> QueryPredicate {
        let options = options
        switch int(0...5) {
        case 0...2:
            let signs: [ComparisonOperator] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
            return .comparison(left, pick(signs), expression(depth: depth - 1, scope), options)
        case 3: return .text(left, pick(TextOperator.allCases), expression(depth: depth - 1, scope), options)
        case 4:
            let bounds = [expression(depth: depth - 1, scope), expression(depth: depth - 1, scope)]
            return .between(left, bounds[0], bounds[1], options)
        default:
            let list = chance(0.7) ? list(depth, scope) : expression(depth: depth - 1, scope)
            return .isIn(left, list, options)
        }
    }

    private mutating func pathOrList(_ depth: Int, _ scope: Int) -> QueryExpression {
        if chance(0.3) { return list(depth, scope) }
        return chance(0.3) ? element(depth, scope) : QueryExpression.keyPath(path()).outside(int(0...scope))
    }

    /// An element of a collection, and perhaps of that.
    private mutating func element(_ depth: Int, _ scope: Int) -> QueryExpression {
        let isDeep = depth > 0 && chance(0.3)
        let base = chance(0.1) ? QueryExpression.identifier : .keyPath(path())
        let collection = isDeep ? element(depth - 1, scope) : base.outside(int(0...scope))
        switch int(0...3) {
        case 0: return .call(.first, [collection])
        case 1: return .call(.last, [collection])
        default: return .call(.element, [collection, expression(depth: depth - 1, scope)])
        }
    }

    /// What is made of the elements of an array that is an element itself.
    private mutating func elements(_ depth: Int, _ scope: Int) -> QueryExpression {
        let isElement = scope > 0 && chance(0.3)
        let array = isElement ? QueryExpression.identifier.outside(int(0...(scope - 1))) : element(depth - 1, scope)
        let condition = chance(0.5) ? predicate(depth: depth - 1, scope: scope + 1) : nil
        let aggregates = condition == nil ? Aggregate.named : Aggregate.allCases
        let aggregate = pick(aggregates)
        let members = aggregate.isEnd || chance(0.7) ? [] : path()
        return .aggregate(aggregate, of: .elements(array, where: condition, members: members))
    }

    private mutating func list(_ depth: Int, _ scope: Int) -> QueryExpression {
        .list((0..<int(0...3)).map { _ in expression(depth: depth - 1, scope) })
    }

    private mutating func expression(depth: Int, _ scope: Int) -> QueryExpression {
        guard depth > 0, chance(0.7) else { return simple(scope) }
        switch int(0...10) {
        case 0...4:
            let function = pick(Function.allCases)
            let arguments = function.entry.parameters.map { parameter in
                parameter == .timeZone ? zone() : expression(depth: depth - 1, scope)
            }
            return .call(function, arguments)
        case 5:
            return .conditional(
                predicate(depth: depth - 1, scope: scope), expression(depth: depth - 1, scope),
                expression(depth: depth - 1, scope))
        case 6:
            let outer = int(0...scope)
            return QueryExpression.count(path(), where: predicate(depth: depth - 1, scope: scope - outer + 1))
                .outside(outer)
        case 7: return .aggregate(pick(Aggregate.named), of: .list([expression(depth: depth - 1, scope)]))
        case 9: return elements(depth, scope)
        case 8:
            let (outer, aggregate) = (int(0...scope), pick(Aggregate.allCases))
            let isOfValues = !aggregate.isEnd && (aggregate == .count || chance(0.7))
            let value: QueryExpression = isOfValues ? .keyPath(path()) : .identifier
            let condition = predicate(depth: depth - 1, scope: scope - outer + 1)
            return QueryExpression.aggregate(aggregate, of: .rows(path(), where: condition, value: value))
                .outside(outer)
        default: return QueryExpression.aggregate(pick(Aggregate.named), of: .path(path())).outside(int(0...scope))
        }
    }

    private mutating func zone() -> QueryExpression {
        .constant(.string(pick(["UTC", "Europe/Berlin", "Mars/Olympus", "", "it's"])))
    }

    private mutating func simple(_ scope: Int) -> QueryExpression {
        switch int(0...9) {
        case 0...3: QueryExpression.keyPath(path()).outside(int(0...scope))
        case 4: QueryExpression.identifier.outside(int(0...scope))
        case 5: QueryExpression.count(path(), where: nil).outside(int(0...scope))
        case 6: NumberLiteral(pick(Self.numbers)).map(QueryExpression.number) ?? .identifier
        case 7: .variable(pick(["x", "x1", "query", "xx", "é"]))
        default: .constant(value(depth: 2))
        }
    }

    private mutating func value(depth: Int) -> Value {
        switch int(0...(depth > 0 ? 14 : 11)) {
        case 0: .null
        case 1: .bool(chance(0.5))
        case 2: ValuePool.value(of: .uint64, &generator)
        case 3: ValuePool.value(of: .float, &generator)
        case 4: ValuePool.value(of: .double, &generator)
        case 5: ValuePool.value(of: .decimal, &generator)
        case 6: ValuePool.value(of: .date, &generator)
        case 7: ValuePool.value(of: .uuid, &generator)
        case 8: ValuePool.value(of: .url, &generator)
        case 9: ValuePool.value(of: .data, &generator)
        case 10: ValuePool.value(of: .int64, &generator)
        case 11: ValuePool.value(of: .string, &generator)
        case 12: .array((0..<int(0...3)).map { _ in value(depth: depth - 1) })
        case 13: .dictionary([value(depth: 0): value(depth: depth - 1)])
        default: .structure([pick(Self.names): value(depth: depth - 1)])
        }
    }

    private mutating func path() -> [String] { (0..<int(1...3)).map { _ in pick(Self.names) } }

    private var options: StringOptions {
        mutating get {
            guard chance(0.4) else { return .none }
            return StringOptions(
                ignoresCase: chance(0.5), ignoresDiacritics: chance(0.5), isNormalized: chance(0.3),
                isLocalized: chance(0.3))
        }
    }

    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &generator) < probability
    }
    private mutating func int(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
    private mutating func pick<Element>(_ values: [Element]) -> Element { ValuePool.pick(values, &generator) }
}

extension QueryPredicate {
    /// What is wrong with the predicate as a format: the text that it prints, where that is not read as the same tree.
    package var formatFault: String? {
        let text = format
        do {
            let again = try PredicateParser.parse(text)
            return again == self ? nil : "\(text)\nis read as\n\(again.format)"
        } catch {
            return "\(text)\nis not read: \(error)"
        }
    }
}
