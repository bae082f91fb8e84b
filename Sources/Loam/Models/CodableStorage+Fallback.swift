extension CodableStorage {
    /// What a property reads whose row is gone before it was read: empty where the type allows it, else the property's
    /// default value.
    ///
    /// Objects of entities with a property that has neither read their record when they are made, so that only an
    /// identifier that never led to a row can come here with nothing to give.
    static func fallback<Value, Model: PersistentModel>(
        _ type: Value.Type, _ model: Model.Type, _ ordinal: Int
    ) -> Value {
        if let zero = ZeroValue.make(type) { return zero }
        let metadata = model.schemaMetadata
        if metadata.indices.contains(ordinal), let value = metadata[ordinal].defaultValue as? Value { return value }
        preconditionFailure(
            "\(model) has no row with this identifier, and its property of type \(type) has no empty value. Give the "
                + "property a default value.")
    }
}
