public import Foundation
import LoamStorage

// Functions of values that Foundation has no nodes for.

extension PredicateExpressions {
    /// What the macro writes for `lowercased()`.
    public static func build_lowercased<Root>(_ root: Root) -> _FunctionCall<Root, String>
    where Root.Output: StringProtocol {
        _FunctionCall(.lowercase, of: root)
    }

    /// What the macro writes for `uppercased()`.
    public static func build_uppercased<Root>(_ root: Root) -> _FunctionCall<Root, String>
    where Root.Output: StringProtocol {
        _FunctionCall(.uppercase, of: root)
    }

    /// A function of one value in a predicate, such as `name.lowercased()`. A fetch and a test in memory
    /// compute it alike.
    public struct _FunctionCall<Argument: PredicateExpression, Output: Codable & Sendable>: PredicateExpression {
        let function: Function
        /// The expression whose value the function is given.
        public let argument: Argument

        init(_ function: Function, of argument: Argument) {
            self.function = function
            self.argument = argument
        }

        /// Computes the result, in memory.
        ///
        /// - Throws: `DecodingError` where there is none, and what the argument throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Output {
            let value = try ConstantValue.value(of: argument.evaluate(bindings))
            let typed = value.scalarType.flatMap { TypedFunction(function, of: [$0]) }
            return try ValueDecoder.decode(Output.self, from: typed?.result(of: value) ?? .null)
        }
    }
}

extension PredicateExpressions._FunctionCall: Sendable where Argument: Sendable {}
extension PredicateExpressions._FunctionCall: Codable where Argument: Codable {}
extension PredicateExpressions._FunctionCall: StandardPredicateExpression
where Argument: StandardPredicateExpression {}
