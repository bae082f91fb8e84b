extension EntityAccess {
    /// Encodes a row in the current layout.
    ///
    /// - Parameter values: in the order of `entity.properties`.
    /// - Throws: a type mismatch or a missing value, naming the property.
    func encode(_ values: [Value]) throws -> EncodedRecord {
        guard values.count == entity.properties.count else {
            throw StorageError(.missingValue, entity: entity.name)
        }
        return try build { try $0.encode(values, into: &$1) }
    }

    /// Encodes a row like a stored one of the current layout, with some fields changed.
    func encode(_ changes: [(slot: Int, value: Value)], into stored: borrowing RecordView) throws -> EncodedRecord {
        try build { try $0.merge(stored, changes: changes, into: &$1) }
    }

    private func build(
        _ body: (inout RecordBuilder, inout [UInt8]) throws -> [LongValue]
    ) throws -> EncodedRecord {
        var bytes: [UInt8] = []
        do {
            var builder = RecordBuilder(currentLayout)
            let longValues = try body(&builder, &bytes)
            return EncodedRecord(
                entity: entity.id, bytes: bytes,
                longValues: longValues.map { .init(property: currentLayout.fields[$0.slot].property, bytes: $0.bytes) })
        } catch var error as StorageError {
            error.entity = entity.name
            throw error
        }
    }
}

extension Catalog {
    /// Encodes a new row from values by property name; properties that are not named are nil.
    ///
    /// - Throws: `unknownEntity`, `unknownProperty` for a name that the entity does not have, `missingValue`,
    ///   `typeMismatch` and `valueTooDeep`, naming the property.
    package func encode(_ values: [String: Value], as entity: String) throws -> EncodedRecord {
        let access = try access(named: entity)
        for name in values.keys where access.entity.position(of: name) == nil {
            throw StorageError(.unknownProperty, entity: entity, property: name)
        }
        return try access.encode(access.entity.properties.map { values[$0.name] ?? .null })
    }

    /// Encodes a new row from values in the order of the entity's properties.
    ///
    /// - Throws: `unknownEntity`, `missingValue` also where there are more or fewer values than properties,
    ///   `typeMismatch` and `valueTooDeep`, naming the property.
    package func encode(_ values: [Value], as entity: EntityID) throws -> EncodedRecord {
        try access(entity).encode(values)
    }
}
