import LoamStorage
import Observation

// What the accessors of persisted properties call. Every function takes the model itself, so that a getter costs one
// call where nothing has to be read.

/// Tells observers that a property is read, where somebody tracks what is read.
@inlinable
public func _access<Model: PersistentModel, Value>(
    _ model: Model, _ keyPath: @autoclosure () -> KeyPath<Model, Value>
) {
    if _isTracking { _recordAccess(model, keyPath()) }
}

@usableFromInline
var _isTracking: Bool { ObservationSensor.isTracking }

@usableFromInline
func _recordAccess<Model: PersistentModel, Value>(_ model: Model, _ keyPath: KeyPath<Model, Value>) {
    model._backing.observation.access(model, keyPath: keyPath)
}

/// Tells observers and the context that a property is about to change. For an object that has neither, a comparison in
/// the user's module.
@inlinable
public func _willSet<Model: PersistentModel, Value>(
    _ model: Model, _ ordinal: Int, _ keyPath: @autoclosure () -> KeyPath<Model, Value>
) {
    if let backing = model._$backing { _willSet(model, backing, ordinal, keyPath()) }
}

@usableFromInline
func _willSet<Model: PersistentModel, Value>(
    _ model: Model, _ backing: _ModelBacking, _ ordinal: Int, _ keyPath: @autoclosure () -> KeyPath<Model, Value>
) {
    backing.registrar?.willSet(model, keyPath: keyPath())
    backing.context?.willChange(model, backing: backing, ordinal: ordinal)
    if backing.isAwaited { backing.noteValue(of: ordinal) }
}

/// Tells observers that a property which is kept in memory only is about to change.
@inlinable
public func _willSet<Model: PersistentModel, Value>(
    _ model: Model, _ keyPath: @autoclosure () -> KeyPath<Model, Value>
) {
    if let backing = model._$backing { _willSet(model, backing, keyPath()) }
}

@usableFromInline
func _willSet<Model: PersistentModel, Value>(
    _ model: Model, _ backing: _ModelBacking, _ keyPath: @autoclosure () -> KeyPath<Model, Value>
) {
    backing.registrar?.willSet(model, keyPath: keyPath())
}

/// Tells observers that a property has changed.
@inlinable
public func _didSet<Model: PersistentModel, Value>(
    _ model: Model, _ keyPath: @autoclosure () -> KeyPath<Model, Value>
) {
    if let backing = model._$backing { _didSet(model, backing, keyPath()) }
}

@usableFromInline
func _didSet<Model: PersistentModel, Value>(
    _ model: Model, _ backing: _ModelBacking, _ keyPath: @autoclosure () -> KeyPath<Model, Value>
) {
    if backing.hasTwins { backing.mirror(model, keyPath: keyPath()) }
    backing.registrar?.didSet(model, keyPath: keyPath())
    if backing.isAwaited { backing.endWait(of: model) }
}

// MARK: Reading a field that is not there yet

/// Reads a field from the record, and keeps its value. In the user's module it becomes a call of the type's function.
@inlinable
public func _load<Model: PersistentModel, Value: _Attribute>(
    _ model: Model, _ ordinal: Int, into field: inout _Field<Value>
) -> Value {
    guard let backing = model._$backing else { return Value._zero }
    // The model keeps its backing, and reading brings no other one: no reference is counted for it.
    return Unmanaged.passUnretained(backing)._withUnsafeGuaranteedRef { backing in
        if let value = Value._read(backing, ordinal) {
            field.value = value
            return value
        }
        if backing._keepsEmptyValues { field.value = Value._zero }
        return Value._zero
    }
}

/// Reads a field from the record, and keeps its value.
@inlinable
public func _load<Model: PersistentModel, Value: RawRepresentable & Codable>(
    _ model: Model, _ ordinal: Int, into field: inout _Field<Value>
) -> Value where Value.RawValue: _Attribute {
    var raw: Value.RawValue?
    if let backing = model._$backing { raw = Value.RawValue._read(backing, ordinal) }
    if let value = raw.flatMap({ Value(rawValue: $0) ?? _unknownCase($0) }) {
        field.value = value
        return value
    }
    let value = _fallback(Value.self, Model.self, ordinal)
    if model._$backing?._keepsEmptyValues == true { field.value = value }
    return value
}

