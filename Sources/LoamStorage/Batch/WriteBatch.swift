/// What happens when a row that a batch changes was changed by somebody else since it was read.
///
/// A field is in conflict when the batch changes it and its stored value differs both from the one that was read
/// (the base) and from the new one. Without a base nothing is in conflict.
package enum MergePolicy: String, Sendable, Hashable, CaseIterable {
    /// Fields that the batch does not change keep what is stored; changed ones take the batch's value. Changes of
    /// deleted rows, and ones that lead a stored row to a deleted one, are dropped (``SaveResult/dropped``).
    case propertyByProperty
    /// Does what ``propertyByProperty`` does, but a field in conflict keeps what is stored.
    case storeWins
    /// Does what ``propertyByProperty`` does, and a row deleted since is written again under its id.
    case memoryWins
    /// The save throws, naming the row and its fields. A field is in conflict here also when its stored value is the
    /// new one already: of two that both count from 4 to 5 the second has to count again.
    case error

    /// Whether what cannot be done because a row was deleted is left out, and the rest of the batch saved.
    var dropsChangesOfDeletedRows: Bool { self == .propertyByProperty || self == .storeWins }
}

/// Where in a to-many a row is put.
package enum LinkPlace: Hashable, Sendable {
    /// Behind the member that is the last one when the batch is saved.
    case append
    case first
    /// Behind this member, or behind the last one where this row is no member any more.
    case after(RowID)
}

