import LoamQuery
import LoamStorage

/// What SQL does not say alike: the query is not asked.
struct NotInSQL: Error {}

/// Where names begin: the rows of an entity by their alias, and what lies around.
struct SQLScope {
    let entity: Entity
    let alias: String
    let depth: Int
    private let around: [SQLScope]

    init(_ entity: Entity) {
        (self.entity, alias, depth, around) = (entity, "t0", 0, [])
    }

    private init(_ entity: Entity, in scope: SQLScope) {
        (self.entity, depth, around) = (entity, scope.depth + 1, [scope])
        alias = "t\(depth)"
    }

    func inner(_ entity: Entity) -> SQLScope { SQLScope(entity, in: self) }

    var outer: SQLScope {
        get throws {
            guard let scope = around.first else { throw NotInSQL() }
            return scope
        }
    }
}

/// Queries in SQL. Every comparison is written so that it is never unknown.
struct SQLText {
    let schema: Schema
    let leftOut: Set<PropertyID>

    func predicate(_ predicate: QueryPredicate, _ scope: SQLScope) throws -> String {
        switch predicate {
        case .constant(let value): return value ? "1" : "0"
        case .and(let parts): return try joined(parts, by: " AND ", none: "1", scope)
        case .or(let parts): return try joined(parts, by: " OR ", none: "0", scope)
        case .not(let part): return "(NOT \(try self.predicate(part, scope)))"
        case .comparison(let left, let comparison, let right, let options):
            return Self.comparison(
                try expression(left, scope, options), comparison, try expression(right, scope, options))
        case .between(let value, let lower, let upper, let options):
            let bounds = try "\(expression(lower, scope, options)) AND \(expression(upper, scope, options))"
            return "ifnull(\(try expression(value, scope, options)) BETWEEN \(bounds), 0)"
        case .text(let value, let text, let operand, let options):
            return try Self.text(
                expression(value, scope, options), text, expression(operand, scope, options))
        case .isIn(let value, .list(let elements), let options): return try isIn(value, elements, scope, options)
        case .isIn(let value, .keyPath(let names), _):
            let value = try expression(value, scope)
            return try "ifnull(\(count(names, scope) { "\($0.alias).row IS \(value)" }) > 0, 0)"
        case .quantified(let quantifier, let comparison): return try quantified(quantifier, comparison, scope)
        case .isIn: throw NotInSQL()
        }
    }

    private func joined(
        _ parts: [QueryPredicate], by sign: String, none: String, _ scope: SQLScope
    ) throws -> String {
        parts.isEmpty ? none : "(" + (try parts.map { try predicate($0, scope) }.joined(separator: sign)) + ")"
    }

    private static func comparison(_ left: String, _ comparison: ComparisonOperator, _ right: String) -> String {
        switch comparison {
        case .equal: "(\(left) IS \(right))"
        case .notEqual: "(\(left) IS NOT \(right))"
        case .less, .lessOrEqual, .greater, .greaterOrEqual: "ifnull(\(left) \(comparison.rawValue) \(right), 0)"
        }
    }

    private static func text(_ value: String, _ text: TextOperator, _ operand: String) throws -> String {
        switch text {
        case .beginsWith: return "ifnull(substr(\(value), 1, length(\(operand))) = \(operand), 0)"
        case .endsWith:
            let rest = "length(\(value)) - length(\(operand))"
            return "ifnull(\(rest) >= 0 AND substr(\(value), \(rest) + 1) = \(operand), 0)"
        case .contains: return "ifnull(instr(\(value), \(operand)) > 0, 0)"
        case .like:
            guard !operand.contains("["), !operand.contains("\\") else { throw NotInSQL() }
            return "ifnull(\(value) GLOB \(operand), 0)"
        case .matches: throw NotInSQL()
        }
    }

