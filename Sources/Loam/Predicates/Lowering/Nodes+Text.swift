import Foundation
import LoamQuery
import LoamStorage

extension PredicateExpressions.CollectionContainsCollection: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        guard Base.Output.self is any StringProtocol.Type, Other.Output.self is any StringProtocol.Type else {
            return try .test(lowering.lower(base), lowering.lower(other)) { base, other in
                if let base = base.constant(as: Base.Output.self), let other = other.constant(as: Other.Output.self) {
                    return .constant(base.contains(other))
                }
                if let element = Base.Output.Element.self as? any NestedArray.Type {
                    return try base.has(other, ofArrays: element)
                }
                return try base.has(other, .contains, as: Base.Output.self)
            }
        }
        return try lowering.text(base, operation: .contains, right: other, options: .none)
    }
}

extension PredicateExpressions.SequenceStartsWith: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        guard Base.Output.self is any StringProtocol.Type, Prefix.Output.self is any StringProtocol.Type else {
            return try .test(lowering.lower(base), lowering.lower(prefix)) { base, prefix in
                if let base = base.constant(as: Base.Output.self), let prefix = prefix.constant(as: Prefix.Output.self)
                {
                    return .constant(base.starts(with: prefix))
                }
                return try base.has(prefix, .beginsWith, as: Base.Output.self)
            }
        }
        return try lowering.text(base, operation: .beginsWith, right: prefix, options: .none)
    }
}

extension LoweredValue {
    /// Whether the elements of another collection lie in this one, one behind the other.
    ///
    /// - Parameter type: of this one.
    fileprivate func has<Elements: Sequence>(
        _ other: LoweredValue, _ place: TextOperator, as type: Elements.Type
    ) throws -> QueryPredicate {
        if isNil || other.isNil { return .constant(false) }
        guard !(type is any StoredSet.Type) else {
            throw Unsupported("what lies one behind the other in a set, which has no order")
        }
        try StoredEquality.check(Elements.Element.self)
        return .text(try expression(), place, try other.expression(), .none)
    }

    /// The same of arrays in an array, in which what is written down could be one of these as well.
    ///
    /// - Parameter element: the type of the arrays.
    fileprivate func has(_ other: LoweredValue, ofArrays element: any NestedArray.Type) throws -> QueryPredicate {
        if isNil || other.isNil { return .constant(false) }
        // The types of the schema tell a run from an element.
        guard case .constant(let value) = other else {
            return .text(try expression(), .contains, try other.expression(), .none)
        }
        guard case .array(let elements) = try ConstantValue.value(of: value) else {
            throw Unsupported("contains(_:) of a captured \(type(of: value))")
        }
        // The empty run is in every array.
        guard !elements.isEmpty else { return try isNull().negated }
        guard LoamStorage.Value.array(elements).depth > element.depth else {
            throw Unsupported("contains(_:) of arrays one behind the other that are empty")
        }
        return .text(try expression(), .contains, .constant(.array(elements)), .none)
    }
}

/// Arrays, by how many types of arrays lie inside each other.
private protocol NestedArray {
    static var depth: Int { get }
}

extension Array: NestedArray {
    fileprivate static var depth: Int { 1 + ((Element.self as? any NestedArray.Type)?.depth ?? 0) }
}

extension LoamStorage.Value {
    /// How many arrays lie inside each other.
    fileprivate var depth: Int {
        if case .array(let elements) = self { 1 + (elements.map(\.depth).max() ?? 0) } else { 0 }
    }
}

extension PredicateExpressions._LocalizedStandardContains: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.text(
            root, operation: .contains, right: other, options: StringOptions(ignoresCase: true, ignoresDiacritics: true)
        )
    }
}

extension PredicateExpressions._LocalizedStandardStarts: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.text(
            base, operation: .beginsWith, right: prefix,
            options: StringOptions(ignoresCase: true, ignoresDiacritics: true))
    }
}

extension PredicateLowering {
    mutating func text(
        _ left: any PredicateExpression, operation: TextOperator, right: any PredicateExpression,
        options: StringOptions
    ) throws -> Lowered {
        try .test(lower(left), lower(right)) { left, right in
            if left.isNil || right.isNil { return .constant(false) }
            return .text(try left.expression(), operation, try right.expression(), options)
        }
    }
}
