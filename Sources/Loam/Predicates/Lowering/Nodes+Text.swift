import Foundation
import LoamQuery
import LoamStorage

extension PredicateExpressions.CollectionContainsCollection: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        guard Base.Output.self is any StringProtocol.Type, Other.Output.self is any StringProtocol.Type else {
            throw Unsupported("contains(_:) of a collection in a collection")
        }
        return try lowering.text(base, operation: .contains, right: other, options: .none)
    }
}

extension PredicateExpressions.SequenceStartsWith: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        guard Base.Output.self is any StringProtocol.Type, Prefix.Output.self is any StringProtocol.Type else {
            throw Unsupported("starts(with:) of a collection that is no string")
        }
        return try lowering.text(base, operation: .beginsWith, right: prefix, options: .none)
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
