import Foundation
import LoamQuery
import LoamStorage

/// Turns the nodes of a predicate into the tree that fetches run.
struct PredicateLowering {
    /// What variables stand for; of two with one key the later one counts. There are as many as closures lie around the
    /// node at hand: looking through them costs less than a dictionary.
    private var variables: [Binding] = []
    /// How many closures over related rows lie around the node at hand.
    private var depth = 0
    /// How many nodes lie around the one at hand.
    private var level = 0

    private struct Binding {
        let key: PredicateExpressions.VariableID
        var value: LoweredValue
        /// How many counts lay around it where it was bound.
        var depth: Int
        /// What is thrown where it is used: it stands for a row that the condition at hand cannot read.
        var hidden: Unsupported?
    }

    /// Nodes inside each other: lowering calls itself as often, and a stack ends.
    static let levelLimit = 1000

    /// The predicate over a model's rows.
    ///
    /// - Parameter store: the identifier of the store that is asked; nil where any may be.
    /// - Throws: ``SwiftDataError/unsupportedPredicate`` or ``SwiftDataError/unsupportedKeyPath``, naming the part.
    static func lower<Model: PersistentModel>(
        _ predicate: Predicate<Model>, in store: String? = nil
    ) throws -> QueryPredicate {
        try lower(predicate.expression, of: predicate.variable.key, ModelType.of(Model.self), in: store)
    }

    /// The predicate that an expression is, whose variable stands for a model's rows.
    ///
    /// - Throws: as ``lower(_:in:)``.
    static func lower(
        _ expression: any PredicateExpression, of row: PredicateExpressions.VariableID, _ model: ModelType,
        in store: String? = nil
    ) throws -> QueryPredicate {
        var lowering = PredicateLowering()
        lowering.variables = [Binding(key: row, value: .row(LoweredPath(store: store), model), depth: 0)]
        do {
            return try lowering.lower(expression).predicate()
        } catch let unsupported as Unsupported {
            throw SwiftDataError(.unsupportedPredicate, detail: "Not supported in a fetch: \(unsupported.part).")
        }
    }

    mutating func lower(_ expression: any PredicateExpression) throws -> Lowered {
        guard level < Self.levelLimit else {
            throw Unsupported("a predicate that nests deeper than \(Self.levelLimit) levels")
        }
        level += 1
        defer { level -= 1 }
        guard let lowered = try NodeLowering.lower(expression, &self) else {
            throw Unsupported(Self.name(of: expression))
        }
        return lowered
    }

    func variable(_ key: PredicateExpressions.VariableID) throws -> Lowered {
        guard let bound = variables.last(where: { $0.key == key }) else {
            throw Unsupported("a variable of another predicate")
        }
        if let hidden = bound.hidden { throw hidden }
        return Lowered(bound.value.outside(depth - bound.depth))
    }

    /// Lowers `body` with a variable that stands for `value`.
    mutating func binding(
        _ key: PredicateExpressions.VariableID, to value: LoweredValue, _ body: any PredicateExpression
    ) throws -> Lowered {
        variables.append(Binding(key: key, value: value, depth: depth))
        defer { variables.removeLast() }
        return try lower(body)
    }

    /// Lowers `body` with variables that stand for values, for each combination of their cases.
    mutating func binding(
        _ variables: ArraySlice<(key: PredicateExpressions.VariableID, value: Lowered)>,
        _ body: any PredicateExpression
    ) throws -> Lowered {
        guard let (key, value) = variables.first else { return try lower(body) }
        return try value.flatMap { value in
            self.variables.append(Binding(key: key, value: value, depth: depth))
            defer { self.variables.removeLast() }
            return try binding(variables.dropFirst(), body)
        }
    }

    /// Lowers `body`, the condition on each row of a to-many relationship, or on each element of a stored array. Where it
    /// reads a row between the array's and this one, the array becomes one that is computed, whose elements' condition
    /// stays where it stands.
    ///
    /// - Parameters:
    ///   - model: of the rows; nil for elements.
    ///   - condition: the condition on the elements that there is already.
    ///   - isNot: whether the elements are meant for which `body` does not hold.
    mutating func condition(
        _ key: PredicateExpressions.VariableID, onEachOf array: inout LoweredArray, _ model: ModelType?,
        and condition: QueryPredicate, isNot: Bool = false, _ body: any PredicateExpression
    ) throws -> QueryPredicate {
        let element = model.map { LoweredValue.row(LoweredPath(store: array.store), $0) } ?? .expression(array.element)
        var known = condition
        let test = try array.reading(where: &known) { try self.condition(key, element, at: $0, body) }
        return .both(known, isNot ? test.negated : test)
    }

    private mutating func condition(
        _ key: PredicateExpressions.VariableID, _ element: LoweredValue, at path: LoweredPath,
        _ body: any PredicateExpression
    ) throws -> QueryPredicate {
        let around = (variables, depth)
        defer { (variables, depth) = around }
        go(to: path)
        depth += 1
        return try binding(key, to: element, body).predicate()
    }

    /// Goes out to the row where a path begins: variables that stand for rows on the way are hidden.
    private mutating func go(to path: LoweredPath) {
        guard path.levels > 0 else { return }
        depth -= path.levels
        for number in variables.indices where variables[number].depth > depth {
            if let value = variables[number].value.lifted(variables[number].depth - depth) {
                variables[number].value = value
                variables[number].depth = depth
            } else {
                variables[number].hidden = path.hidesRows
            }
        }
    }

    /// A node's type without its operands: "Foundation's IntRemainder".
    private static func name(of expression: any PredicateExpression) -> String {
        let name = String(describing: type(of: expression))
        return String(name.prefix { $0 != "<" })
    }
}

/// A node that fetches can run, in whole or in part.
protocol LoweredNode: PredicateExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered
}
