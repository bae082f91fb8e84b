extension CodableStorage {
    /// What a property reads whose row is gone before it was read: empty where the type allows it, else the property's
    /// default value, else empty members that the type itself would not have accepted.
    ///
    /// Objects of entities with a property that has no empty value read their record when they are made, so that only
    /// identifiers that never led to a row, and damaged records, come to the second and third.
    static func fallback<Value, Model: PersistentModel>(
        _ type: Value.Type, model: Model.Type, ordinal: Int
    ) -> Value {
        if let zero = ZeroValue.make(type) { return zero }
        let metadata = model.schemaMetadata
        if metadata.indices.contains(ordinal), let value = defaultValue(metadata[ordinal], as: type) { return value }
        if let value = ZeroValue.makeAny(type) { return value }
        preconditionFailure(
            "\(model) has a property of type \(type), which no container accepts: there is no value for reading a row "
                + "that is gone. Give the property a default value.")
    }

    /// Whether ``fallback(_:model:ordinal:)`` has a value to give. Containers refuse properties of which it has not.
    static func hasFallback(_ metadata: Schema.PropertyMetadata, type: any Any.Type) -> Bool {
        func open<Value>(_ type: Value.Type) -> Bool {
            ZeroValue.make(type) != nil || defaultValue(metadata, as: type) != nil || ZeroValue.makeAny(type) != nil
        }
        return _openExistential(type, do: open)
    }

    private static func defaultValue<Value>(_ metadata: Schema.PropertyMetadata, as type: Value.Type) -> Value? {
        metadata.defaultValue as? Value
    }
}
