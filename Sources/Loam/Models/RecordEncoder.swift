import Foundation
import LoamStorage

/// Takes a model's fields and makes of them a record, or values of the changed ones.
///
/// Part of the surface that generated code calls.
public struct _RecordEncoder: ~Copyable {
    private enum Mode { case record, values, relationships, unset }

    private var writer = RecordWriter()
    private var mode = Mode.record
    private var fields = _FieldSet.all
    private(set) var values: [PropertyID: Value] = [:]
    /// What relationships of an object outside any context lead to, by ordinal.
    private(set) var related: [(ordinal: Int, models: [any PersistentModel])] = []
    /// Properties that require a value and have none.
    private var unset = FieldMask()
    private var binding: EntityBinding?
    /// The slots of the binding.
    private var slots: [Int] = []
    private var backing: _ModelBacking?

    init() {}

    /// The record of an inserted model, not yet sealed.
    ///
    /// - Throws: `unclaimedProperty` where the store requires a property that the model lacks, and what the encoding
    ///   of a value throws. The encoder can be used again.
    mutating func record<T: PersistentModel>(of model: T, _ binding: EntityBinding) throws -> EncodedRecord {
        mode = .record
        begin(model, binding: binding)
        defer { end() }
        writer.begin(binding.layout)
        if let unclaimed = binding.unclaimed { try begin(unclaimed, binding: binding) }
        try model._encode(into: &self)
        return try writer.finishRecord()
    }

    /// Gives the record what models of another version declare and this one lacks.
    private mutating func begin(_ unclaimed: UnclaimedParts, binding: EntityBinding) throws {
        if let property = unclaimed.missing {
            throw StorageError(.unclaimedProperty, entity: binding.entity.name, property: property)
        }
        for (slot, value) in unclaimed.values { try writer.set(value: value, at: slot) }
    }

    /// The values of the fields, by property; references as row ids.
    ///
    /// - Throws: what the encoding of a value throws. The encoder can be used again.
    mutating func values<T: PersistentModel>(
        of model: T, fields: _FieldSet, binding: EntityBinding
    ) throws -> [PropertyID: Value] {
        mode = .values
        self.fields = fields
        begin(model, binding: binding)
        defer { end() }
        try model._encode(into: &self)
        return values
    }

    /// The models that an object's own fields lead to.
    ///
    /// - Throws: nothing of its own; what generated code throws.
    mutating func relatedModels<T: PersistentModel>(
        of model: T
    ) throws -> [(ordinal: Int, models: [any PersistentModel])] {
        mode = .relationships
        // As in `end()`.
        defer { related = [] }
        try model._encode(into: &self)
        return related
    }

    /// The properties among those that require a value whose fields are empty, of an object outside any context.
    ///
    /// - Throws: nothing of its own; what generated code throws.
    mutating func unsetProperties<T: PersistentModel>(of model: T, required: FieldMask) throws -> FieldMask {
        mode = .unset
        fields = _FieldSet(required)
        unset = FieldMask()
        try model._encode(into: &self)
        return unset
    }

    private mutating func begin<T: PersistentModel>(_ model: T, binding: EntityBinding) {
        if self.binding !== binding {
            self.binding = binding
            slots = binding.slots
        }
        if binding.hasRelationships { backing = model._$backing }
        if !values.isEmpty { values.removeAll(keepingCapacity: true) }
    }

    /// The context owns the encoder, and a model keeps its context: a model that stayed here would keep both.
    private mutating func end() {
        if backing != nil { backing = nil }
    }

    /// Whether the value of the field is asked for. Notes an empty one where those are.
    @usableFromInline
    mutating func wants(_ ordinal: Int, isEmpty: Bool) -> Bool {
        switch mode {
        case .record: return true
        case .values: return fields.contains(ordinal)
        case .relationships: return false
        case .unset:
            if isEmpty, fields.contains(ordinal) { unset.insert(ordinal) }
            return false
        }
    }
}

// MARK: Fields, called by generated code

