import LoamStorage

/// The rows of a store under the names that the campaign has for them.
struct StoredRows {
    private(set) var values: [RowName: [Value]] = [:]
    private(set) var rowIDs: [RowName: RowID] = [:]

    /// Reads every row, its checksum and its long values.
    init(_ snapshot: Snapshot) throws {
        for entity in WorkEntity.allCases where snapshot.schema.entity(named: entity.rawValue) != nil {
            try snapshot.scanRows(of: snapshot.entity(named: entity.rawValue)) { row in
                try row.verifyChecksum()
                let found = try row.values()
                guard case .int(let slot)? = found.first else { throw CampaignError("A row has no slot.") }
                let name = RowName(entity: entity, slot: Int(slot))
                guard values.updateValue(found, forKey: name) == nil else {
                    throw CampaignError("\(entity.rawValue) \(slot) is stored twice.")
                }
                rowIDs[name] = row.rowID
                return true
            }
        }
    }

    /// The rows of one thread.
    func rows(ofThread thread: Int) -> [RowName: [Value]] {
        values.filter { $0.key.slot / Partition.slots == thread }
    }
}

extension Snapshot {
    /// The state of an index of `Item`; nil where there is none of that name.
    func state(ofItemIndex name: String) throws -> IndexState? {
        try entity(named: WorkEntity.item.rawValue).indexes.first { $0.name == name }?.state
    }
}