    private func isIn(
        _ value: QueryExpression, _ elements: [QueryExpression], _ scope: SQLScope, _ options: StringOptions
    ) throws -> String {
        let value = try expression(value, scope, options)
        let known = try elements.filter { $0 != .constant(.null) }.map { try expression($0, scope, options) }
        let isKnown = "ifnull(\(value) IN (\(known.joined(separator: ", "))), 0)"
        return known.count == elements.count ? isKnown : "(\(isKnown) OR \(value) IS NULL)"
    }

    // MARK: Values

    func expression(
        _ expression: QueryExpression, _ scope: SQLScope, _ options: StringOptions = .none
    ) throws -> String {
        let (text, isText) = try plain(expression, scope)
        // Letters that are not ASCII are left as they are, so whoever asks for a folded form has none.
        return isText && options.ignoresCase ? "lower(\(text))" : text
    }

    private func plain(_ expression: QueryExpression, _ scope: SQLScope) throws -> (text: String, isText: Bool) {
        switch expression {
        case .constant(let value):
            guard let literal = SQLiteValue(value)?.literal else { throw NotInSQL() }
            return (literal, value.scalarType == .string)
        case .number(let number): return (number.text.hasPrefix("-") ? "(\(number.text))" : number.text, false)
        case .keyPath(let names): return try path(names, scope)
        case .identifier: return ("\(scope.alias).row", false)
        case .call(let function, let arguments): return try call(function, arguments, scope)
        case .count(let names, let condition):
            return (try count(names, scope) { inner in try condition.map { try predicate($0, inner) } ?? "1" }, false)
        case .outer(let inner): return try plain(inner, try scope.outer)
        case .list, .aggregate, .conditional, .variable: throw NotInSQL()
        }
    }

    private func call(
        _ function: Function, _ arguments: [QueryExpression], _ scope: SQLScope
    ) throws -> (text: String, isText: Bool) {
        let values = try arguments.map { try expression($0, scope) }
        switch function {
        case .add: return ("(\(values[0]) + \(values[1]))", false)
        case .subtract: return ("(\(values[0]) - \(values[1]))", false)
        case .multiply: return ("(\(values[0]) * \(values[1]))", false)
        case .divide: return ("(\(values[0]) / \(values[1]))", false)
        case .remainder: return ("(\(values[0]) % \(values[1]))", false)
        case .negate: return ("(- \(values[0]))", false)
        case .lowercase: return ("lower(\(values[0]))", true)
        case .uppercase: return ("upper(\(values[0]))", true)
        // SQLite lacks them, or means something else by them.
        default: throw NotInSQL()
        }
    }

    // MARK: Relationships

    /// A value of the row, or at the end of to-one relationships; NULL where one of them leads nowhere.
    private func path(_ names: [String], _ scope: SQLScope) throws -> (text: String, isText: Bool) {
        guard let name = names.first else { throw NotInSQL() }
        if let relationship = scope.entity.relationship(named: name), !relationship.isToMany {
            let (target, destination) = try self.target(of: relationship, scope)
            guard names.count > 1 else { return (target, false) }
            let inner = scope.inner(destination)
            let value = try path(Array(names.dropFirst()), inner)
            let source = "\(destination.sqlTable) \(inner.alias) WHERE \(inner.alias).row = \(target)"
            return ("(SELECT \(value.text) FROM \(source))", value.isText)
        }
        guard names.count == 1, let position = scope.entity.position(of: name) else { throw NotInSQL() }
        let property = scope.entity.properties[position]
        guard !leftOut.contains(property.id) else { throw NotInSQL() }
        return ("\(scope.alias).\(property.sqlColumn)", property.type == .string)
    }