extension _RecordEncoder {
    /// Takes an attribute.
    ///
    /// - Throws: an error for a value that is not of the type that the store has.
    @inlinable
    public mutating func encode<Value: _Attribute>(_ field: _Field<Value>, _ ordinal: Int) throws {
        guard wants(ordinal, isEmpty: field.value == nil), let value = field.value else { return }
        try value._write(to: &self, ordinal)
    }

    /// Takes an attribute as its raw value.
    ///
    /// - Throws: an error for a value that is not of the type that the store has.
    @inlinable
    public mutating func encode<Value: RawRepresentable & Codable>(
        _ field: _Field<Value>, _ ordinal: Int
    ) throws where Value.RawValue: _Attribute {
        guard wants(ordinal, isEmpty: field.value == nil), let value = field.value else { return }
        try value.rawValue._write(to: &self, ordinal)
    }

    /// Takes an attribute as its raw value.
    ///
    /// - Throws: an error for a value that is not of the type that the store has.
    @inlinable
    public mutating func encode<Value: RawRepresentable & Codable>(
        _ field: _Field<Value?>, _ ordinal: Int
    ) throws where Value.RawValue: _Attribute {
        guard wants(ordinal, isEmpty: field.value == nil), let value = field.value else { return }
        if let value { try value.rawValue._write(to: &self, ordinal) } else { try setNull(ordinal) }
    }

    /// Takes an attribute as a structure.
    ///
    /// - Throws: what the value's own `encode(to:)` throws, and an error for what cannot be kept as a structure.
    @_disfavoredOverload
    public mutating func encode<Value: Codable>(_ field: _Field<Value>, _ ordinal: Int) throws {
        guard wants(ordinal, isEmpty: field.value == nil), let value = field.value else { return }
        try set(value: CodableStorage.value(of: value), ordinal)
    }

    /// Takes an attribute as what its transformer makes of it.
    ///
    /// - Throws: ``SwiftDataError/modelValidationFailure`` where the transformer makes no data of the value, or is not
    ///   known any more.
    public mutating func encodeTransformed<Value>(_ field: _Field<Value>, _ ordinal: Int) throws {
        guard wants(ordinal, isEmpty: field.value == nil), let value = field.value else { return }
        guard let inner = AttributeStorage.unwrapped(value) else { return try setNull(ordinal) }
        guard let binding, binding.model.properties.indices.contains(ordinal),
            let transformer = binding.model.properties[ordinal].transformer
        else { throw StorageError(.unknownProperty, entity: binding?.entity.name) }
        guard let data = transformer.data(of: inner) else {
            throw SwiftDataError(
                .modelValidationFailure,
                detail: "\(binding.entity.name).\(binding.model.properties[ordinal].name) cannot be saved: "
                    + (transformer.fault.map { "it is transformed by \(transformer.name), and \($0)." }
                        ?? "\(transformer.name) makes no data of its value. Change the value or the transformer."))
        }
        try set(value: .data(data), ordinal)
    }

    /// Takes a relationship: a to-one that is kept in the record as a row id, others as the models that they lead to.
    ///
    /// - Throws: an error where the store keeps something else under the property.
    public mutating func encode<Model: PersistentModel>(_ field: _Field<Model>, _ ordinal: Int) throws {
        try encode(models: field.value.map { [$0] }, ordinal)
    }

    /// Takes a relationship: a to-one that is kept in the record as a row id, others as the models that they lead to.
    ///
    /// - Throws: an error where the store keeps something else under the property.
    public mutating func encode<Model: PersistentModel>(_ field: _Field<Model?>, _ ordinal: Int) throws {
        try encode(models: field.value.map { $0.map { [$0] } ?? [] }, ordinal)
    }

    /// Takes a relationship: a to-one that is kept in the record as a row id, others as the models that they lead to.
    ///
    /// - Throws: an error where the store keeps something else under the property.
    public mutating func encode<Model: PersistentModel>(_ field: _Field<[Model]>, _ ordinal: Int) throws {
        try encode(models: field.value, ordinal)
    }

