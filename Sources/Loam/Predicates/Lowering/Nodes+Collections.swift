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
            case .related(let path, let model, let condition):
                let isElement = try LoweredValue.equal(
                    .row(LoweredPath(store: path.store), model), try element.inside(path))
                return path.any(.both(condition ?? .constant(true), isElement))
            case .elements(let array, let condition):
                let isElement = QueryPredicate.comparison(
                    .identifier, .equal, try element.inside(array.path).expression(), .none)
                return array.any(.both(condition, isElement))
            case .predicate, .row, .range: throw Unsupported("contains(_:) of \(LHS.Output.self)")
            }
        }
    }
}

extension PredicateExpressions.SequenceContainsWhere: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.lower(sequence).map { value in
            switch value {
            case .related(let path, let model, let condition):
                let test = try lowering.condition(variable.key, over: model, at: path, test)
                return .predicate(path.any(.both(condition ?? .constant(true), test)))
            case .constant where value.isNil: return .predicate(.constant(false))
            case .constant(let constant):
                var result = QueryPredicate.constant(false)
                for test in try lowering.tests(variable.key, in: constant, test: test) {
                    result = .either(result, test)
                }
                return .predicate(result)
            default:
                var (array, condition) = try value.elements("contains(where:)", of: LHS.Output.self)
                let test = try lowering.condition(variable.key, onElementsOf: &array, and: condition, test)
                return .predicate(array.any(test))
            }
        }
    }
}

extension PredicateExpressions.SequenceAllSatisfy: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.lower(sequence).map { value in
            switch value {
            case .related(let path, let model, let condition):
                let test = try lowering.condition(variable.key, over: model, at: path, test)
                return .predicate(path.none(.both(condition ?? .constant(true), test.negated)))
            case .constant where value.isNil: return .predicate(.constant(false))
            case .constant(let constant):
                var result = QueryPredicate.constant(true)
                for test in try lowering.tests(variable.key, in: constant, test: test) { result = .both(result, test) }
                return .predicate(result)
            default:
                var (array, condition) = try value.elements("allSatisfy(_:)", of: LHS.Output.self)
                let failure = try lowering.condition(
                    variable.key, onElementsOf: &array, and: condition, isNot: true, test)
                return .predicate(array.none(failure))
            }
        }
    }
}

extension PredicateExpressions.Filter: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.lower(sequence).map { value in
            switch value {
            case .related(let path, let model, let condition):
                let filter = try lowering.condition(variable.key, over: model, at: path, filter)
                return .related(path, model, where: .both(condition ?? .constant(true), filter))
            case .constant where value.isNil: return value
            case .constant(let constant):
                if let kept = computed(of: constant) { return .constant(kept) }
                let tests = try lowering.tests(variable.key, in: constant, test: filter)
                guard let elements = constant as? LHS.Output,
                    tests.allSatisfy({ $0 == .constant(true) || $0 == .constant(false) })
                else { throw Unsupported("filter(_:) of captured values by what depends on the row") }
                return .constant(zip(elements, tests).compactMap { $1 == .constant(true) ? $0 : nil })
            default:
                var (array, condition) = try value.elements("filter(_:)", of: LHS.Output.self)
                let filter = try lowering.condition(variable.key, onElementsOf: &array, and: condition, filter)
                return .elements(array, where: filter)
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

/// Dictionaries, whose elements are pairs.
private protocol StoredDictionary {}

extension Dictionary: StoredDictionary {}

extension LoweredPath {
    /// The predicate holds for at least one row at the end of the path.
    fileprivate func any(_ predicate: QueryPredicate) -> QueryPredicate {
        .comparison(counted(where: predicate), .greater, .number(NumberLiteral(Int64(0))), .none)
    }

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

    /// The stored array that it is, or is a part of, and the condition on the elements.
    ///
    /// - Throws: ``Unsupported`` for what is none.
    fileprivate func elements(
        _ use: String, of type: any Any.Type
    ) throws -> (array: LoweredArray, condition: QueryPredicate) {
        switch withParts(of: type) {
        case .elements(let array, let condition): return (array, condition)
        case .expression(let expression):
            if type is any StoredDictionary.Type {
                throw Unsupported("\(use) of a dictionary, which is asked by its keys, as in scores[key]")
            }
            if let array = LoweredArray(expression) { return (array, .constant(true)) }
            throw Unsupported("\(use) of a collection that is computed")
        default: throw Unsupported("\(use) of what is no collection")
        }
    }

    /// The least or the greatest element of a stored array; nil where there is none.
    fileprivate func aggregate(_ aggregate: LoamQuery.Aggregate, of type: any Any.Type) throws -> LoweredValue {
        if isNil { return self }
        let (array, condition) = try elements("\(aggregate.rawValue)()", of: type)
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
    /// The condition with the variable standing for each element of a captured collection.
    fileprivate mutating func tests(
        _ key: PredicateExpressions.VariableID, in constant: Any, test: any PredicateExpression
    ) throws -> [QueryPredicate] {
        guard let elements = ConstantValue.elements(of: constant) ?? ConstantValue.parts(of: constant) else {
            throw Unsupported("a closure over a captured \(type(of: constant))")
        }
        guard elements.count <= Lowered.limit else {
            throw Unsupported("a closure over more than \(Lowered.limit) captured values")
        }
        return try elements.map { try binding(key, to: .constant($0), test).predicate() }
    }
}
