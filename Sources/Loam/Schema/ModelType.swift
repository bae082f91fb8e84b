import Foundation
package import LoamStorage
import Synchronization

/// What is known of a model class without any store: read once from what `@Model` generated, and kept.
package final class ModelType: Sendable {
    package let type: any PersistentModel.Type
    package let entityName: String
    /// The persisted properties; the position of each is its ordinal.
    package let properties: [ModelProperty]
    package let indexes: [IndexDefinition]
    /// Ordinals by key path; key paths are immutable.
    nonisolated(unsafe) private let ordinals: [AnyKeyPath: Int]
    nonisolated(unsafe) private let keyPaths: [AnyKeyPath]
    /// Every form that a key path to the identifier of the class's objects can have.
    nonisolated(unsafe) private let identifiers: Set<AnyKeyPath>
    /// The key paths that lead further than to a property, as far as they were met.
    let knownPaths = KnownPaths()

    private init<T: PersistentModel>(_ type: T.Type) {
        self.type = type
        entityName = Schema.name(of: type)
        let metadata = type.schemaMetadata
        let properties = metadata.enumerated().map { ordinal, metadata in
            ModelProperty(metadata) { type.schemaMetadata[ordinal].defaultValue }
        }
        var ordinals = Dictionary(
            metadata.enumerated().map { ($0.element.keypath, $0.offset) }, uniquingKeysWith: { first, _ in first })
        var identifiers: Set<AnyKeyPath> = [\T.persistentModelID, \T.id as KeyPath<T, PersistentIdentifier>]
        // In code that is generic over `Identifiable`, `id` is a key path of its own: to the class's property, if it
        // has one.
        let identity = Self.identity(of: type)
        if let own = properties.firstIndex(where: { $0.name == "id" && $0.valueType == T.ID.self }) {
            ordinals[identity] = own
        } else if T.ID.self == PersistentIdentifier.self {
            identifiers.insert(identity)
        }
        self.identifiers = identifiers
        self.properties = properties
        keyPaths = metadata.map(\.keypath)
        self.ordinals = ordinals
        let declared = type._indices.compactMap { $0 as? any IndexDeclaration }.flatMap {
            $0.definitions { keyPath in ordinals[keyPath].map { properties[$0].name } ?? "\(keyPath)" }
        }
        indexes =
            properties.filter { $0.attribute?.isUnique ?? false }.map { .unique([$0.name]) } + declared
    }

    private static let known = Mutex<[ObjectIdentifier: ModelType]>([:])

    /// The description of a class. A dictionary look-up from the second time on.
    package static func of<T: PersistentModel>(_ type: T.Type) -> ModelType {
        if let known = known.withLock({ $0[ObjectIdentifier(type)] }) { return known }
        // Outside the lock: reading metadata evaluates default values, which is the user's code.
        let made = ModelType(type)
        return known.withLock { known in
            if let other = known[ObjectIdentifier(type)] { return other }
            known[ObjectIdentifier(type)] = made
            return made
        }
    }

    /// The classes with those that their relationships lead to, in the order in which they are met.
    static func reachable(from types: [any PersistentModel.Type]) -> [ModelType] {
        var result: [ModelType] = []
        var waiting = types.map { ModelType.of($0) }
        while !waiting.isEmpty {
            let next = waiting.removeFirst()
            guard !result.contains(where: { $0 === next }) else { continue }
            result.append(next)
            waiting += next.properties.compactMap { $0.destination.map { ModelType.of($0) } }
        }
        return result
    }

    /// The ordinal of the property that a key path names.
    package func ordinal(of keyPath: AnyKeyPath) -> Int? { ordinals[keyPath] }

    /// Whether a key path leads to the identifier of the class's objects, and not to a property that is named so.
    func isIdentifier(_ keyPath: AnyKeyPath) -> Bool { identifiers.contains(keyPath) }

    private static func identity<T: Identifiable>(of type: T.Type) -> AnyKeyPath { \T.id }

    func keyPath(_ ordinal: Int) -> AnyKeyPath? { keyPaths.indices.contains(ordinal) ? keyPaths[ordinal] : nil }

    /// The name of the property that a key path names.
    package func name(of keyPath: AnyKeyPath) -> String? { ordinals[keyPath].map { properties[$0].name } }
}

