import Foundation

@testable import Loam

/// A test of any shape, so that closures in a predicate can hold one that is chosen at run time.
struct AnyTest: StandardPredicateExpression, LoweredNode {
    typealias Output = Bool

    let base: any StandardPredicateExpression<Bool>

    init(_ base: any StandardPredicateExpression<Bool>) { self.base = base }

    func evaluate(_ bindings: PredicateBindings) throws -> Bool { try base.evaluate(bindings) }

    func lower(_ lowering: inout PredicateLowering) throws -> Lowered { try lowering.lower(base) }

    func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "Not encoded."))
    }

    init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "Not decoded."))
    }
}

extension AnyTest: CustomStringConvertible {
    var description: String { "\(base)" }
}
