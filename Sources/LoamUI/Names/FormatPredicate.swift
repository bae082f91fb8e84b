import Foundation
import Loam

/// An `NSPredicate` that was made from a format: what was read of it. It never changes.
final class FormatPredicate: NSPredicate {
    /// The format as it was read, or why it could not be.
    let template: Result<PredicateTemplate, SwiftDataError>

    convenience init(format: String, arguments: [Any?]) {
        self.init { try PredicateTemplate(format, arguments: arguments) }
    }

    private init(reading read: () throws -> PredicateTemplate) {
        do {
            template = .success(try read())
        } catch {
            template = .failure(SwiftDataError(error))
        }
        super.init(value: false)
    }

    /// Nil: formats are not archived.
    required init?(coder: NSCoder) { nil }

    func substituting(_ variables: [String: Any?]) -> FormatPredicate {
        FormatPredicate { try template.get().substituting(variables) }
    }

    override func evaluate(with object: Any?) -> Bool {
        guard let model = object as? any PersistentModel else { return false }
        return holds(for: model)
    }

    private func holds<Model: PersistentModel>(for model: Model) -> Bool {
        (try? predicate(over: Model.self).evaluate(model)) ?? false
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override func isEqual(_ object: Any?) -> Bool { object as AnyObject? === self }

    override var hash: Int { ObjectIdentifier(self).hashValue }
}

/// An `NSPredicate` that was made from a predicate over a model. It never changes.
final class ModelPredicate: NSPredicate {
    /// A `Predicate` of one model.
    let base: any Sendable
    private let evaluation: (Any?) -> Bool

    init<Model: PersistentModel>(_ predicate: Predicate<Model>) {
        base = predicate
        evaluation = { object in (object as? Model).flatMap { try? predicate.evaluate($0) } ?? false }
        super.init(value: false)
    }

    /// Nil: predicates are not archived.
    required init?(coder: NSCoder) { nil }

    override func evaluate(with object: Any?) -> Bool { evaluation(object) }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override func isEqual(_ object: Any?) -> Bool { object as AnyObject? === self }

    override var hash: Int { ObjectIdentifier(self).hashValue }
}
