/// Makes the keys of an index's components as records have them that were copied out of the store, one after the other.
///
/// It is used by the snapshot's thread, as long as there is the snapshot.
package final class RecordKeys {
    private let entity: EntityAccess
    private let index: IndexAccess
    private let snapshot: Snapshot
    private var buffer = KeyBuffer(capacity: 64)

    /// Nil where the snapshot does not know the index, or cannot read it, and for an index of trigrams.
    package init?(of entity: EntityID, in index: IndexID, _ snapshot: Snapshot) {
        guard let (entityAccess, access) = snapshot.catalog.access(index: index), entityAccess.entity.id == entity,
            access.isReadable, !access.hasTrigrams
        else { return nil }
        (self.entity, self.index, self.snapshot) = (entityAccess, access, snapshot)
    }

    /// Whether a change of the fields at these positions of a row can change its key.
    package func depend(on fields: [Int]) -> Bool { fields.contains { index.componentPositions.contains($0) } }

    /// The key of a row as a record has it; nil where the record does not tell it, because a component is made of a long
    /// value, or the record is damaged. A key of up to 24 bytes takes nothing from the heap.
    package func key(of rowID: RowID, record: [UInt8]) -> KeyBytes? {
        try? snapshot.withRow(rowID, of: entity, record: record) { row in
            for position in index.componentPositions where try row.isLong(position) { return nil }
            buffer.removeAll()
            _ = try index.appendKey(of: row, to: &buffer)
            return buffer.withBytes { KeyBytes($0) }
        }
    }
}
