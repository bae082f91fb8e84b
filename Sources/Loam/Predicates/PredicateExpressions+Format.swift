public import Foundation
import LoamQuery

extension PredicateExpressions {
    /// What `Predicate(format:)` makes: a condition in Core Data's format.
    public struct _Format<each Input>: StandardPredicateExpression {
        /// What the node gives.
        public typealias Output = Bool

        let template: PredicateTemplate
        let variables: (repeat Variable<each Input>)

        init(_ template: PredicateTemplate, of variables: repeat Variable<each Input>) {
            self.template = template
            self.variables = (repeat each variables)
        }

        /// Asks the store of the model's context about the model as it is there, unsaved changes included: a look at
        /// one row, and at related ones.
        ///
        /// - Throws: ``SwiftDataError/missingModelContext`` for a model that is in no context, and what a fetch throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            for variable in repeat each variables {
                guard let model = try variable.evaluate(bindings) as? any PersistentModel else { continue }
                return try Self.holds(template, for: model)
            }
            throw SwiftDataError(.unsupportedPredicate, detail: "A predicate from a format is about one model.")
        }

        private static func holds<Model: PersistentModel>(
            _ template: PredicateTemplate, for model: Model
        ) throws -> Bool {
            guard let context = model.modelContext else {
                throw SwiftDataError(
                    .missingModelContext,
                    detail: "A predicate from a format is asked of a model's context: insert the model first.")
            }
            return try context.hasMatch(of: Predicate<Model>(template: template.and(model.persistentModelID)))
        }
    }

    /// What `Predicate(all:)`, `Predicate(any:)` and `Predicate(not:)` make of other predicates.
    public struct _Compound<each Input>: StandardPredicateExpression {
        /// What the node gives.
        public typealias Output = Bool

        let kind: CompoundKind
        let predicates: [Foundation.Predicate<repeat each Input>]
        let variables: (repeat Variable<each Input>)

        init(
            _ kind: CompoundKind, _ predicates: [Foundation.Predicate<repeat each Input>],
            of variables: repeat Variable<each Input>
        ) {
            self.kind = kind
            self.predicates = predicates
            self.variables = (repeat each variables)
        }

        /// Asks the predicates one after another, up to the one that decides.
        ///
        /// - Throws: what they throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            let decides = kind != .and
            for predicate in predicates
            where try predicate.evaluate(repeat (each variables).evaluate(bindings)) == decides {
                return kind == .or
            }
            return kind != .or
        }
    }
}

/// How predicates are joined.
enum CompoundKind { case and, or, not }

extension PredicateExpressions._Format: Codable {
    /// Not supported.
    ///
    /// - Throws: `EncodingError` always.
    public func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self,
            .init(codingPath: encoder.codingPath, debugDescription: "A predicate from a format cannot be encoded."))
    }

    /// Not supported.
    ///
    /// - Throws: `DecodingError` always.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "A predicate from a format cannot be decoded."))
    }
}

extension PredicateExpressions._Compound: Codable {
    /// Not supported.
    ///
    /// - Throws: `EncodingError` always.
    public func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self, .init(codingPath: encoder.codingPath, debugDescription: "Joined predicates cannot be encoded."))
    }

    /// Not supported.
    ///
    /// - Throws: `DecodingError` always.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "Joined predicates cannot be decoded."))
    }
}
