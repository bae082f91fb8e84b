import Loam

/// A property of a model whose value is part of a dictionary.
struct FetchedProperty: Sendable {
    let name: String
    /// Key paths are immutable.
    nonisolated(unsafe) private let keyPath: AnyKeyPath

    /// The properties of these names; with nil all attributes.
    ///
    /// - Throws: ``SwiftDataError`` for a name that the model does not have.
    static func all<Model: PersistentModel>(
        named names: [String]?, of model: Model.Type
    ) throws(SwiftDataError) -> [FetchedProperty] {
        let all = model.schemaMetadata
        guard let names else {
            return all.filter { !($0.metadata is Schema.Relationship) && !Self.isRelationship($0.keypath) }
                .map { FetchedProperty(name: $0.name, keyPath: $0.keypath) }
        }
        var properties: [FetchedProperty] = []
        for name in names {
            guard let property = all.first(where: { $0.name == name }) else {
                throw SwiftDataError(.unsupportedKeyPath, detail: "\(model) has no property \(name) to be fetched.")
            }
            properties.append(FetchedProperty(name: name, keyPath: property.keypath))
        }
        return properties
    }

    private static func isRelationship(_ keyPath: AnyKeyPath) -> Bool {
        let type: Any.Type = type(of: keyPath).valueType
        return type is any PersistentModel.Type || (type as? any WrappingModels.Type)?.wrapsModels ?? false
    }

    /// The values of a model by the names of the properties, as they are now: those that are nil are left out.
    @MainActor static func values(of properties: [FetchedProperty], in model: any PersistentModel) -> [String: Any] {
        func read<Model: PersistentModel>(_ model: Model) -> [String: Any] {
            var values: [String: Any] = [:]
            for property in properties {
                guard let keyPath = property.keyPath as? PartialKeyPath<Model> else { continue }
                let value = model[keyPath: keyPath]
                values[property.name] = (value as? any OptionalValue).map(\.unwrapped) ?? value
            }
            return values
        }
        return read(model)
    }
}

/// Optionals and arrays, seen without what is in them.
private protocol WrappingModels {
    static var wrapsModels: Bool { get }
}

extension Optional: WrappingModels {
    fileprivate static var wrapsModels: Bool {
        Wrapped.self is any PersistentModel.Type || (Wrapped.self as? any WrappingModels.Type)?.wrapsModels ?? false
    }
}

extension Array: WrappingModels {
    fileprivate static var wrapsModels: Bool { Element.self is any PersistentModel.Type }
}

private protocol OptionalValue {
    var unwrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var unwrapped: Any? { self }
}
