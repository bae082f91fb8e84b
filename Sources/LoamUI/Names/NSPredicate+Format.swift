public import Foundation
import Loam

/// Where `NSPredicate` has its formats from: Foundation's own initialisers of these names cannot be called on Linux, and
/// only a protocol's can make an instance of a class below.
public protocol _PredicateFormatReading {}

extension NSPredicate: _PredicateFormatReading {}

extension _PredicateFormatReading where Self == NSPredicate {
    /// Makes a predicate from Core Data's format.
    ///
    /// ```swift
    /// NSPredicate(format: "%K BEGINSWITH[cd] $query", "name")
    /// ```
    ///
    /// `%@` stands for a value, an array, a model or its identifier; `%K` for a key path; `%d`, `%f`, `%s` and their kin for
    /// numbers and texts. The format is read here, once, and never stops the program: what cannot be read is an error of
    /// each fetch with the predicate, such as `fetchError` of a wrapper.
    public init(format: String, _ arguments: Any?...) { self = FormatPredicate(format: format, arguments: arguments) }

    /// Makes a predicate from Core Data's format, with its arguments in an array; nil: without any.
    ///
    /// Otherwise as ``init(format:_:)``.
    public init(format: String, argumentArray arguments: [Any]?) {
        self = FormatPredicate(format: format, arguments: arguments ?? [])
    }

    /// The same condition as a predicate of `#Predicate`, under Core Data's name. O(1).
    public init<Model: PersistentModel>(_ predicate: Predicate<Model>) { self = ModelPredicate(predicate) }
}

extension NSPredicate {
    /// The predicate with values in the places of the variables of its format, and of those that it is joined of.
    ///
    /// Variables that have no value here stay; fetching with one is an error of the fetch, and so is a value that no
    /// attribute can be compared with. A predicate without variables gives itself.
    public func withSubstitutionVariables(_ variables: [String: Any?]) -> NSPredicate {
        switch self {
        case let format as FormatPredicate: format.substituting(variables)
        case let compound as NSCompoundPredicate:
            NSCompoundPredicate(
                type: compound.compoundPredicateType,
                subpredicates: compound.subpredicates.map { $0.withSubstitutionVariables(variables) })
        default: self
        }
    }

    /// The predicate over a model's rows.
    ///
    /// - Throws: ``SwiftDataError/unsupportedPredicate`` for a format that cannot be read, for a predicate of a block, and
    ///   for one about another model.
    func predicate<Model: PersistentModel>(over model: Model.Type) throws(SwiftDataError) -> Predicate<Model> {
        switch self {
        case let format as FormatPredicate: return Predicate(template: try format.template.get())
        case let other as ModelPredicate:
            if let predicate = other.base as? Predicate<Model> { return predicate }
            throw SwiftDataError(.unsupportedPredicate, detail: "The predicate is about another model than \(model).")
        case let compound as NSCompoundPredicate: return try compound.joined(over: model)
        case NSPredicate(value: true): return Predicate(all: [])
        case NSPredicate(value: false): return Predicate(any: [])
        default:
            throw SwiftDataError(.unsupportedPredicate, detail: "A predicate of a block cannot be fetched with.")
        }
    }
}

extension NSCompoundPredicate {
    fileprivate func joined<Model: PersistentModel>(
        over model: Model.Type
    ) throws(SwiftDataError) -> Predicate<Model> {
        var predicates: [Predicate<Model>] = []
        for part in subpredicates { predicates.append(try part.predicate(over: model)) }
        switch compoundPredicateType {
        case .or: return Predicate(any: predicates)
        case .not: return Predicate(not: predicates.first ?? Predicate(all: []))
        default: return Predicate(all: predicates)
        }
    }
}
