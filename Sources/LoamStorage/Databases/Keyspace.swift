/// The names of the databases in a store's environment, and the keys that are not made from user values.
///
/// Numbers in keys are big endian, so that bytes compare as the numbers do; row ids in `r.` are LMDB integer keys.
enum Keyspace {
    static let catalog = "catalog"
    static let indexes = "indexes"
    static let counters = "counters"
    static let history = "history"

    /// Records of an entity: row id (integer key) to record.
    static func records(of entity: EntityID) -> String { "r.\(entity)" }

    /// Long values of an entity: ``longValue(row:property:chunk:)`` to chunk. Made with its first long value.
    static func longValues(of entity: EntityID) -> String { "b.\(entity)" }

    /// Links of a relationship: see ``LinkTable``. Made with the first link.
    static func links(_ table: UInt32) -> String { "l.\(table)" }

    /// In `catalog`: the JSON document.
    static let catalogDocument: [UInt8] = Array("document".utf8)

    /// In `catalog`: the document's checksum, eight bytes, little endian, seeded with the generation.
    static let catalogChecksum: [UInt8] = Array("checksum".utf8)

    /// In `catalog`: eight bytes, little endian, raised by every change of the document.
    static let catalogGeneration: [UInt8] = Array("generation".utf8)

    /// In `counters`: the row-id mark and the number of the last save, with a checksum. Index ids begin at 1.
    static let storeCounters: [UInt8] = [0, 0, 0, 0, 0]

    /// What is known of the values of indexes: index id (4 bytes) to ``IndexDistribution``. Made with the first.
    static let statistics = "statistics"

    static func longValue(row: RowID, property: PropertyID, chunk: UInt32) -> [UInt8] {
        [UInt8](bigEndian: row) + [UInt8](bigEndian: property) + [UInt8](bigEndian: chunk)
    }

    static func history(save: UInt64, chunk: UInt32) -> [UInt8] {
        [UInt8](bigEndian: save) + [UInt8](bigEndian: chunk)
    }
}
