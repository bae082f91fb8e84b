import Foundation
import LoamQuery
import LoamStorage

extension PredicateExpressions.SequenceContains: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        if LHS.Output.self is any StringProtocol.Type {
            return try lowering.text(sequence, operation: .contains, right: element, options: .none)
        }
        return try .test(lowering.lower(sequence), lowering.lower(element)) { sequence, element in
            if !sequence.isConstant, !element.isNil { try StoredEquality.check(LHS.Output.Element.self) }
            if let predicate = try LoweredValue.contains(element, in: sequence) { return predicate }
            switch sequence.withParts(of: LHS.Output.self) {
            case .constant where sequence.isNil: return .constant(false)
            case .constant(let constant):
                guard let elements = ConstantValue.elements(of: constant) else {
                    throw Unsupported("contains(_:) of a captured \(LHS.Output.self)")
                }
                return try element.isIn(elements, as: LHS.Output.Element.self)
            case .expression(let expression): return .isIn(try element.expression(), expression, .none)
            case .related(var rows, let model, let condition):
                var known = condition ?? .constant(true)
                let row = LoweredValue.row(LoweredPath(store: rows.store), model)
                let isElement = try rows.reading(where: &known) { try LoweredValue.equal(row, element.inside($0)) }
                return rows.any(.both(known, isElement))
            case .elements(var array, var condition):
                let wanted = try array.reading(where: &condition) { try element.inside($0).expression() }
                return array.any(.both(condition, .comparison(array.element, .equal, wanted, .none)))
            case .chosen(let choices):
                return try .any(
                    choices.map { choice in
                        let isElement = try element.isIn([choice.value], as: LHS.Output.Element.self)
                        return .both(choice.condition, isElement)
                    })
            case .predicate, .row, .end, .range: throw Unsupported("contains(_:) of \(LHS.Output.self)")
            }
        }
    }
}

extension PredicateExpressions.SequenceContainsWhere: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.lower(sequence).map { value in
            switch value {
            case .constant where value.isNil: return .predicate(.constant(false))
            case .constant, .chosen:
                let passed = try lowering.choices(variable.key, in: value, test: test)
                return .predicate(.any(passed.map(\.condition)))
            default:
                var (array, model, condition) = try value.elements("contains(where:)", of: LHS.Output.self)
                let test = try lowering.condition(variable.key, onEachOf: &array, model, and: condition, test)
                return .predicate(array.any(test))
            }
        }
    }
}

extension PredicateExpressions.SequenceAllSatisfy: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.lower(sequence).map { value in
            switch value {
            case .constant where value.isNil: return .predicate(.constant(false))
            case .constant, .chosen:
                let failed = try lowering.choices(variable.key, in: value, test: test, isNot: true)
                return .predicate(failed.reduce(.constant(true)) { .both($0, $1.condition.negated) })
            default:
                var (array, model, condition) = try value.elements("allSatisfy(_:)", of: LHS.Output.self)
                let failure = try lowering.condition(
                    variable.key, onEachOf: &array, model, and: condition, isNot: true, test)
                return .predicate(array.none(failure))
            }
        }
    }
}

extension PredicateExpressions.Filter: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.lower(sequence).map { value in
            switch value {
            case .constant where value.isNil: return value
            case .constant(let constant):
                if let kept = computed(of: constant) { return .constant(kept) }
                let kept = try lowering.choices(variable.key, in: value, test: filter)
                let elements = kept.compactMap {
                    $0.condition == .constant(true) ? $0.value as? LHS.Output.Element : nil
                }
                return elements.count == kept.count ? .constant(elements) : .chosen(kept)
            case .chosen: return .chosen(try lowering.choices(variable.key, in: value, test: filter))
            default:
                var (array, model, condition) = try value.elements("filter(_:)", of: LHS.Output.self)
                let filter = try lowering.condition(variable.key, onEachOf: &array, model, and: condition, filter)
                return model.map { .related(array, $0, where: filter) } ?? .elements(array, where: filter)
            }
        }
    }
}

extension PredicateExpressions.Filter {
    /// The captured elements that pass the test, by Swift; nil where the test reads the row, or cannot be evaluated.
    fileprivate func computed(of constant: Any) -> [LHS.Output.Element]? {
        guard let elements = constant as? LHS.Output else { return nil }
        return try? elements.filter { element in
            var bindings = PredicateBindings()
            bindings[variable] = element
            return try filter.evaluate(bindings)
        }
    }
}

extension PredicateExpressions.SequenceMinimum: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try CaseOrder.checkOperand(Elements.Output.Element.self)
        return try lowering.lower(elements).map { value in
            if let captured = value.constant(as: Elements.Output.self) { return .constant(captured.min() as Any) }
            return try value.aggregate(.min, of: Elements.Output.self)
        }
    }
}

extension PredicateExpressions.SequenceMaximum: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try CaseOrder.checkOperand(Elements.Output.Element.self)
        return try lowering.lower(elements).map { value in
            if let captured = value.constant(as: Elements.Output.self) { return .constant(captured.max() as Any) }
            return try value.aggregate(.max, of: Elements.Output.self)
        }
    }
}

extension LoweredPath {
    /// The predicate holds for none of the rows at the end of the path; nil is true for all.
    func none(_ predicate: QueryPredicate?) -> QueryPredicate {
        .comparison(counted(where: predicate), .equal, .number(NumberLiteral(Int64(0))), .none)
    }
}

