import Foundation
package import LoamQuery
package import LoamStorage
import RandomQueries
package import SeededRandom

/// Makes queries over ``CommonRows`` that SQL says too, and that mean there what they mean here: no sum leaves its type,
/// nothing is divided by zero.
package struct CommonQuery {
    private let entity: Entity
    package var generator: SeededGenerator

    package init(_ entity: Entity, seed: UInt64) {
        self.entity = entity
        generator = SeededGenerator(seed: seed)
    }

    package mutating func query(rowIDs: ClosedRange<RowID>) -> Query {
        var query = Query(entity: entity.name, predicate: chance(0.08) ? nil : predicate(depth: 3, rowIDs), columns: [])
        for _ in 0..<(chance(0.35) ? 0 : int(1...3)) {
            let property = pick(entity.properties)
            query.sort.append(
                SortKey(
                    property.name, direction: chance(0.5) ? .ascending : .descending,
                    form: property.name == "name" && chance(0.3) ? .caseFolded : .exact))
        }
        // A random order rarely is that of an index, so some queries take theirs from one.
        if chance(0.4), let index = entity.indexes.randomElement(using: &generator) {
            let isReversed = chance(0.5)
            query.sort = index.components.dropFirst(chance(0.3) ? 1 : 0).map { component in
                SortKey(
                    entity.property(withID: component.property)?.name ?? "",
                    direction: isReversed ? component.direction.reversed : component.direction,
                    form: component.form == .caseFolded ? .caseFolded : .exact)
            }
        }
        if chance(0.5) { query.limit = pick([0, 1, 2, 5, 20, 1000]) }
        if chance(0.3) { query.offset = pick([1, 3, 10, 500]) }
        if chance(0.3) { query.section = pick(entity.properties).name }
        query.result = pick([.rows, .rows, .rows, .count, query.section == nil ? .rows : .sections])
        return query
    }

    private mutating func predicate(depth: Int, _ rowIDs: ClosedRange<RowID>) -> QueryPredicate {
        if depth > 0 {
            switch int(0...9) {
            case 0...2: return .and((0..<int(2...3)).map { _ in predicate(depth: depth - 1, rowIDs) })
            case 3...4: return .or((0..<int(2...3)).map { _ in predicate(depth: depth - 1, rowIDs) })
            case 5: return .not(predicate(depth: depth - 1, rowIDs))
            default: break
            }
        }
        return leaf(rowIDs)
    }

    private mutating func leaf(_ rowIDs: ClosedRange<RowID>) -> QueryPredicate {
        if chance(0.03) { return .constant(chance(0.5)) }
        if chance(0.06) { return identifier(rowIDs) }
        if chance(0.15) { return arithmetic() }
        let property = pick(entity.properties)
        let path = QueryExpression.keyPath([property.name])
        let options = property.name == "name" ? options : .none
        if property.type == .string, chance(0.4) { return text(property, options) }
        if property.name == "name", chance(0.15) { return letters(options) }
        switch int(0...9) {
        case 0...1 where property.type != .bool:
            return .between(path, constant(property), constant(property), options)
        case 2...3: return .isIn(path, .list((0..<listCount()).map { _ in constant(property) }), options)
        default: return comparison(path, property, options)
        }
    }

    private mutating func comparison(
        _ path: QueryExpression, _ property: Property, _ options: StringOptions
    ) -> QueryPredicate {
        let isOrdered = property.type != .bool
        let comparisons: [ComparisonOperator] =
            isOrdered
            ? [.equal, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual] : [.equal, .notEqual]
        var other = constant(property)
        if chance(0.1), property.type.isNumeric {
            other = .keyPath([pick(["id", "small", "count", "amount", "size"])])
        }
        return chance(0.2)
            ? .comparison(other, pick(comparisons), path, options)
            : .comparison(path, pick(comparisons), other, options)
    }

    private mutating func text(_ property: Property, _ options: StringOptions) -> QueryPredicate {
        let path = QueryExpression.keyPath([property.name])
        let text = pick(property.name == "note" ? CommonRows.texts : CommonRows.words)
        let part = chance(0.5) ? text : String(text.prefix(int(0...2)))
        switch int(0...4) {
        case 0...1: return .text(path, .beginsWith, .constant(.string(part)), options)
        case 2: return .text(path, .endsWith, .constant(.string(String(text.suffix(int(0...2))))), options)
        case 3: return .text(path, .contains, .constant(.string(part)), options)
        default:
            let pattern = (chance(0.3) ? pick(["*", "?"]) : "") + part + pick(["*", "?", "?*", "*b", ""])
            return .text(path, .like, .constant(.string(pattern)), options)
        }
    }

    private mutating func letters(_ options: StringOptions) -> QueryPredicate {
        let function = pick([Function.lowercase, .uppercase])
        let value = QueryExpression.call(function, [.keyPath(["name"])])
        let other = QueryExpression.constant(.string(pick(CommonRows.words)))
        if chance(0.3) { return .text(value, pick([.beginsWith, .contains, .endsWith]), other, options) }
        return .comparison(value, pick([.equal, .notEqual, .less, .greaterOrEqual]), other, options)
    }

    /// A comparison of sums, products and quotients of small numbers.
    private mutating func arithmetic() -> QueryPredicate {
        var value = term()
        for _ in 0..<int(1...2) {
            switch int(0...5) {
            case 0: value = .call(.add, [value, term()])
            case 1: value = .call(.subtract, [term(), value])
            case 2: value = .call(.multiply, [value, .constant(.int(pick([0, 1, 2, -3])))])
            case 3: value = .call(.divide, [value, .constant(.int(pick([1, 2, -3, 7])))])
            case 4: value = .call(.remainder, [value, .constant(.int(pick([1, 2, -3, 7])))])
            default: value = .call(.negate, [value])
            }
        }
        let small = { (query: inout CommonQuery) -> QueryExpression in
            query.chance(0.1) ? .constant(.null) : .constant(.int(query.pick(CommonRows.smalls)))
        }
        switch int(0...5) {
        case 0: return .isIn(value, .list((0..<listCount()).map { _ in small(&self) }), .none)
        case 1: return .between(value, small(&self), small(&self), .none)
        default:
            let right = chance(0.2) ? QueryExpression.constant(.double(pick([0, 0.5, -2.25, 1e6]))) : small(&self)
            return .comparison(
                value, pick([.less, .lessOrEqual, .equal, .greater, .notEqual, .greaterOrEqual]), right, .none)
        }
    }

    private mutating func term() -> QueryExpression {
        chance(0.7) ? .keyPath([pick(["small", "count"])]) : .constant(.int(pick([0, 1, 2, 5, -7])))
    }

    private mutating func identifier(_ rowIDs: ClosedRange<RowID>) -> QueryPredicate {
        let id = { (query: inout CommonQuery) in
            QueryExpression.constant(
                .uint(.random(in: rowIDs.lowerBound - 1...rowIDs.upperBound + 1, using: &query.generator)))
        }
        switch int(0...2) {
        case 0:
            return .comparison(
                .identifier, pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]), id(&self), .none
            )
        case 1: return .isIn(.identifier, .list((0..<listCount()).map { _ in id(&self) }), .none)
        default: return .between(.identifier, id(&self), id(&self), .none)
        }
    }

    private mutating func constant(_ property: Property) -> QueryExpression {
        if chance(0.12) { return .constant(.null) }
        guard property.type.isNumeric, chance(0.2) else {
            return .constant(CommonRows.value(of: property, &generator))
        }
        return .constant(chance(0.5) ? .int(pick(CommonRows.integers)) : .double(pick(CommonRows.doubles)))
    }

    /// The length of a list: short, or so long that its elements are looked up together.
    private mutating func listCount() -> Int { chance(0.2) ? int(9...14) : int(0...4) }

    private var options: StringOptions {
        mutating get {
            chance(0.5) ? .none : StringOptions(ignoresCase: true, ignoresDiacritics: chance(0.5))
        }
    }

    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &generator) < probability
    }
    private mutating func int(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
    private mutating func pick<Element>(_ values: [Element]) -> Element { ValuePool.pick(values, &generator) }
}
