public import Foundation

extension PredicateExpressions {
    /// `other.evaluate(row)` in a predicate: a predicate that was made elsewhere, as a part of this one.
    ///
    /// ```
    /// let big = #Predicate<City> { $0.population > 1_000_000 }
    /// let bigAndNorthern = #Predicate<City> { big.evaluate($0) && $0.latitude > 50 }
    /// ```
    public struct PredicateEvaluation<Model, Input: PredicateExpression>: PredicateExpression
    where Input.Output == Model {
        public typealias Output = Bool

        public let predicate: Foundation.Predicate<Model>
        public let input: Input

        public init(predicate: Foundation.Predicate<Model>, input: Input) {
            self.predicate = predicate
            self.input = input
        }

        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try predicate.evaluate(input.evaluate(bindings))
        }
    }

    /// What the macro writes for `predicate.evaluate(row)`.
    public static func build_evaluate<Model, Input>(
        _ predicate: Value<Foundation.Predicate<Model>>, _ input: Input
    ) -> PredicateEvaluation<Model, Input> {
        PredicateEvaluation(predicate: predicate.value, input: input)
    }
}

extension PredicateExpressions.PredicateEvaluation: Sendable where Input: Sendable {}

extension PredicateExpressions.PredicateEvaluation: StandardPredicateExpression
where Input: StandardPredicateExpression {}

extension PredicateExpressions.PredicateEvaluation: Codable where Input: Codable {
    /// - Throws: always, as Foundation's key paths do outside of Apple's systems.
    public func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self,
            .init(codingPath: encoder.codingPath, debugDescription: "A predicate inside a predicate cannot be encoded.")
        )
    }

    /// - Throws: always, as Foundation's key paths do outside of Apple's systems.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "A predicate inside a predicate cannot be decoded.")
        )
    }
}
