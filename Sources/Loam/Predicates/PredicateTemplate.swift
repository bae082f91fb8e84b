import Foundation
import LoamQuery
import LoamStorage

/// A predicate that was read from a format: its tree, parsed once, and the identifiers that stand for variables in it.
///
/// What row an identifier names depends on the store, so it takes its place when the predicate is fetched.
package struct PredicateTemplate: Sendable {
    private(set) var tree: QueryPredicate
    private var identifiers: [String: PersistentIdentifier] = [:]

    /// - Throws: ``SwiftDataError/unsupportedPredicate`` with the position of what cannot be read, and for arguments
    ///   that no attribute can be compared with.
    package init(_ format: String, arguments: [Any?]) throws {
        tree = .constant(true)
        do {
            var expressions: [QueryExpression] = []
            // No name in a format has an at sign.
            for (number, argument) in arguments.enumerated() {
                expressions.append(try expression(of: argument as Any, named: "@\(number)"))
            }
            tree = try PredicateParser.parse(format, expressions: expressions)
        } catch {
            throw Self.named(error)
        }
    }

    /// The template with another condition beside its own, that the row is this one.
    func and(_ identifier: PersistentIdentifier) -> PredicateTemplate {
        var template = self
        template.tree = .and([.comparison(.identifier, .equal, .variable("@@row"), .none), tree])
        template.identifiers["@@row"] = identifier
        return template
    }

    /// - Throws: ``SwiftDataError/unsupportedPredicate`` for values that no attribute can be compared with.
    package func substituting(_ values: [String: Any?]) throws -> PredicateTemplate {
        var template = self
        do {
            var expressions: [String: QueryExpression] = [:]
            let open = tree.variables
            for (name, value) in values where open.contains(name) && !name.hasPrefix("@") {
                expressions[name] = try template.expression(of: value as Any, named: "@" + name)
            }
            template.tree = tree.substituting(expressions)
        } catch {
            throw Self.named(error)
        }
        return template
    }

    /// The tree over the rows of a store.
    func tree(in store: String?) -> QueryPredicate {
        tree.substituting(identifiers.mapValues { .constant(ConstantValue.value(of: $0, in: store)) })
    }

    private mutating func expression(of value: Any, named name: String) throws -> QueryExpression {
        guard let value = ConstantValue.unwrapped(value) else { return .constant(.null) }
        if let model = value as? any PersistentModel { return variable(name, for: model.persistentModelID) }
        if let identifier = value as? PersistentIdentifier { return variable(name, for: identifier) }
        if let dictionary = value as? [String: Any] {
            return try list(dictionary.keys.sorted().compactMap { dictionary[$0] }, named: name)
        }
        if let elements = ConstantValue.elements(of: value) { return try list(elements, named: name) }
        if let range = value as? any ConstantRange, range.isClosedConstant, let lower = range.lowerConstant,
            let upper = range.upperConstant
        {
            return try list([lower, upper], named: name)
        }
        return .constant(try ConstantValue.value(of: value))
    }

    private mutating func list(_ elements: [Any], named name: String) throws -> QueryExpression {
        var expressions: [QueryExpression] = []
        for (number, element) in elements.enumerated() {
            expressions.append(try expression(of: element, named: "\(name).\(number)"))
        }
        let values = expressions.compactMap { if case .constant(let value) = $0 { value } else { nil } }
        return values.count == expressions.count ? .constant(.array(values)) : .list(expressions)
    }

    private mutating func variable(_ name: String, for identifier: PersistentIdentifier) -> QueryExpression {
        identifiers[name] = identifier
        return .variable(name)
    }

    private static func named(_ error: any Error) -> SwiftDataError {
        guard let unsupported = error as? Unsupported else { return SwiftDataError(error) }
        return SwiftDataError(.unsupportedPredicate, detail: "No argument of a predicate: \(unsupported.part).")
    }
}
