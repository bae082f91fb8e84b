package import LoamQuery
import LoamStorage

/// Predicates whose both sides are of the row.
extension RandomQuery {
    package mutating func computed() -> QueryPredicate {
        switch int(0...9) {
        case 0...2: return numbers()
        case 3...4: return strings()
        case 5:
            return .isIn(pick([string, .keyPath(["note"])]), .keyPath(["tags"]), chance(0.5) ? .none : options)
        case 6: return list()
        default:
            let (name, type) = pick([("day", ValueType.date), ("key", .uuid), ("link", .url), ("blob", .data)])
            let other = chance(0.3) ? QueryExpression.keyPath([name]) : constant(type)
            return .comparison(.keyPath([name]), comparison, other, .none)
        }
    }

    private mutating func numbers() -> QueryPredicate {
        if chance(0.25) { return .between(number(2), number(1), number(1), .none) }
        return .comparison(number(2), comparison, number(2), .none)
    }

    private mutating func strings() -> QueryPredicate {
        let text = pick([TextOperator.beginsWith, .endsWith, .contains, .like])
        if chance(0.6) { return .text(string, text, string, options) }
        return chance(0.2)
            ? .between(string, string, string, options) : .comparison(string, comparison, string, options)
    }

    /// A list that is not only of constants.
    private mutating func list() -> QueryPredicate {
        if chance(0.5) {
            let strings = (0..<int(0...3)).map { _ in string } + (0..<int(0...2)).map { _ in constant(.string) }
            return .isIn(string, .list(strings.shuffled(using: &generator)), options)
        }
        let numbers = (0..<int(0...3)).map { _ in number(1) } + (0..<int(0...2)).map { _ in constant(.decimal) }
        return .isIn(number(1), .list(numbers.shuffled(using: &generator)), .none)
    }

    private var comparison: ComparisonOperator {
        mutating get { pick([.equal, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]) }
    }

    private var string: QueryExpression {
        mutating get {
            let path = QueryExpression.keyPath(pick([["name"], ["note"], ["address", "city"]]))
            switch int(0...5) {
            case 0: return .call(.lowercase, [path])
            case 1: return .call(.uppercase, [path])
            default: return path
            }
        }
    }

    private mutating func number(_ depth: Int) -> QueryExpression {
        if depth == 0 || chance(0.4) {
            let names = [["id"], ["small"], ["count"], ["size"], ["weight"], ["price"], ["address", "zip"]]
            return .keyPath(pick(names))
        }
        switch int(0...6) {
        case 0: return constant(pick([.int64, .uint64, .double, .decimal]))
        case 1: return .call(.negate, [number(depth - 1)])
        case 2: return .call(.remainder, [.keyPath([pick(["id", "count", "small"])]), .keyPath(["small"])])
        default:
            let function = pick([Function.add, .subtract, .multiply, .divide])
            return .call(function, [number(depth - 1), number(depth - 1)])
        }
    }
}
