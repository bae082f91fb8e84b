import LoamQuery
import LoamStorage

/// The forms of the format grammar that read one row in ways of their own.
extension RandomQuery {
    mutating func form() -> QueryPredicate {
        switch int(0...7) {
        case 0: bits()
        case 1: function()
        case 2: choice()
        case 3: list()
        case 4: tags()
        case 5: element()
        case 6: conversion()
        default: localized()
        }
    }

    private mutating func number() -> QueryExpression {
        .keyPath([pick(["id", "small", "count", "size", "weight", "price"])])
    }

    private mutating func compared(_ value: QueryExpression, with type: ValueType) -> QueryPredicate {
        let signs: [ComparisonOperator] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
        return .comparison(value, pick(signs), constant(type), .none)
    }

    private mutating func bits() -> QueryPredicate {
        let integers = [["id"], ["small"], ["count"]].map(QueryExpression.keyPath)
        let function = pick([Function.bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift])
        let other = chance(0.4) ? pick(integers) : .number(NumberLiteral(Int64(int(-2...70))))
        var value = QueryExpression.call(function, [pick(integers), other])
        if chance(0.3) { value = .call(.onesComplement, [value]) }
        return compared(value, with: pick([.int64, .uint64]))
    }

    private mutating func function() -> QueryPredicate {
        if chance(0.25) {
            return compared(.call(.length, [.keyPath([pick(["name", "note"])])]), with: .int64)
        }
        if chance(0.2) { return compared(.call(.power, [number(), number()]), with: .double) }
        if chance(0.2) { return compared(.call(.noIndex, [.keyPath(["name"])]), with: .string) }
        let functions = [
            Function.absolute, .squareRoot, .logarithm, .naturalLogarithm, .exponential, .floor, .ceiling, .truncate,
        ]
        return compared(.call(pick(functions), [number()]), with: pick([.int64, .double, .decimal]))
    }

    /// A function that the sample has an index over, or nearly so.
    mutating func indexedFunction() -> QueryPredicate {
        if chance(0.15) {
            let text = QueryExpression.constant(chance(0.2) ? .null : .string(pick(ValuePool.strings)))
            return .comparison(
                .call(.first, [.keyPath(["tags"])]), pick([.equal, .notEqual, .less, .greaterOrEqual]), text, .none)
        }
        let zone = QueryExpression.constant(.string(pick(["UTC", "UTC", "Europe/Berlin", "Pacific/Apia"])))
        let part = pick([Function.year, .month, .day, .startOfMonth, .startOfDay])
        let date = QueryExpression.call(part, [.keyPath(["day"]), zone])
        switch int(0...5) {
        case 0: return some(.call(.length, [.keyPath(["name"])]), among: 0...9)
        case 1: return compared(.call(pick([.floor, .ceiling, .round]), [.keyPath(["size"])]), with: .double)
        case 2: return compared(.call(.round, [.keyPath(["price"])]), with: .decimal)
        case _ where part == .startOfMonth || part == .startOfDay: return compared(date, with: .date)
        case _ where part == .year: return some(date, among: 1999...2003)
        default: return some(date, among: 0...13)
        }
    }

    private mutating func some(_ value: QueryExpression, among numbers: ClosedRange<Int>) -> QueryPredicate {
        func number() -> QueryExpression { .constant(.int(Int64(int(numbers)))) }
        switch int(0...4) {
        case 0: return .isIn(value, .list([number(), number(), number()]), .none)
        case 1: return .between(value, number(), number(), .none)
        case 2: return .not(.comparison(value, .equal, number(), .none))
        default: return .comparison(value, pick([.equal, .notEqual, .less, .greaterOrEqual]), number(), .none)
        }
    }

    private mutating func choice() -> QueryPredicate {
        let condition = compared(.keyPath(["id"]), with: .int64)
        return compared(.conditional(condition, number(), number()), with: pick([.int64, .double]))
    }

    private mutating func list() -> QueryPredicate {
        let values = (0..<int(1...3)).map { _ in number() }
        if chance(0.4) {
            let part = compared(.list(values), with: pick([.int64, .double]))
            return .quantified(pick([.any, .all, .none]), part)
        }
        return compared(.aggregate(pick(Aggregate.named), of: .list(values)), with: pick([.int64, .double]))
    }

    private mutating func tags() -> QueryPredicate {
        let path = QueryExpression.keyPath(["tags"])
        switch int(0...4) {
        case 0: return compared(.count(["tags"], where: nil), with: .int64)
        case 1:
            let part = QueryPredicate.comparison(.identifier, pick([.less, .equal]), constant(.string), options)
            return compared(.count(["tags"], where: part), with: .int64)
        case 2: return compared(.aggregate(pick([.min, .max, .mode]), of: .path(["tags"])), with: .string)
        case 3:
            let outer = QueryExpression.keyPath([pick(["name", "note"])])
            return .quantified(pick([.any, .all, .none]), .comparison(path, pick([.equal, .less]), outer, options))
        default:
            let operation = pick([TextOperator.beginsWith, .contains, .like])
            return .quantified(pick([.any, .all, .none]), .text(path, operation, constant(.string), options))
        }
    }

    private mutating func element() -> QueryPredicate {
        let path = QueryExpression.keyPath(["tags"])
        let value: QueryExpression =
            switch int(0...2) {
            case 0: .call(.first, [path])
            case 1: .call(.last, [path])
            default:
                .call(.element, [path, chance(0.3) ? .keyPath(["small"]) : .number(NumberLiteral(Int64(int(-1...3))))])
            }
        return compared(value, with: .string)
    }

    private mutating func conversion() -> QueryPredicate {
        let (function, type): (Function, ValueType) = pick([
            (.toInteger, .int64), (.toUnsigned, .uint64), (.toDouble, .double), (.toDecimal, .decimal),
            (.toString, .string), (.toFloat, .double), (.toBool, .bool),
        ])
        let value = QueryExpression.call(function, [number()])
        guard type != .bool else { return .comparison(value, .equal, .constant(.bool(chance(0.5))), .none) }
        return compared(value, with: type)
    }

    private mutating func localized() -> QueryPredicate {
        let options = StringOptions(ignoresCase: chance(0.2), isNormalized: chance(0.3), isLocalized: true)
        let path = QueryExpression.keyPath([pick(["name", "note"])])
        if chance(0.3) { return .between(path, constant(.string), constant(.string), options) }
        let signs: [ComparisonOperator] = [.equal, .less, .lessOrEqual, .greater, .greaterOrEqual]
        return .comparison(path, pick(signs), constant(.string), options)
    }
}
