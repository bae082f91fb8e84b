import Foundation
package import LoamQuery
package import LoamStorage
package import SeededRandom

/// Makes predicates along the relationships of a schema, to any depth.
package struct RandomRelationQuery {
    package let schema: Schema
    package let ids: [EntityID: [RowID]]
    package var generator: SeededGenerator

    package init(_ schema: Schema, ids: [EntityID: [RowID]], seed: UInt64) {
        self.schema = schema
        self.ids = ids
        generator = SeededGenerator(seed: seed)
    }

    package mutating func query() -> Query {
        let entity = pick(schema.entities)
        var query = Query(entity: entity.name, predicate: predicate(entity, depth: 2, around: []))
        for _ in 0..<int(0...2) {
            query.sort.append(SortKey(path(entity), direction: chance(0.5) ? .ascending : .descending))
        }
        if chance(0.3) { query.section = path(entity) }
        if chance(0.4) { query.limit = pick([1, 3, 10]) }
        if chance(0.3) { query.offset = pick([1, 5]) }
        query.columns = chance(0.5) ? [] : [path(entity)]
        query.result = pick([.rows, .rows, .count, query.section == nil ? .rows : .sections])
        return query
    }

    private func scalars(_ entity: Entity) -> [String] {
        entity.properties.filter { $0.role == .attribute && $0.type.isOrdered }.map(\.name)
    }

    /// A value of the row, or of one that to-one relationships lead to.
    private mutating func path(_ entity: Entity) -> String {
        let (names, end) = toOnes(entity, chance(0.5) ? 0...0 : 1...2)
        return (names + [pick(scalars(end))]).joined(separator: ".")
    }

    private mutating func predicate(_ entity: Entity, depth: Int, around: [Entity]) -> QueryPredicate {
        if depth > 0 {
            switch int(0...9) {
            case 0...1: return .and((0..<2).map { _ in predicate(entity, depth: depth - 1, around: around) })
            case 2...3: return .or((0..<2).map { _ in predicate(entity, depth: depth - 1, around: around) })
            case 4: return .not(predicate(entity, depth: depth - 1, around: around))
            default: break
            }
        }
        switch int(0...9) {
        case 0: return comparison(.keyPath([pick(scalars(entity))]), entity, around)
        case 1...3: return throughToOne(entity, around)
        case 4: return reference(entity)
        case 5...8: return throughToMany(entity, depth: depth, around)
        default:
            return .comparison(
                .identifier, pick([.equal, .less]), .constant(.uint(pick(ids[entity.id] ?? [1]))), .none)
        }
    }

    /// A way along to-one relationships, and the entity at its end.
    private mutating func toOnes(_ entity: Entity, _ lengths: ClosedRange<Int>) -> (names: [String], end: Entity) {
        var names: [String] = []
        var end = entity
        for _ in 0..<int(lengths) {
            let relationships = end.relationships.filter { !$0.isToMany }
            guard !relationships.isEmpty else { break }
            let next = pick(relationships)
            guard let entity = schema.entity(withID: next.destination) else { break }
            names.append(next.name)
            end = entity
        }
        return (names, end)
    }

    private mutating func throughToOne(_ entity: Entity, _ around: [Entity]) -> QueryPredicate {
        let (names, end) = toOnes(entity, 1...3)
        let name = pick(scalars(end))
        return comparison(.keyPath(names + [name]), entity, around)
    }

    private mutating func reference(_ entity: Entity) -> QueryPredicate {
        let (names, end) = toOnes(entity, 1...2)
        guard !names.isEmpty else { return .constant(true) }
        let id = QueryExpression.constant(chance(0.3) ? .null : .uint(pick(ids[end.id] ?? [1])))
        if chance(0.2) {
            return .isIn(.keyPath(names), .list([id, .constant(.uint(pick(ids[end.id] ?? [1])))]), .none)
        }
        return .comparison(.keyPath(names), pick([.equal, .equal, .notEqual]), id, .none)
    }

    private mutating func throughToMany(_ entity: Entity, depth: Int, _ around: [Entity]) -> QueryPredicate {
        let (prefix, owner) = toOnes(entity, 0...1)
        let relationships = owner.relationships.filter(\.isToMany)
        guard !relationships.isEmpty else { return throughToOne(entity, around) }
        let relationship = pick(relationships)
        guard let member = schema.entity(withID: relationship.destination) else { return .constant(true) }
        let names = prefix + [relationship.name]
        switch int(0...8) {
        case 6: return aggregate(names, of: member, where: nil)
        case 7:
            let inner = predicate(member, depth: 0, around: around + [entity])
            return aggregate(names, of: member, where: inner)
        case 8: return element(names, of: member)
        case 0:
            return .comparison(
                .count(names, where: nil), pick([.equal, .less, .greater, .notEqual]),
                .number(NumberLiteral(Int64(int(0...3)))), .none)
        case 1:
            let inner = predicate(member, depth: 0, around: around + [entity])
            return .comparison(
                .count(names, where: inner), pick([.equal, .greater, .greaterOrEqual]),
                .number(NumberLiteral(Int64(int(0...2)))), .none)
        case 2:
            let (tail, end) = toOnes(member, 0...1)
            return .quantified(
                pick([.any, .all, .none]), comparison(.keyPath(names + tail + [pick(scalars(end))]), entity, []))
        case 3: return .isIn(.constant(.uint(pick(ids[member.id] ?? [1]))), .keyPath(names), .none)
        default:
            let inner = predicate(member, depth: max(0, depth - 1), around: around + [entity])
            return pick([
                QueryPredicate.any(names, predicate: inner), .all(names, predicate: inner),
                .none(names, predicate: inner),
            ])
        }
    }

    /// What is made of an attribute of related rows, of all or of those that a predicate holds for.
    private mutating func aggregate(
        _ names: [String], of member: Entity, where condition: QueryPredicate?
    ) -> QueryPredicate {
        let (tail, end) = condition == nil ? toOnes(member, 0...1) : ([], member)
        let name = pick(scalars(end))
        let type = end.properties.first { $0.name == name }?.type ?? .int64
        let aggregate = pick(type == .string ? [Aggregate.count, .min, .max, .mode] : Aggregate.named)
        let collection: QueryCollection =
            if let condition {
                .rows(names, where: condition, value: .keyPath([name]))
            } else {
                .path(names + tail + [name])
            }
        let constant = aggregate == .count ? .int(Int64(int(0...3))) : RelatedRowsModel.value(of: type, &generator)
        let value = QueryExpression.constant(chance(0.1) ? .null : constant)
        return .comparison(
            .aggregate(aggregate, of: collection), pick([.equal, .notEqual, .less, .greaterOrEqual]), value, .none)
    }

    /// A value among those of related rows, or of the arrays that they have.
    private mutating func element(_ names: [String], of member: Entity) -> QueryPredicate {
        let arrays = member.properties.filter { if case .array = $0.type { true } else { false } }.map(\.name)
        guard let array = arrays.first, chance(0.6) else {
            let name = pick(scalars(member))
            let type = member.properties.first { $0.name == name }?.type ?? .int64
            let value = chance(0.1) ? .null : RelatedRowsModel.value(of: type, &generator)
            return .isIn(.constant(value), .keyPath(names + [name]), .none)
        }
        let value = QueryExpression.constant(.string(pick(["a", "b", "c"])))
        let part: QueryPredicate =
            chance(0.5)
            ? .comparison(.keyPath(names + [array]), pick([.equal, .notEqual, .less]), value, .none)
            : .text(.keyPath(names + [array]), .beginsWith, value, .none)
        return .quantified(pick([.any, .all, .none]), part)
    }

    private mutating func comparison(
        _ left: QueryExpression, _ entity: Entity, _ around: [Entity]
    ) -> QueryPredicate {
        let type = leafType(left, entity)
        if let outer = around.last, chance(0.3),
            let name = scalars(outer).first(where: { name in
                outer.properties.contains { $0.name == name && $0.type == type }
            })
        {
            return .comparison(left, pick([.equal, .notEqual, .less]), .outer(.keyPath([name])), .none)
        }
        let constant = QueryExpression.constant(chance(0.1) ? .null : RelatedRowsModel.value(of: type, &generator))
        if type == .string, chance(0.3) {
            return .text(left, pick([.beginsWith, .contains]), constant, StringOptions(ignoresCase: chance(0.5)))
        }
        return .comparison(left, pick([.equal, .notEqual, .less, .greaterOrEqual]), constant, .none)
    }

    private func leafType(_ path: QueryExpression, _ entity: Entity) -> ValueType {
        guard case .keyPath(let names) = path else { return .int64 }
        var end = entity
        for name in names.dropLast() {
            guard let next = end.relationship(named: name).flatMap({ schema.entity(withID: $0.destination) }) else {
                break
            }
            end = next
        }
        return end.properties.first { $0.name == names.last }?.type ?? .int64
    }

    package mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &generator) < probability
    }
    package mutating func int(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
    package mutating func pick<Element>(_ values: [Element]) -> Element { ValuePool.pick(values, &generator) }
}
