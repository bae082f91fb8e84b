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

    /// `expression.evaluate(value)` in a predicate or another expression: the value of an expression that was made
    /// elsewhere.
    ///
    /// ```
    /// let crew = #Expression<Ship, Int> { $0.officers + $0.sailors }
    /// let large = #Predicate<Ship> { crew.evaluate($0) > 100 }
    /// ```
    public struct _ExpressionEvaluation<each Input: PredicateExpression, Output>: PredicateExpression {
        /// The expression whose value is asked for.
        public let expression: Foundation.Expression<repeat (each Input).Output, Output>
        /// What its parameters stand for.
        public let input: (repeat each Input)

        /// Makes the node.
        public init(
            expression: Foundation.Expression<repeat (each Input).Output, Output>, input: repeat each Input
        ) {
            self.expression = expression
            self.input = (repeat each input)
        }

        /// Computes the value, in memory.
        ///
        /// - Throws: what the inputs and the expression throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Output {
            try expression.evaluate(repeat (each input).evaluate(bindings))
        }
    }

    /// What the macro writes for `expression.evaluate(value)`.
    public static func build_evaluate<each Input, Output>(
        _ expression: Value<Foundation.Expression<repeat (each Input).Output, Output>>, _ input: repeat each Input
    ) -> _ExpressionEvaluation<repeat each Input, Output> {
        _ExpressionEvaluation(expression: expression.value, input: repeat each input)
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

extension PredicateExpressions._ExpressionEvaluation: Sendable where repeat each Input: Sendable {}

extension PredicateExpressions._ExpressionEvaluation: StandardPredicateExpression
where repeat each Input: StandardPredicateExpression {}

extension PredicateExpressions._ExpressionEvaluation: Codable where repeat each Input: Codable {
    /// Not supported.
    ///
    /// - Throws: `EncodingError` always, as Foundation's key paths do outside of Apple's systems.
    public func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self,
            .init(
                codingPath: encoder.codingPath, debugDescription: "An expression inside another cannot be encoded."))
    }

    /// Not supported.
    ///
    /// - Throws: `DecodingError` always, as Foundation's key paths do outside of Apple's systems.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "An expression inside another cannot be decoded."))
    }
}
