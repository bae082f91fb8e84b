import LoamStorage

// Relationships: outside any context a model holds its related models itself; inside one the context knows them by row
// id.

/// Reads a to-one that the model itself does not hold, from its context. A model whose row is gone where the context
/// has none, or where there is no context.
public func _load<Model: PersistentModel, Target: PersistentModel>(
    _ model: Model, _ ordinal: Int, into field: inout _Field<Target>
) -> Target {
    let context = model._$backing?.context
    if let target = context?.relationships.target(of: model, ordinal, as: Target.self) { return target }
    return Target(_backing: _ModelBacking.gone())
}

/// Reads an optional to-one that the model itself does not hold, from its context; nil outside any context.
public func _load<Model: PersistentModel, Target: PersistentModel>(
    _ model: Model, _ ordinal: Int, into field: inout _Field<Target?>
) -> Target? {
    model._$backing?.context?.relationships.target(of: model, ordinal, as: Target.self)
}

/// Reads a to-many that the model itself does not hold, from its context; empty outside any context. O(members).
public func _load<Model: PersistentModel, Target: PersistentModel>(
    _ model: Model, _ ordinal: Int, into field: inout _Field<[Target]>
) -> [Target] {
    model._$backing?.context?.relationships.members(of: model, ordinal, as: Target.self) ?? []
}

/// Reads an optional to-many that the model itself does not hold, from its context; nil outside any context.
/// O(members).
public func _load<Model: PersistentModel, Target: PersistentModel>(
    _ model: Model, _ ordinal: Int, into field: inout _Field<[Target]?>
) -> [Target]? {
    model._$backing?.context?.relationships.members(of: model, ordinal, as: Target.self)
}

/// Sets a relationship, with its other side; returns what the model itself holds from now on.
public func _assign<Model: PersistentModel, Target: PersistentModel>(
    _ value: Target, to ordinal: Int, of model: Model
) -> _Field<Target> {
    _relate([value], to: ordinal, of: model) ? _Field() : _Field(value)
}

/// Sets a relationship, with its other side; returns what the model itself holds from now on.
@inlinable
public func _assign<Model: PersistentModel, Target: PersistentModel>(
    _ value: Target?, to ordinal: Int, of model: Model
) -> _Field<Target?> {
    if value == nil, model._$backing == nil { return _Field(nil) }
    return _relate(value.map { [$0] } ?? [], to: ordinal, of: model) ? _Field() : _Field(value)
}

/// Sets a relationship, with its other side; returns what the model itself holds from now on.
@inlinable
public func _assign<Model: PersistentModel, Target: PersistentModel>(
    _ value: [Target], to ordinal: Int, of model: Model
) -> _Field<[Target]> {
    if value.isEmpty, model._$backing == nil { return _Field(value) }
    return _relate(value, to: ordinal, of: model) ? _Field() : _Field(value)
}

/// Sets a relationship, with its other side; returns what the model itself holds from now on.
@inlinable
public func _assign<Model: PersistentModel, Target: PersistentModel>(
    _ value: [Target]?, to ordinal: Int, of model: Model
) -> _Field<[Target]?> {
    if value?.isEmpty != false, model._$backing == nil { return _Field(value) }
    return _relate(value ?? [], to: ordinal, of: model) ? _Field() : _Field(value)
}

/// Hands the related models to the context; false where neither side is in one, so that the model itself has to hold
/// them. A model outside any context that is linked to one inside is inserted beside it, as soon as it has all values
/// that it requires.
@usableFromInline
func _relate<Model: PersistentModel, Target: PersistentModel>(
    _ targets: [Target], to ordinal: Int, of model: Model
) -> Bool {
    if model._$backing?.context == nil, model._$backing?.state != .gone {
        guard let context = targets.lazy.compactMap({ $0._$backing?.context?.owner }).first else {
            DraftRelations.relate(model, ordinal: ordinal, to: targets)
            return false
        }
        guard context.admit(model, setting: ordinal) else {
            DraftRelations.relate(model, ordinal: ordinal, to: targets.filter { $0._$backing?.context == nil })
            return false
        }
    }
    guard let context = model._$backing?.context else { return false }
    context.relationships.relate(model, ordinal: ordinal, to: targets)
    return true
}

extension _ModelBacking {
    /// The backing of an object that stands for a row that does not exist.
    static func gone() -> _ModelBacking {
        let backing = _ModelBacking()
        backing.state = .gone
        return backing
    }
}
