/// What the layer of models needs of a catalog.
extension Catalog {
    /// The identifier that the store got when it was made.
    package var storeID: String { document.storeID }

    /// The layout that new records of the entity are written in.
    ///
    /// - Throws: `unknownEntity` where the catalog has no such entity.
    package func currentLayout(of entity: EntityID) throws -> RecordLayout {
        try access(entity).currentLayout
    }
}

extension Catalog {
    /// The version of the models that an entity's rules were last taken from; nil where none is known.
    package func rules(of entity: EntityID) -> SchemaVersion? { document.ruleVersions?[entity] }

    /// What a new row gets for a property that its writer does not know: the default of its first declaration; nil
    /// without one.
    ///
    /// - Throws: `unknownEntity` where the catalog has no such entity.
    package func initialValue(of position: Int, in entity: EntityID) throws -> Value {
        let access = try access(entity)
        guard access.entity.properties.indices.contains(position),
            document.fillers?.contains(access.entity.properties[position].id) != true
        else { return .null }
        return access.current.initialValue(position)
    }
}

extension Snapshot {
    /// The entity as the snapshot's catalog has it.
    ///
    /// - Throws: `unknownEntity` where there is none.
    package func entity(withID id: EntityID) throws -> Entity { try catalog.access(id).entity }
}

extension RecordWriter {
    /// Completes the record, not yet sealed, with the values too long to lie in it.
    ///
    /// - Throws: `missingValue` naming the first field that is nil and may not be, `damagedRecord` where no record
    ///   was begun.
    package mutating func finishRecord() throws -> EncodedRecord {
        let bytes = try finishUnsealed()
        guard let layout else { throw StorageError(.unknownEntity) }
        guard !longValues.isEmpty else { return EncodedRecord(entity: layout.entity, bytes: bytes, longValues: []) }
        return EncodedRecord(
            entity: layout.entity, bytes: bytes,
            longValues: longValues.map { .init(property: layout.fields[$0.slot].property, bytes: $0.bytes) })
    }
}

extension Store {
    /// The newest catalog that this process has met. Reads nothing; ``catalog()`` asks the file.
    package var knownCatalog: Catalog { cache.known }

    /// The generation of ``knownCatalog``. A nanosecond.
    package var knownGeneration: UInt64 { cache.knownGeneration }
}