/// What an enum makes of a raw value that none of its cases has: nil, unless its own `init(from:)` has an answer.
@usableFromInline
func _unknownCase<Value: RawRepresentable & Codable>(_ raw: Value.RawValue) -> Value?
where Value.RawValue: _Attribute {
    CodableStorage.decodedCase(Value.self, raw: raw)
}

@usableFromInline
func _fallback<Value, Model: PersistentModel>(_ type: Value.Type, _ model: Model.Type, _ ordinal: Int) -> Value {
    CodableStorage.fallback(type, model: model, ordinal: ordinal)
}

/// Reads a field from the record, and keeps its value.
@inlinable
public func _load<Model: PersistentModel, Value: RawRepresentable & Codable>(
    _ model: Model, _ ordinal: Int, into field: inout _Field<Value?>
) -> Value? where Value.RawValue: _Attribute {
    var raw: Value.RawValue?
    if let backing = model._$backing { raw = Value.RawValue._read(backing, ordinal) }
    let value = raw.flatMap { Value(rawValue: $0) ?? _unknownCase($0) }
    field.value = .some(value)
    return value
}

/// Disfavored: a relationship to models that are `Codable` is a relationship.
@_disfavoredOverload
public func _load<Model: PersistentModel, Value: Codable>(
    _ model: Model, _ ordinal: Int, into field: inout _Field<Value>
) -> Value {
    let read =
        model._$backing?.read(ordinal) { record, position in
            try CodableStorage.readIfDecodable(Value.self, stored: record.value(position))
        } decode: {
            try CodableStorage.readIfDecodable(Value.self, stored: $0)
        }
    return kept(read, of: model, ordinal, in: &field)
}

/// Reads a field whose value a transformer makes of the record's data, and keeps it.
public func _loadTransformed<Model: PersistentModel, Value>(
    _ model: Model, _ ordinal: Int, into field: inout _Field<Value>
) -> Value {
    kept(model._$backing?.transformedValue(ordinal) as? Value, of: model, ordinal, in: &field)
}

/// Keeps a value that was read, or what stands for one that there is none of.
private func kept<Model: PersistentModel, Value>(
    _ read: Value?, of model: Model, _ ordinal: Int, in field: inout _Field<Value>
) -> Value {
    let value = read ?? CodableStorage.fallback(Value.self, model: Model.self, ordinal: ordinal)
    if read != nil || model._$backing?._keepsEmptyValues == true { field.value = value }
    return value
}

extension _ModelBacking {
    /// Whether a field without a value keeps the empty one that is read for it. Not in an object without a row, whose
    /// initializer may not have come to the property: read before it is set, it is not set by that.
    @usableFromInline
    var _keepsEmptyValues: Bool { state != .free && state != .inserted }

    /// What the attribute's transformer makes of the stored data; nil where it makes nothing of it.
    fileprivate func transformedValue(_ ordinal: Int) -> Any? {
        guard let properties = binding?.model.properties, properties.indices.contains(ordinal),
            let transformer = properties[ordinal].transformer
        else { return nil }
        return read(ordinal) { record, position in
            transformer.value(of: try record.value(position))
        } decode: {
            transformer.value(of: $0)
        }
    }
}

// MARK: Setting an attribute

/// Sets an attribute that is transformed when it is saved; returns its field.
@inlinable
public func _assignTransformed<Model: PersistentModel, Value>(
    _ value: Value, to ordinal: Int, of model: Model
) -> _Field<Value> {
    _Field(value)
}

/// Sets an attribute; returns its field.
@_disfavoredOverload
@inlinable
public func _assign<Model: PersistentModel, Value: Codable>(
    _ value: Value, to ordinal: Int, of model: Model
) -> _Field<Value> {
    _Field(value)
}
