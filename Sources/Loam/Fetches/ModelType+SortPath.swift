import LoamQuery
import LoamStorage

extension ModelType {
    /// What an order asks the store for: the names along a key path to an attribute that has an order, or a function of
    /// one as the store's language writes it. Nil for any other key path.
    func sortPath(of keyPath: AnyKeyPath) -> String? { attributePath(of: keyPath) ?? functionPath(of: keyPath) }

    /// The function that a key path asks for, as the store's language writes it: of `\.name.count` as well as of
    /// `\Photo[.length(\.name)]`. Nil for any other key path.
    func functionPath(of keyPath: AnyKeyPath) -> String? {
        if let (argument, function) = FunctionPaths.parts(of: keyPath) {
            // A time zone that is not known is told by the fetch.
            guard let known = Function(rawValue: function.name), let stored = storedOrder(of: argument),
                stored.function == nil
            else { return nil }
            let timeZone = function.timeZone.map { [QueryExpression.constant(.string($0))] } ?? []
            return QueryExpression.call(known, [.keyPath(stored.names)] + timeZone).description
        }
        guard let stored = storedOrder(of: keyPath), let function = stored.function else { return nil }
        return QueryExpression.call(function, [.keyPath(stored.names)]).description
    }

    /// What sections ask the store for: as ``sortPath(of:)`` has it, or any stored property.
    ///
    /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for any other key path.
    func sectionPath(of keyPath: AnyKeyPath) throws -> String {
        if let path = name(of: keyPath) ?? sortPath(of: keyPath) { return path }
        throw SwiftDataError(
            .unsupportedKeyPath,
            detail:
                "\(keyPath) cannot be used for sections: it leads from \(entityName) to no stored attribute, nor to "
                + "one of a model that to-one relationships lead to, nor to a function of one.")
    }

    /// What groups and aggregates are made of, as ``sortPath(of:)`` has it.
    ///
    /// - Parameter use: what it is for, in words.
    /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for any other key path.
    func groupedPath(of keyPath: AnyKeyPath, for use: String) throws -> String {
        try sortPath(of: keyPath) ?? orderedPath(of: keyPath, for: use)
    }
}
