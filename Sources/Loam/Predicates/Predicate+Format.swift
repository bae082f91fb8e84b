public import Foundation
import LoamQuery

extension Foundation.Predicate {
    /// Makes a predicate from Core Data's format, which is read here and nowhere else.
    ///
    /// ```swift
    /// let big = try Predicate<City>(format: "population > %d AND country.code == %@", 1_000_000, "JP")
    /// let named = try Predicate<City>(format: "%K BEGINSWITH[cd] $query", "name")
    /// let found = try context.fetch(
    ///     FetchDescriptor(predicate: named.withSubstitutionVariables(["query": "são"])))
    /// ```
    ///
    /// `%@` stands for a value, an array, a model or its identifier; `%K` for a key path; `%d`, `%lu`, `%f`, `%s` and
    /// their kin for numbers and texts. A word with a dollar sign is a variable, which
    /// ``withSubstitutionVariables(_:)`` gives a value. Names are those of stored properties; whether they exist is
    /// found out by the fetch.
    ///
    /// In a fetch it is planned like any other predicate. `evaluate(_:)` asks the model's context.
    ///
    /// - Throws: ``SwiftDataError/unsupportedPredicate`` with the position of what cannot be read or is not supported,
    ///   for arguments that do not fit their placeholders, and for a predicate of anything but one model.
    public init(format: String, _ arguments: Any?...) throws {
        try self.init(format: format, argumentArray: arguments)
    }

    /// Makes a predicate from Core Data's format, with its arguments in an array.
    ///
    /// - Throws: ``SwiftDataError/unsupportedPredicate``, as ``init(format:_:)``.
    public init(format: String, argumentArray: [Any?]) throws {
        var models: [any PersistentModel.Type] = []
        var count = 0
        for type in repeat (each Input).self {
            count += 1
            if let model = type as? any PersistentModel.Type { models.append(model) }
        }
        guard count == 1, models.count == 1 else {
            throw SwiftDataError(.unsupportedPredicate, detail: "A predicate from a format is about one model.")
        }
        self.init(template: try PredicateTemplate(format, arguments: argumentArray))
    }

    /// Makes a predicate of a format that was read before.
    package init(template: PredicateTemplate) {
        self.init { (row: repeat PredicateExpressions.Variable<each Input>) in
            PredicateExpressions._Format(template, of: repeat each row)
        }
    }

    /// The predicate with values in the places of the variables of its format. What was parsed is not parsed again.
    ///
    /// Variables that have no value here stay, names that it does not have are passed over, and a predicate without
    /// variables is given back as it is. Also in predicates that were joined by ``init(all:)``, ``init(any:)`` and
    /// ``init(not:)``. Fetching with a variable that has no value is an error.
    ///
    /// - Throws: ``SwiftDataError/unsupportedPredicate`` for a value that no attribute can be compared with.
    public func withSubstitutionVariables(_ values: [String: Any?]) throws -> Self {
        switch expression {
        case let format as PredicateExpressions._Format<repeat each Input>:
            return Self(template: try format.template.substituting(values))
        case let compound as PredicateExpressions._Compound<repeat each Input>:
            return Self(compound.kind, of: try compound.predicates.map { try $0.withSubstitutionVariables(values) })
        default: return self
        }
    }

    /// Makes a predicate that holds where all of some others hold; with none of them, everywhere.
    public init(all predicates: [Self]) { self.init(.and, of: predicates) }

    /// Makes a predicate that holds where one of some others holds; with none of them, nowhere.
    public init(any predicates: [Self]) { self.init(.or, of: predicates) }

    /// Makes a predicate that holds where another does not.
    public init(not predicate: Self) { self.init(.not, of: [predicate]) }

    private init(_ kind: CompoundKind, of predicates: [Self]) {
        self.init { (row: repeat PredicateExpressions.Variable<each Input>) in
            PredicateExpressions._Compound(kind, predicates, of: repeat each row)
        }
    }

    /// The predicate in Core Data's format, be it from `#Predicate` or from a format.
    ///
    /// ``init(format:_:)`` makes a predicate of it that means the same. Constants are written with their types, as
    /// `CAST(5, 'int64')`, and models and their identifiers as numbers, which are good for their store alone.
    ///
    /// - Throws: ``SwiftDataError/unsupportedPredicate`` for what no fetch can run, and for a predicate of anything but
    ///   one model.
    public var predicateFormat: String {
        get throws {
            for row in repeat each variable {
                guard let model = Self.model(row) else { break }
                return try PredicateLowering.lower(expression, of: row.key, model).format
            }
            throw SwiftDataError(.unsupportedPredicate, detail: "Only a predicate about one model has a format.")
        }
    }

    private static func model<Row>(_ row: PredicateExpressions.Variable<Row>) -> ModelType? {
        (Row.self as? any PersistentModel.Type).map { ModelType.of($0) }
    }
}