    /// The row id that a to-one relationship leads to.
    private func target(of relationship: Relationship, _ scope: SQLScope) throws -> (String, Entity) {
        guard let destination = schema.entity(withID: relationship.destination) else { throw NotInSQL() }
        switch relationship.storage {
        case .reference(let property, _, _): return ("\(scope.alias).p\(property)", destination)
        case .inverseOfReference(let id):
            guard let reference = schema.relationship(withID: id)?.relationship.referenceProperty else {
                throw NotInSQL()
            }
            let inner = "i\(scope.depth)"
            let condition = "\(inner).p\(reference) = \(scope.alias).row"
            return ("(SELECT \(inner).row FROM \(destination.sqlTable) \(inner) WHERE \(condition))", destination)
        case .links: throw NotInSQL()
        }
    }

    /// How many rows a to-many relationship leads to that a condition holds for; NULL where a to-one relationship before
    /// it leads nowhere.
    private func count(
        _ names: [String], _ scope: SQLScope, where condition: (SQLScope) throws -> String
    ) throws -> String {
        let (toOnes, last) = (names.dropLast(), names.last)
        var owner = scope.entity
        for name in toOnes {
            guard let next = owner.relationship(named: name), !next.isToMany,
                let entity = schema.entity(withID: next.destination)
            else { throw NotInSQL() }
            owner = entity
        }
        guard let relationship = last.flatMap({ owner.relationship(named: $0) }), relationship.isToMany,
            let destination = schema.entity(withID: relationship.destination)
        else { throw NotInSQL() }
        let source = toOnes.isEmpty ? "\(scope.alias).row" : try path(Array(toOnes), scope).text
        let inner = scope.inner(destination)
        let link: String
        switch relationship.storage {
        case .links: link = "\(inner.alias).row IN (SELECT b FROM \(relationship.sqlTable) WHERE a = \(source))"
        case .inverseOfReference(let id):
            guard let reference = schema.relationship(withID: id)?.relationship.referenceProperty else {
                throw NotInSQL()
            }
            link = "\(inner.alias).p\(reference) = \(source)"
        case .reference: throw NotInSQL()
        }
        let count =
            "(SELECT count(*) FROM \(destination.sqlTable) \(inner.alias) WHERE \(link) AND \(try condition(inner)))"
        return toOnes.isEmpty ? count : "(CASE WHEN \(source) IS NULL THEN NULL ELSE \(count) END)"
    }

    /// A comparison of a value behind a to-many relationship, as a condition on the rows that it leads to.
    private func quantified(
        _ quantifier: Quantifier, _ comparison: QueryPredicate, _ scope: SQLScope
    ) throws -> String {
        guard case .comparison(.keyPath(let names), let sign, let right, let options) = comparison else {
            return try quantifiedText(quantifier, comparison, scope)
        }
        return try quantified(quantifier, names, scope) { .comparison($0, sign, right, options) }
    }

    private func quantifiedText(
        _ quantifier: Quantifier, _ comparison: QueryPredicate, _ scope: SQLScope
    ) throws -> String {
        guard case .text(.keyPath(let names), let text, let operand, let options) = comparison else { throw NotInSQL() }
        return try quantified(quantifier, names, scope) { .text($0, text, operand, options) }
    }

    private func quantified(
        _ quantifier: Quantifier, _ names: [String], _ scope: SQLScope,
        _ comparison: (QueryExpression) -> QueryPredicate
    ) throws -> String {
        var owner = scope.entity
        var length = 0
        for name in names {
            guard let relationship = owner.relationship(named: name),
                let entity = schema.entity(withID: relationship.destination)
            else { throw NotInSQL() }
            owner = entity
            length += 1
            if relationship.isToMany { break }
        }
        let condition = comparison(.keyPath(Array(names.dropFirst(length))))
        let found = try count(Array(names.prefix(length)), scope) { inner in
            let holds = try predicate(condition, inner)
            return quantifier == .all ? "NOT \(holds)" : holds
        }
        // No row is found where a relationship on the way leads nowhere.
        return quantifier == .any ? "ifnull(\(found) > 0, 0)" : "(NOT ifnull(\(found) > 0, 0))"
    }
}