    /// Takes a relationship: a to-one that is kept in the record as a row id, others as the models that they lead to.
    ///
    /// - Throws: an error where the store keeps something else under the property.
    public mutating func encode<Model: PersistentModel>(_ field: _Field<[Model]?>, _ ordinal: Int) throws {
        try encode(models: field.value.map { $0 ?? [] }, ordinal)
    }

    private mutating func encode(models: [any PersistentModel]?, _ ordinal: Int) throws {
        switch mode {
        case .relationships:
            if let models { related.append((ordinal, models)) }
        case .unset: _ = wants(ordinal, isEmpty: models == nil)
        case .record, .values:
            // In a context a reference is kept as a row id; members of to-many relationships are links of the batch.
            guard wants(ordinal, isEmpty: models == nil), let binding, binding.positions.indices.contains(ordinal),
                binding.positions[ordinal] >= 0, let backing
            else { return }
            guard let row = try backing.reference(ordinal) else { return try setNull(ordinal) }
            try set(uint: row, ordinal)
        }
    }
}

// MARK: Values, called by attribute types

extension _RecordEncoder {
    private var isRecord: Bool { mutating get { mode == .record } }

    private mutating func slot(_ ordinal: Int) throws -> Int {
        guard UInt(bitPattern: ordinal) < UInt(bitPattern: slots.count), slots[ordinal] >= 0 else {
            throw StorageError(.unknownProperty, entity: binding?.entity.name)
        }
        return slots[ordinal]
    }

    private mutating func keep(_ value: Value, ordinal: Int) throws {
        guard let binding, binding.positions.indices.contains(ordinal), binding.positions[ordinal] >= 0 else {
            throw StorageError(.unknownProperty, entity: binding?.entity.name)
        }
        values[binding.entity.properties[binding.positions[ordinal]].id] = value
    }

    @usableFromInline
    mutating func setNull(_ ordinal: Int) throws {
        if isRecord { try writer.setNull(at: slot(ordinal)) } else { try keep(.null, ordinal: ordinal) }
    }

    mutating func set(bool value: Bool, _ ordinal: Int) throws {
        if isRecord { try writer.set(bool: value, at: slot(ordinal)) } else { try keep(.bool(value), ordinal: ordinal) }
    }

    @usableFromInline
    mutating func set(int value: Int64, _ ordinal: Int) throws {
        if isRecord { try writer.set(int: value, at: slot(ordinal)) } else { try keep(.int(value), ordinal: ordinal) }
    }

    @usableFromInline
    mutating func set(uint value: UInt64, _ ordinal: Int) throws {
        if isRecord { try writer.set(uint: value, at: slot(ordinal)) } else { try keep(.uint(value), ordinal: ordinal) }
    }

    mutating func set(double value: Double, _ ordinal: Int) throws {
        if isRecord {
            try writer.set(double: value, at: slot(ordinal))
        } else {
            try keep(.double(value), ordinal: ordinal)
        }
    }

    mutating func set(float value: Float, _ ordinal: Int) throws {
        if isRecord {
            try writer.set(float: value, at: slot(ordinal))
        } else {
            try keep(.float(value), ordinal: ordinal)
        }
    }

    mutating func set(date value: Date, _ ordinal: Int) throws {
        if isRecord {
            try writer.set(double: value.timeIntervalSinceReferenceDate, at: slot(ordinal))
        } else {
            try keep(.date(value), ordinal: ordinal)
        }
    }

    mutating func set(uuid value: UUID, _ ordinal: Int) throws {
        if isRecord { try writer.set(uuid: value, at: slot(ordinal)) } else { try keep(.uuid(value), ordinal: ordinal) }
    }

    mutating func set(string value: String, _ ordinal: Int) throws {
        if isRecord {
            try writer.set(string: value, at: slot(ordinal))
        } else {
            try keep(.string(value), ordinal: ordinal)
        }
    }

    mutating func set(value: Value, _ ordinal: Int) throws {
        if isRecord { try writer.set(value: value, at: slot(ordinal)) } else { try keep(value, ordinal: ordinal) }
    }
}
