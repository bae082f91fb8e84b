import LoamStorage
public import Observation

/// A class whose objects a store keeps. `@Model` makes a class conform.
///
/// An object belongs to one ``ModelContext`` and to that context's isolation: it is not `Sendable`. Pass its
/// ``persistentModelID`` to other isolations and ask their contexts for the model.
///
/// Two models are equal when their identifiers are. Reading a model whose row was deleted gives its last values, or
/// empty ones where nothing had been read; it never traps.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
    /// Makes the object that stands for a stored row. Called by the library.
    init(_backing: _ModelBacking)

    /// What ties the object to its context. Written by the library.
    var _$backing: _ModelBacking? { get set }

    /// The persisted properties, in declaration order.
    static var schemaMetadata: [Schema.PropertyMetadata] { get }

    /// What `#Index` and `#Unique` declare in the class.
    static var _indices: [any _IndexMetadata] { get }

    /// Hands every field to the encoder. Generated.
    ///
    /// - Throws: what the encoder throws for the first value that cannot be stored.
    func _encode(into encoder: inout _RecordEncoder) throws

    /// Forgets the values of fields, so that they are read from the record again. Generated.
    func _invalidate(_ fields: _FieldSet)
}

extension PersistentModel {
    /// The context that the model belongs to; nil before it was inserted and after its deletion was saved.
    public var modelContext: ModelContext? { _$backing?.context?.owner }

    /// The model's identifier: one of the process before the insertion, then that of the row. A save may still change
    /// it, to that of a stored model with the same unique value. O(1).
    public var persistentModelID: PersistentIdentifier {
        _backing.identifier(entity: ModelType.of(Self.self).entityName)
    }

    /// The same as ``persistentModelID``.
    public var id: PersistentIdentifier { persistentModelID }

    /// Whether the model was inserted, changed or deleted since the last save. A to-many relationship that changed
    /// because its other side was set does not count.
    public var hasChanges: Bool { _$backing?.hasChanges ?? false }

    /// Whether the model is to be deleted by the next save. False again after that save, as the model then belongs to
    /// no context.
    public var isDeleted: Bool { _$backing?.state == .deleted }

    /// Whether both have the same identifier.
    public static func == (left: Self, right: Self) -> Bool {
        left === right || left.persistentModelID == right.persistentModelID
    }

    /// Agrees with `==`. A model's hash changes with its insertion, as its identifier does.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(persistentModelID)
    }

    /// The backing, made where there is none yet.
    package var _backing: _ModelBacking {
        if let backing = _$backing { return backing }
        let backing = _ModelBacking()
        _$backing = backing
        return backing
    }
}