/// Changes that are saved together or not at all, each row named at most once.
///
/// New records are encoded by the caller, on its own thread; the store's writer merges changed values with what is
/// stored.
///
/// A to-one that is kept in the record is written as the value of its reference property; its position among the rows
/// with the same target is the writer's to choose. A to-many that is the inverse of such a to-one is changed by
/// changing the to-ones. Links are changed by ``link(_:of:entity:to:place:)`` and ``unlink(_:of:entity:from:)``, which
/// apply in order.
package struct WriteBatch: Sendable {
    /// Kept in the history beside the save.
    package var author: String?
    package var policy = MergePolicy.propertyByProperty
    /// Whether also new rows that meet nothing are decided one by one: the slow way, with the same outcome, for
    /// comparison.
    var decidesEachRow = false
    package private(set) var rows: [RowWrite] = []
    /// For each relationship and child, the place that was given last.
    package private(set) var places: [PlaceWrite] = []
    package private(set) var links: [LinkWrite] = []

    /// For each entity the parts that the batch's author does not know of. See ``Unclaimed``.
    package var unclaimed: [EntityID: Unclaimed] = [:]
    /// The generation of the catalog that the batch was made for; nil for any. A save under another one throws
    /// `newerSchema` before it changes anything.
    package var generation: UInt64?
    /// The last save of the state that the batch was made from; nil for any. A save behind another one throws
    /// `savedMeanwhile` before it changes anything.
    package var lastSave: UInt64?

    package init(author: String? = nil, policy: MergePolicy = .propertyByProperty) {
        self.author = author
        self.policy = policy
    }

    func replacing(places: [PlaceWrite], links: [LinkWrite]) -> WriteBatch {
        var batch = self
        (batch.places, batch.links) = (places, links)
        return batch
    }

    package var isEmpty: Bool { rows.isEmpty && places.isEmpty && links.isEmpty }

    /// Adds a new row under an id from ``Store/makeRowID()``.
    ///
    /// - Parameter upserts: where a stored row has the same value of a unique index, that row takes the new one's
    ///   values instead (references that are nil excepted), and ``SaveResult/mapping`` says which it is.
    package mutating func insert(
        _ record: EncodedRecord, into entity: EntityID, rowID: RowID, upserts: Bool = false
    ) {
        rows.append(RowWrite(entity: entity, rowID: rowID, change: .insert(record, upserts: upserts)))
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

    /// Deletes a row, and does to the rows related to it what their delete rules say. Deleting a row that is gone
    /// already succeeds.
    package mutating func delete(_ rowID: RowID, of entity: EntityID) {
        rows.append(RowWrite(entity: entity, rowID: rowID, change: .delete))
    }

    /// Says where a row stands among those with the same target; without it, a row whose target changes comes last.
    ///
    /// - Parameters:
    ///   - child: a row of the batch, or a stored one, whose to-one leads to the parent.
    ///   - relationship: the to-one, of the child's entity.
    package mutating func place(
        _ child: RowID, of entity: EntityID, in relationship: PropertyID, place: LinkPlace
    ) {
        places.append(PlaceWrite(entity: entity, rowID: child, relationship: relationship, place: place))
    }

    /// Links two rows, or moves the link that they have, under a relationship that is kept as links.
    ///
    /// - Parameters:
    ///   - relationship: either side of a pair; `source` is a row of that side's entity.
    ///   - place: where the destination stands among the source's.
    package mutating func link(
        _ relationship: PropertyID, of source: RowID, entity: EntityID, to destination: RowID,
        place: LinkPlace = .append
    ) {
        links.append(
            LinkWrite(
                entity: entity, relationship: relationship, source: source, destination: destination, place: place))
    }

    /// Moves a link that two rows have by then, as ``link(_:of:entity:to:place:)`` does; passes over one that is not there.
    package mutating func moveLink(
        _ relationship: PropertyID, of source: RowID, entity: EntityID, to destination: RowID, place: LinkPlace
    ) {
        links.append(
            LinkWrite(
                entity: entity, relationship: relationship, source: source, destination: destination, place: place,
                onlyMoves: true))
    }

    /// Takes a link away. Taking away one that is not there succeeds.
    package mutating func unlink(
        _ relationship: PropertyID, of source: RowID, entity: EntityID, from destination: RowID
    ) {
        links.append(
            LinkWrite(entity: entity, relationship: relationship, source: source, destination: destination, place: nil))
    }
}

/// What the store keeps of an entity and a program's models lack: newer ones declare it.
package struct Unclaimed: Sendable, Hashable {
    /// Upserts leave the stored values of these alone.
    package var properties: Set<PropertyID>
    /// Unique indexes that hold, but never turn an insert into an update.
    package var constraints: Set<IndexID>

    package init(properties: Set<PropertyID>, constraints: Set<IndexID>) {
        self.properties = properties
        self.constraints = constraints
    }
}

/// One row's part in a batch.
package struct RowWrite: Sendable {
    package enum Change: Sendable {
        case insert(EncodedRecord, upserts: Bool)
        case update(base: [UInt8]?, changes: [PropertyID: Value])
        case delete
    }

    package var entity: EntityID
    package var rowID: RowID
    package var change: Change
}

/// A row's place among those with the same target.
package struct PlaceWrite: Sendable, Hashable {
    package var entity: EntityID
    package var rowID: RowID
    package var relationship: PropertyID
    package var place: LinkPlace
}

/// A link to make, or without a place to take away.
package struct LinkWrite: Sendable, Hashable {
    package var entity: EntityID
    package var relationship: PropertyID
    package var source: RowID
    package var destination: RowID
    package var place: LinkPlace?
    /// Whether a link that is not there is passed over.
    package var onlyMoves = false
}

/// A record's bytes, not yet sealed with a save number, and the values too long to lie in it.
package struct EncodedRecord: Sendable, Hashable {
    /// The entity whose layout the record has.
    package var entity: EntityID
    package var bytes: [UInt8]
    package var longValues: [LongValue]

    package struct LongValue: Sendable, Hashable {
        package var property: PropertyID
        package var bytes: [UInt8]
    }
}

/// A link that a save made or took away, as the forward side sees it.
package struct LinkChange: Sendable, Hashable {
    /// The relationship of the forward side.
    package var relationship: PropertyID
    package var source: RowID
    package var destination: RowID
    /// A link that was only moved is taken away and made again.
    package var isAdded: Bool

    package init(relationship: PropertyID, source: RowID, destination: RowID, isAdded: Bool) {
        self.relationship = relationship
        self.source = source
        self.destination = destination
        self.isAdded = isAdded
    }
}

/// What a save did: its number, and every row as it is stored now.
package struct SaveResult: Sendable {
    /// Counted up by one for every save of any process.
    package let save: UInt64
    /// Every row that changed or went, also those that only a delete rule or a one-to-one reached.
    package let rows: [Row]
    package let links: [LinkChange]
    /// For each entity its relationships in which links of some row changed, on both sides.
    package var linked: [EntityID: Set<PropertyID>] = [:]
    /// For each id of an inserted row that became an update, the id of the stored row.
    package let mapping: [RowID: RowID]
    /// Records that were read to tell apart rows with the same key in a unique index.
    package var comparedRecords = 0
    /// What the batch said and the save left out, because somebody else has deleted a row. By row, in the batch's
    /// order.
    package var dropped: [Dropped] = []

    /// Changes of one row that were left out.
    package struct Dropped: Sendable, Hashable {
        package let entity: EntityID
        package let rowID: RowID
        /// Whether this row is the one that is gone; otherwise its properties were to lead to one.
        package let isDeleted: Bool
        /// Attributes, references and relationships kept as links.
        package internal(set) var properties: Set<PropertyID>

        package init(entity: EntityID, rowID: RowID, isDeleted: Bool, properties: Set<PropertyID>) {
            self.entity = entity
            self.rowID = rowID
            self.isDeleted = isDeleted
            self.properties = properties
        }
    }

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