extension LoweredValue {
    /// A captured collection; nil for a stored one.
    func constant<Captured>(as type: Captured.Type) -> Captured? {
        if case .constant(let value) = self { value as? Captured } else { nil }
    }

    /// The elements of a text or of data; anything else is as it is.
    fileprivate func withParts(of type: any Any.Type) -> LoweredValue {
        guard type is any TextOrData.Type, case .expression(let expression) = self,
            let array = LoweredArray(expression, as: type)
        else { return self }
        return .elements(array, where: .constant(true))
    }

    /// The stored array or the related rows that it is, or is a part of, the model of these rows, and the condition on the
    /// elements.
    ///
    /// - Throws: ``Unsupported`` for what is none.
    fileprivate func elements(
        _ use: String, of type: any Any.Type
    ) throws -> (array: LoweredArray, model: ModelType?, condition: QueryPredicate) {
        switch withParts(of: type) {
        case .related(let rows, let model, let condition): return (rows, model, condition ?? .constant(true))
        case .elements(let array, let condition): return (array, nil, condition)
        case .expression(let expression):
            if let array = LoweredArray(expression) { return (array, nil, .constant(true)) }
            throw Unsupported("\(use) of a collection that is computed")
        default: throw Unsupported("\(use) of what is no collection")
        }
    }

    /// The least or the greatest element of a stored array; nil where there is none.
    fileprivate func aggregate(_ aggregate: LoamQuery.Aggregate, of type: any Any.Type) throws -> LoweredValue {
        if isNil { return self }
        if case .chosen(let choices) = self {
            return .expression(.aggregate(aggregate, of: .list(try choices.map { try $0.expression() })))
        }
        let (array, _, condition) = try elements("\(aggregate.rawValue)()", of: type)
        let isOfAll = condition == .constant(true) && !(type is any TextOrData.Type)
        return .expression(array.aggregate(aggregate, where: isOfAll ? nil : condition))
    }

    /// Whether it equals one of the captured values.
    ///
    /// - Parameter type: of the captured values.
    fileprivate func isIn(_ elements: [Any], as type: any Any.Type) throws -> QueryPredicate {
        // What no list of values compares: conditions, sets, and what Swift compares by itself.
        if isConstant || isPredicate || StoredEquality.wrapped(type) is any StoredSet.Type {
            return try .any(elements.map { try LoweredValue.equal(self, .constant($0), as: type) })
        }
        if !isRow { try StoredEquality.check(type) }
        let list = try elements.map { try LoweredValue.constant($0).expression(beside: self) }
        return list.isEmpty ? .constant(false) : .isIn(try expression(), .list(list), .none)
    }
}

extension PredicateLowering {
    /// The captured values for which a test holds, where the variable stands for each, and on which condition.
    ///
    /// - Parameter isNot: whether those are meant for which the test does not hold.
    fileprivate mutating func choices(
        _ key: PredicateExpressions.VariableID, in value: LoweredValue, test: any PredicateExpression,
        isNot: Bool = false
    ) throws -> [Choice] {
        var choices: [Choice] = []
        for choice in try value.choices {
            let test = try binding(key, to: .constant(choice.value), test).predicate()
            let condition = QueryPredicate.both(choice.condition, isNot ? test.negated : test)
            if condition != .constant(false) { choices.append(Choice(value: choice.value, condition: condition)) }
        }
        return choices
    }
}

extension LoweredValue {
    /// The captured values that it is made of.
    ///
    /// - Throws: ``Unsupported`` where it is none, and for more than ``Lowered/limit``.
    fileprivate var choices: [Choice] {
        get throws {
            let choices: [Choice]
            switch self {
            case .chosen(let known): choices = known
            case .constant(let constant):
                guard let elements = ConstantValue.elements(of: constant) ?? ConstantValue.parts(of: constant) else {
                    throw Unsupported("a closure over a captured \(type(of: constant))")
                }
                choices = elements.map { Choice(value: $0, condition: .constant(true)) }
            default: throw Unsupported("a closure over what is no captured collection")
            }
            guard choices.count <= Lowered.limit else {
                throw Unsupported("a closure over more than \(Lowered.limit) captured values")
            }
            return choices
        }
    }
}

extension Choice {
    /// The value where it is there, else nil.
    fileprivate func expression() throws -> QueryExpression {
        let value = QueryExpression.constant(try ConstantValue.value(of: value))
        return condition == .constant(true) ? value : .conditional(condition, value, .constant(.null))
    }
}

extension [Choice] {
    /// How many are there.
    var counted: QueryExpression {
        let one = QueryExpression.number(NumberLiteral(Int64(1)))
        return .aggregate(.count, of: .list(map { .conditional($0.condition, one, .constant(.null)) }))
    }

    /// The first of those that are there; nil where none is. O(choices²).
    func first() throws -> Lowered {
        var cases: [Lowered.Case] = []
        var isNone = QueryPredicate.constant(true)
        for choice in self {
            let condition = QueryPredicate.both(isNone, choice.condition)
            if condition != .constant(false) {
                cases.append(Lowered.Case(condition: condition, value: .constant(choice.value)))
            }
            isNone = .both(isNone, choice.condition.negated)
        }
        if isNone != .constant(false) {
            cases.append(Lowered.Case(condition: isNone, value: .constant(Any?.none as Any)))
        }
        guard cases.count <= Lowered.limit else { throw Unsupported("the first of so many captured values") }
        return Lowered(cases: cases)
    }
}
