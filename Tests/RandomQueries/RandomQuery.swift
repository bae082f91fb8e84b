import Foundation
package import LoamQuery
package import LoamStorage
package import SeededRandom

/// Makes queries over an entity whose constants often occur in its rows.
package struct RandomQuery {
    package let entity: Entity
    package var generator: SeededGenerator

    package init(_ entity: Entity, seed: UInt64) {
        self.entity = entity
        generator = SeededGenerator(seed: seed)
    }

    package mutating func query(rowIDs: ClosedRange<RowID>) -> Query {
        let predicate = chance(0.1) ? nil : predicate(depth: 3, rowIDs)
        var query = Query(entity: entity.name, predicate: predicate)
        let paths = orderedPaths
        for _ in 0..<(chance(0.35) ? 0 : int(1...3)) {
            let path = pick(paths)
            let form: StringForm =
                path.type == .string && chance(0.3)
                ? pick(Self.forms) : .exact
            query.sort.append(SortKey(path.name, direction: chance(0.5) ? .ascending : .descending, form: form))
        }
        // A random order rarely is that of an index, so some queries take theirs from one.
        if chance(0.4), let index = entity.indexes.randomElement(using: &generator) {
            let reversed = chance(0.5)
            query.sort = index.components.dropFirst(chance(0.3) ? 1 : 0).compactMap { component in
                let name = ([entity.property(withID: component.property)?.name ?? ""] + component.path).joined(
                    separator: ".")
                // A function may take what has no order.
                guard paths.contains(where: { $0.name == name }) else { return nil }
                return SortKey(
                    name, direction: reversed ? component.direction.reversed : component.direction, form: component.form
                )
            }
        }
        if chance(0.5) { query.limit = pick([0, 1, 2, 5, 20, 1000]) }
        if chance(0.3) { query.offset = pick([1, 3, 10, 500]) }
        if chance(0.3) { query.section = pick(paths).name }
        query.columns = chance(0.3) ? nil : (0..<int(0...2)).map { _ in pick(entity.properties).name }
        query.result = pick([.rows, .rows, .rows, .count, query.section == nil ? .rows : .sections])
        addFunctions(to: &query)
        return query
    }

    var orderedPaths: [(name: String, type: ValueType)] {
        entity.properties.flatMap { property -> [(name: String, type: ValueType)] in
            if case .structure(let members) = property.type {
                return members.map { ("\(property.name).\($0.name)", $0.type) }
            }
            return property.type.isOrdered ? [(property.name, property.type)] : []
        }
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
        if chance(0.04) { return .constant(chance(0.5)) }
        if chance(0.06) { return identifier(rowIDs) }
        if chance(0.15) { return form() }
        if chance(0.12) { return computed() }
        if chance(0.06) { return indexedFunction() }
        if chance(0.04) { return .isIn(.constant(.string(pick(ValuePool.strings))), .keyPath(["tags"]), options) }
        let (name, type) = pick(orderedPaths)
        let path = QueryExpression.keyPath(name.split(separator: ".").map(String.init))
        let options = type == .string ? options : .none
        if type == .string, chance(0.1) { return letters(of: path, options) }
        if type == .string, chance(0.4) { return text(path, options) }
        switch int(0...11) {
        case 0...5: return comparison(path, type, options)
        case 6...7:
            guard type != .bool else { return comparison(path, type, options) }
            return .between(path, constant(type), constant(type), options)
        case 8...9: return .isIn(path, .list((0..<listCount()).map { _ in constant(type) }), options)
        case 10 where type.isNumeric: return arithmetic(path, type)
        default: return comparison(path, type, options)
        }
    }

    private mutating func letters(of path: QueryExpression, _ options: StringOptions) -> QueryPredicate {
        let function = pick([Function.lowercase, .uppercase])
        let value = QueryExpression.call(function, [path])
        switch int(0...3) {
        case 0: return text(value, options)
        case 1: return comparison(value, .string, options)
        default:
            let other = chance(0.3) ? path : constant(.string)
            return .comparison(value, pick([.equal, .notEqual, .less]), .call(function, [other]), options)
        }
    }

    private mutating func comparison(
        _ path: QueryExpression, _ type: ValueType, _ options: StringOptions
    ) -> QueryPredicate {
        let comparisons: [ComparisonOperator] =
            type == .bool
            ? [.equal, .notEqual] : [.equal, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
        let other =
            chance(0.1) && type.isNumeric
            ? QueryExpression.keyPath([pick(["id", "size", "count", "weight", "price"])]) : constant(type)
        return chance(0.2)
            ? .comparison(other, pick(comparisons), path, options)
            : .comparison(path, pick(comparisons), other, options)
    }

    /// A comparison of sums and the like, of which many leave their type or divide by zero.
    private mutating func arithmetic(_ path: QueryExpression, _ type: ValueType) -> QueryPredicate {
        var value = path
        if type.isInteger, chance(0.3) {
            let others = [
                .number(NumberLiteral(Int64(int(-3...3)))), .keyPath([pick(["id", "count", "small"])]), value,
            ]
            value = .call(.remainder, [value, pick(others)])
        }
        for _ in 0..<int(1...2) {
            let function = pick([Function.add, .subtract, .multiply, .divide])
            let other: QueryExpression =
                switch int(0...4) {
                case 0: .keyPath([pick(["id", "size", "count", "weight", "price", "small"])])
                case 1: .number(NumberLiteral(Int64(int(0...2))))
                default: constant(chance(0.5) ? type : pick([.int64, .uint64, .double, .decimal]))
                }
            value = .call(function, chance(0.3) ? [other, value] : [value, other])
        }
        if chance(0.1) { value = .call(.negate, [value]) }
        switch int(0...5) {
        case 0: return .isIn(value, .list((0..<listCount()).map { _ in constant(type) }), .none)
        case 1: return .between(value, constant(type), constant(type), .none)
        default:
            let comparisons: [ComparisonOperator] = [.less, .lessOrEqual, .equal, .greater, .notEqual, .greaterOrEqual]
            return .comparison(value, pick(comparisons), constant(type), .none)
        }
    }

    /// The length of a list: short, or so long that its elements are looked up together.
    private mutating func listCount() -> Int { chance(0.2) ? int(9...14) : int(0...4) }

    private mutating func text(_ path: QueryExpression, _ options: StringOptions) -> QueryPredicate {
        let text = pick(ValuePool.strings)
        var part = String(text.unicodeScalars.prefix(int(0...6)).map(Character.init))
        if chance(0.15) { part = pick(["ss", "S", "ß", "fi", "ﬁ", "i", "İ", "e", "é", "stras", "Straß"]) }
        switch int(0...4) {
        case 0...1: return .text(path, .beginsWith, .constant(.string(chance(0.2) ? text : part)), options)
        case 2:
            return .text(path, pick([.endsWith, .contains]), .constant(.string(chance(0.5) ? text : part)), options)
        case 3:
            let start = chance(0.3) ? pick(["*", "?", "??"]) : ""
            let pattern = start + part + pick(["*", "?", "??", "*a", "?*", "?e", ""])
            return .text(path, .like, .constant(.string(pattern)), options)
        default:
            return .text(
                path, .matches,
                .constant(
                    .string(NSRegularExpression.escapedPattern(for: part) + pick([".*", "", ".?", "|a.*", "[^x]*"]))),
                options)
        }
    }

    private mutating func identifier(_ rowIDs: ClosedRange<RowID>) -> QueryPredicate {
        let id = { (generator: inout SeededGenerator) in
            QueryExpression.constant(
                .uint(RowID.random(in: rowIDs.lowerBound - 1...rowIDs.upperBound + 1, using: &generator)))
        }
        switch int(0...2) {
        case 0:
            return .comparison(
                .identifier, pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]), id(&generator),
                .none)
        case 1: return .isIn(.identifier, .list((0..<listCount()).map { _ in id(&generator) }), .none)
        default: return .between(.identifier, id(&generator), id(&generator), .none)
        }
    }

    mutating func constant(_ type: ValueType) -> QueryExpression {
        if chance(0.12) { return .constant(.null) }
        guard type.isNumeric, chance(0.2) else { return .constant(ValuePool.value(of: type, &generator)) }
        return .constant(ValuePool.value(of: pick([.int64, .uint64, .double, .float, .decimal]), &generator))
    }

    var options: StringOptions {
        mutating get {
            chance(0.5) ? .none : StringOptions(ignoresCase: chance(0.7), ignoresDiacritics: chance(0.6))
        }
    }

    mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &generator) < probability
    }
    mutating func int(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
    mutating func pick<Element>(_ values: [Element]) -> Element { ValuePool.pick(values, &generator) }
}
