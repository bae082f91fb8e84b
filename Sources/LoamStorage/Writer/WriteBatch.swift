/// What happens when a row that a batch changes was changed by somebody else since it was read.
///
/// A field is in conflict when the batch changes it and its stored value differs both from the one that was read
/// (the base) and from the new one. Without a base nothing is in conflict.
package enum MergePolicy: String, Sendable, Hashable, CaseIterable {
    /// Fields that the batch does not change keep what is stored; changed ones take the batch's value.
    case propertyByProperty
    /// As property by property, but a field in conflict keeps what is stored. Changes of deleted rows are dropped.
    case storeWins
    /// As property by property, and a row deleted since is written again under its id.
    case memoryWins
    /// The save throws, naming the row and its fields. A field is in conflict here also when its stored value is the
    /// new one already: of two that both count from 4 to 5 the second has to count again.
    case error
}

/// Changes that are saved together or not at all, each row named at most once.
///
/// New records are encoded by the caller, on its own thread; the store's writer merges changed values with what is stored.
package struct WriteBatch: Sendable {
    /// Kept in the history beside the save.
    package var author: String?
    package var policy = MergePolicy.propertyByProperty
    package private(set) var rows: [RowWrite] = []

    package init(author: String? = nil, policy: MergePolicy = .propertyByProperty) {
        self.author = author
        self.policy = policy
    }

    package var isEmpty: Bool { rows.isEmpty }

    /// Adds a new row under an id from ``Store/makeRowID()``.
    package mutating func insert(_ record: EncodedRecord, into entity: EntityID, rowID: RowID) {
        rows.append(RowWrite(entity: entity, rowID: rowID, change: .insert(record)))
    }

    /// Changes properties of a stored row.
    ///
    /// - Parameter base: the record as it was read (``Snapshot/record(_:of:)``), for telling conflicts; nil writes
    ///   the named properties whatever is stored.
    package mutating func update(
        _ rowID: RowID, of entity: EntityID, base: [UInt8]?, changes: [PropertyID: Value]
    ) {
        rows.append(RowWrite(entity: entity, rowID: rowID, change: .update(base: base, changes: changes)))
    }

    /// Deletes a row. Deleting a row that is gone already succeeds.
    package mutating func delete(_ rowID: RowID, of entity: EntityID) {
        rows.append(RowWrite(entity: entity, rowID: rowID, change: .delete))
    }
}

/// One row's part in a batch.
package struct RowWrite: Sendable {
    package enum Change: Sendable {
        case insert(EncodedRecord)
        case update(base: [UInt8]?, changes: [PropertyID: Value])
        case delete
    }

    package var entity: EntityID
    package var rowID: RowID
    package var change: Change
}

/// A record's bytes, not yet sealed with a save number, and the values too long to lie in it.
package struct EncodedRecord: Sendable, Hashable {
    package var bytes: [UInt8]
    package var longValues: [LongValue]

    package struct LongValue: Sendable, Hashable {
        package var property: PropertyID
        package var bytes: [UInt8]
    }
}

/// What a save did: its number, and every row as it is stored now.
package struct SaveResult: Sendable {
    /// Counted up by one for every save of any process.
    package let save: UInt64
    package let rows: [Row]

    package struct Row: Sendable {
        package let entity: EntityID
        package let rowID: RowID
        /// The record before the save; nil for an inserted row.
        package let old: [UInt8]?
        /// The record as stored; nil for a deleted row.
        package let new: [UInt8]?
        /// Positions in `entity.properties` of the fields that differ between the two.
        package let changed: [Int]
    }
}
