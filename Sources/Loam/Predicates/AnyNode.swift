import Foundation

/// An expression of any shape in one type: for predicates that are put together at run time, where a closure must give
/// the same type whatever it makes.
package struct AnyNode<Output>: StandardPredicateExpression {
    package let base: any StandardPredicateExpression<Output>

    package init(_ base: any StandardPredicateExpression<Output>) { self.base = base }

    package func evaluate(_ bindings: PredicateBindings) throws -> Output { try base.evaluate(bindings) }

    /// Not supported.
    ///
    /// - Throws: `EncodingError` always.
    package func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self,
            .init(codingPath: encoder.codingPath, debugDescription: "An expression of any shape cannot be encoded."))
    }

    /// Not supported.
    ///
    /// - Throws: `DecodingError` always.
    package init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "An expression of any shape cannot be decoded."))
    }
}

extension AnyNode: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered { try lowering.lower(base) }
}

extension AnyNode: CustomStringConvertible {
    package var description: String { "\(base)" }
}