/// One persisted property of a model class.
package struct ModelProperty: Sendable {
    package let name: String
    package let originalName: String
    /// How its values are stored; nil for relationships, and for a type that cannot be stored.
    package let storage: _AttributeType?
    package let attribute: Schema.Attribute?
    package let relationship: Schema.Relationship?
    /// The model that a relationship leads to.
    package let destination: (any PersistentModel.Type)?
    /// What makes data of the values; nil where they are stored as they are.
    let transformer: AttributeTransformer?
    /// ``initialValue`` where there is no transformer.
    private let plainInitialValue: Value
    /// Evaluates the model's default once more.
    private let makeDefault: @Sendable () -> Any?
    /// Whether the model gives the property a default.
    let hasDefault: Bool
    package let valueType: any Any.Type
    /// Whether there is a value to read where a row is gone.
    let hasFallback: Bool

    /// Whether the history keeps the value when a model is deleted.
    var isPreserved: Bool { attribute?.options.contains(.preserveValueOnDeletion) ?? false }

    /// Whether it leads to any number of models.
    var isToMany: Bool { relationship?.isToOneRelationship == false }

    /// Whether an object must have a value for it.
    var isRequired: Bool {
        if let relationship { return relationship.isToOneRelationship && !relationship.isOptional }
        return storage?.isOptional == false
    }

    /// - Parameter makeDefault: gives the metadata's default value another time.
    init(_ metadata: Schema.PropertyMetadata, makeDefault: @escaping @Sendable () -> Any?) {
        self.makeDefault = makeDefault
        let valueType = Swift.type(of: metadata.keypath).valueType
        name = metadata.name
        self.valueType = valueType
        let said = metadata.metadata
        originalName = said.flatMap { $0.originalName.isEmpty ? nil : $0.originalName } ?? metadata.name
        let transformer = (said as? Schema.Attribute)?.transformer.map(AttributeTransformer.init)
        self.transformer = transformer
        if transformer == nil, let target = RelationshipTarget(valueType) {
            destination = target.type
            storage = nil
            attribute = nil
            plainInitialValue = .null
            hasDefault = false
            hasFallback = true
            let said = said as? Schema.Relationship
            relationship = Schema.Relationship(
                name: name, originalName: originalName, options: said?.options ?? [], valueType: valueType,
                destination: target.entityName, deleteRule: said?.deleteRule ?? .nullify, inverseName: nil,
                inverseKeyPath: said?.inverseKeyPath, minimumModelCount: said?.minimumModelCount ?? 0,
                maximumModelCount: said?.maximumModelCount ?? 0, isToOneRelationship: !target.isToMany,
                isOptional: target.isOptional, hashModifier: said?.hashModifier)
        } else {
            destination = nil
            relationship = nil
            let storage =
                transformer.map { _ in _AttributeType(.data, isOptional: valueType is any OptionalType.Type) }
                ?? AttributeStorage.type(of: valueType)
            self.storage = storage
            let said = said as? Schema.Attribute
            attribute = Schema.Attribute(
                name: name, originalName: originalName, options: said?.options ?? [], valueType: valueType,
                isOptional: storage?.isOptional ?? false, hashModifier: said?.hashModifier)
            hasDefault = metadata.defaultValue != nil
            plainInitialValue =
                transformer == nil ? AttributeStorage.initialValue(metadata.defaultValue, of: valueType) : .null
            hasFallback = CodableStorage.hasFallback(metadata, type: valueType)
        }
    }

    /// The value that rows stored before the property was added read for it: its default, or an empty one.
    ///
    /// A transformer is asked each time: it may become known after the model.
    package var initialValue: Value {
        guard let transformer else { return plainInitialValue }
        return AttributeStorage.initialValue(makeDefault(), of: valueType, by: transformer)
    }

    /// Whether the transformer makes no data of the default value.
    var losesDefault: Bool {
        guard transformer != nil, let value = makeDefault(), AttributeStorage.unwrapped(value) != nil else {
            return false
        }
        return initialValue.isNull
    }

    /// What the property reads of a stored value, which may be of an older type of it; nil for what is none of its
    /// type.
    func value(of stored: Value) -> Any? {
        guard let storage, !stored.isNull else { return nil }
        guard let transformer else {
            return CodableStorage.propertyValue(valueType, of: stored.widened(to: storage.type))
        }
        func open<T>(_ type: T.Type) -> Any? { transformer.value(of: stored) as? T }
        let type: any Any.Type = (valueType as? any OptionalType.Type)?.wrappedType ?? valueType
        return _openExistential(type, do: open)
    }
}

/// What a relationship's property leads to.
struct RelationshipTarget {
    let type: any PersistentModel.Type
    let isToMany: Bool
    let isOptional: Bool

    /// Reads the type of a relationship; nil for a type that is no model, optional model or collection of models.
    init?(_ valueType: any Any.Type) {
        if let model = valueType as? any PersistentModel.Type {
            (type, isToMany, isOptional) = (model, false, false)
        } else if let collection = valueType as? any RelationshipCollection.Type {
            (type, isToMany) = (collection.elementType, true)
            isOptional = valueType is any OptionalType.Type
        } else if let wrapped = (valueType as? any OptionalType.Type)?.wrappedType as? any PersistentModel.Type {
            (type, isToMany, isOptional) = (wrapped, false, true)
        } else {
            return nil
        }
    }

    var entityName: String { Schema.name(of: type) }
}

/// A collection that a to-many relationship can be declared with: an array of models, optional or not.
public protocol RelationshipCollection {
    /// The models in the collection.
    associatedtype PersistentElement: PersistentModel
}

extension RelationshipCollection {
    static var elementType: any PersistentModel.Type { PersistentElement.self }
}

extension Array: RelationshipCollection where Element: PersistentModel {
    /// The models in the collection.
    public typealias PersistentElement = Element
}

extension Optional: RelationshipCollection where Wrapped: RelationshipCollection {
    /// The models in the collection.
    public typealias PersistentElement = Wrapped.PersistentElement
}
