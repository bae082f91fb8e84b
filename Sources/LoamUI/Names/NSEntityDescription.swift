public import Loam

/// A model by the name that it has in the store.
public struct NSEntityDescription: Hashable, Sendable {
    /// The entity's name.
    public let name: String?

    init(_ name: String) { self.name = name }
}

extension PersistentModel {
    /// The model's entity, under Core Data's name. O(1).
    public static func entity() -> NSEntityDescription { NSEntityDescription(Schema.entityName(for: Self.self)) }

    /// The model's identifier, under Core Data's name: `persistentModelID`.
    public var objectID: PersistentIdentifier { persistentModelID }
}

extension ModelContainer {
    /// The context of the main actor, under Core Data's name: `mainContext`.
    @MainActor public var viewContext: ModelContext { mainContext }
}
