public import Foundation

extension PredicateExpressions {
    /// `other.evaluate(row)` in a predicate: a predicate that was made elsewhere, as a part of this one.
    ///
    /// ```
    /// let big = #Predicate<City> { $0.population > 1_000_000 }
    /// let bigAndNorthern = #Predicate<City> { big.evaluate($0) && $0.latitude > 50 }
    /// ```
    public struct _PredicateEvaluation<Model, Input: PredicateExpression>: PredicateExpression
    where Input.Output == Model {
        /// What the node gives.
        public typealias Output = Bool

        /// The predicate that is asked.
        public let predicate: Foundation.Predicate<Model>
        /// The model that it is asked about.
        public let input: Input

        /// Makes the node.
        public init(predicate: Foundation.Predicate<Model>, input: Input) {
            self.predicate = predicate
            self.input = input
        }

        /// Asks the predicate about the model, in memory.
        ///
        /// - Throws: what the predicate throws for the model.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try predicate.evaluate(input.evaluate(bindings))
        }
    }

    /// What the macro writes for `predicate.evaluate(row)`.
    public static func build_evaluate<Model, Input>(
        _ predicate: Value<Foundation.Predicate<Model>>, _ input: Input
    ) -> _PredicateEvaluation<Model, Input> {
        _PredicateEvaluation(predicate: predicate.value, input: input)
    }
}

extension PredicateExpressions._PredicateEvaluation: Sendable where Input: Sendable {}

extension PredicateExpressions._PredicateEvaluation: StandardPredicateExpression
where Input: StandardPredicateExpression {}

extension PredicateExpressions._PredicateEvaluation: Codable where Input: Codable {
    /// Not supported.
    ///
    /// - Throws: `EncodingError` always, as Foundation's key paths do outside of Apple's systems.
    public func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self,
            .init(codingPath: encoder.codingPath, debugDescription: "A predicate inside a predicate cannot be encoded.")
        )
    }

    /// Not supported.
    ///
    /// - Throws: `DecodingError` always, as Foundation's key paths do outside of Apple's systems.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "A predicate inside a predicate cannot be decoded.")
        )
    }
}
