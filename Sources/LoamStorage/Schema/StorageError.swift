/// What went wrong in the storage layer: a case to act on, and the place where it happened.
///
/// Messages are constant sentences that say the way out; fields name the entity, property, index and row. Values of
/// the user's are never part of an error.
package struct StorageError: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Bytes that no version of the format could have written, or whose checksum is wrong.
        case damagedRecord(String)
        case damagedKey(String)
        case damagedBlock(String)
        case damagedCatalog(String)
        case damagedHistory(String)
        case damagedLongValue(String)
        case damagedStatistics(String)
        /// An index, a counter or a link disagrees with the records.
        case inconsistent(String)
        /// A value of another type than the property's, or out of its range.
        case typeMismatch(expected: String, found: String)
        case missingValue
        /// A property cannot be made required while this row has nil for it.
        case rowWithoutValue
        /// A relationship cannot be made the inverse of a to-one while several rows lead to this row.
        case severalReferences
        case valueTooLong(limit: Int)
        /// Arrays, dictionaries and structures inside each other, more than the limit.
        case valueTooDeep(limit: Int)
        /// The field's bytes lie outside the record; read them from the table of long values and decode those.
        case longValueNotLoaded
        /// An index definition that cannot be kept.
        case invalidIndex(String)
        /// An index of a kind, or over a function, that another version of Loam knows.
        case unknownIndexKind(String)
        case unknownFunction(String)
        /// An index over parts of dates in a time zone of this name.
        case unknownTimeZone(String)
        /// An index that another version of Loam has written in a way that this one cannot read.
        case foreignIndex
        case invalidSchema(String)
        case unknownEntity
        case unknownProperty
        case unknownRelationship
        /// What the relationship leads to is kept elsewhere since the schema that the caller has.
        case relationshipMoved
        case unknownIndex
        case entityExists
        case propertyExists
        case indexExists
        /// The index exists but cannot be read now: it is being built, or is stale.
        case indexNotReady(state: String)
        case uniqueViolation(existing: RowID?)
        /// A row would have the unique values of another one, under a constraint that the program's models lack.
        case unclaimedConstraint(existing: RowID?)
        /// A new row would have no value of a property that the program's models lack.
        case unclaimedProperty
        /// A row is still related to the one that is to be deleted, under the rule *deny*.
        case deletionDenied(relationship: String)
        /// The row that a reference or a link is to lead to does not exist, or not any more.
        case targetMissing(relationship: String)
        /// A reference that is not optional would be nil.
        case referenceRequired(relationship: String)
        case tooFewRelated(relationship: String, count: Int, limit: Int)
        case tooManyRelated(relationship: String, count: Int, limit: Int)
        case conflict(fields: [String])
        /// Somebody saved after the state that a batch was made from.
        case savedMeanwhile
        case rowMissing
        case rowExists
        case rowIDTaken
        case noMoreRowIDs
        case noMoreSaves
        case noMoreLayouts
        case notAStore
        case newerStore(format: Int, supported: Int)
        case olderStore(format: Int, supported: Int)
        /// The schema in the file is not the one that this process knows, and cannot be read by it.
        case newerSchema(found: UInt64, known: UInt64)
        case readOnlyStore
        case storeClosed
        /// Waiting for the writer inside a read would wait for itself.
        case saveInsideRead
        case loadInProgress
        /// A file other than the store, such as a dump, cannot be read.
        case unreadableFile(path: String, reason: String)
        /// What exceeds a bound of memory cannot be written to a file in this folder, or be read from it again: there is
        /// no such folder, it may not be written to, or its disk is full.
        case temporaryFile(folder: String, reason: String)
        /// A line of a dump is not what a dump holds there.
        case invalidDump(line: Int, String)
        case newerDump(format: Int, supported: Int)
        /// The store's file or its lock file cannot be used; the sentence comes from the layer below.
        case storage(String)
    }

    package var kind: Kind
    package var entity: String?
    package var property: String?
    package var index: String?
    package var rowID: RowID?

    package init(
        _ kind: Kind, entity: String? = nil, property: String? = nil, index: String? = nil, rowID: RowID? = nil
    ) {
        self.kind = kind
        self.entity = entity
        self.property = property
        self.index = index
        self.rowID = rowID
    }
}

extension StorageError: CustomStringConvertible {
    package var description: String {
        let context = [
            entity.map { "entity \($0)" }, property.map { "property \($0)" }, index.map { "index \($0)" },
            rowID.map { "row \($0)" },
        ].compactMap { $0 }
        return context.isEmpty ? kind.message : "\(kind.message) (\(context.joined(separator: ", ")))"
    }
}

extension StorageError.Kind {
    private static var moveToNewStore: String {
        "Write it with 'loam dump', and read that into a new store with 'loam load'."
    }

    private static var useOtherVersion: String {
        "Use one that does, or drop the index: 'loam index STORE drop NAME'."
    }

    /// The sentence that people read; each stands here once.
    package var message: String {
        switch self {
        case .damagedRecord(let what): "The record is damaged: \(what). Run 'loam check' to see how far it goes."
        case .damagedKey(let what): "An index key is damaged: \(what). Rebuild the index."
        case .damagedBlock(let what): "An index block is damaged: \(what). Rebuild the index."
        case .damagedCatalog(let what): "The catalog is damaged: \(what). Restore the store from a copy or a dump."
        case .damagedHistory(let what): "The history is damaged: \(what). Run 'loam check' to see how far it goes."
        case .damagedLongValue(let what): "A long value is damaged: \(what). Run 'loam check' to see how far it goes."
        case .damagedStatistics(let what):
            "The statistics of an index are damaged: \(what). Make them anew with 'loam index STORE analyze'."
        case .inconsistent(let what): "The store contradicts itself: \(what). Run 'loam check'."
        case .typeMismatch(let expected, let found): "Expected a value of type \(expected), found \(found)."
        case .missingValue: "The property is not optional and has no value."
        case .rowWithoutValue:
            "The models require a value where rows that are stored have none. Give the property a default value, which "
                + "those rows then read, or first give them one with models that allow nil."
        case .severalReferences:
            "The models let one row at the most lead to this one, and several do. First take the others away with models "
                + "that allow them, or make the new side a to-many."
        case .valueTooLong(let limit): "The value is longer than the limit of \(limit) bytes."
        case .valueTooDeep(let limit): "The value is nested more than \(limit) deep."
        case .longValueNotLoaded: "The value lies outside the record. Load it from the table of long values."
        case .invalidIndex(let why): "The index cannot be defined: \(why)."
        case .unknownIndexKind(let kind):
            "This version of Loam knows no indexes of kind '\(kind)'. \(Self.useOtherVersion)"
        case .unknownFunction(let name):
            "This version of Loam knows no function '\(name)' for an index. \(Self.useOtherVersion)"
        case .unknownTimeZone(let name):
            "This system knows no time zone '\(name)'. Time zones have names as Europe/Berlin; newer ones come with a newer "
                + "version of the system or of the Swift runtime."
        case .foreignIndex:
            "This version of Loam does not know all that defines the index. "
                + Self.useOtherVersion
        case .invalidSchema(let why): "The schema cannot be stored: \(why)."
        case .unknownEntity: "The store has no entity of this name."
        case .unknownRelationship: "The entity has no such relationship."
        case .relationshipMoved:
            "Another program has changed what the relationship may lead to. Open the store again."
        case .unknownProperty: "The entity has no property of this name."
        case .unknownIndex: "The store has no index of this name."
        case .entityExists: "The store already has an entity of this name."
        case .propertyExists: "The entity already has a property of this name."
        case .indexExists: "The entity already has an index of this name."
        case .indexNotReady(let state): "The index is \(state) and cannot be read. Rebuild it."
        case .uniqueViolation(let existing):
            "Another row has the same unique value" + (existing.map { ": row \($0)." } ?? ".")
        case .unclaimedConstraint(let existing):
            "Another row has the same values of a unique constraint that these models do not declare"
                + (existing.map { ": row \($0). " } ?? ". ")
                + "Save other values, or drop the constraint: 'loam schema STORE drop ENTITY.CONSTRAINT'."
        case .unclaimedProperty:
            "The store requires a value of a property that these models do not declare, and knows no default of it. "
                + "Insert with models that declare it, or drop it: 'loam schema STORE drop ENTITY.PROPERTY'."
        case .deletionDenied(let relationship):
            "The row cannot be deleted while rows are related to it by '\(relationship)'."
        case .targetMissing(let relationship):
            "The row that '\(relationship)' is to lead to does not exist, or not any more."
        case .referenceRequired(let relationship):
            "'\(relationship)' is not optional and would lead to no row: let it lead to one, or delete the row as well."
        case .tooFewRelated(let relationship, let count, let limit):
            "'\(relationship)' has \(count) rows, and \(limit) are the fewest."
        case .tooManyRelated(let relationship, let count, let limit):
            "'\(relationship)' has \(count) rows, and \(limit) are the most."
        case .savedMeanwhile:
            "Somebody saved after the state was read that the changes were made from. Read again, and make them anew."
        case .conflict(let fields):
            "The row was changed by somebody else since it was read; in conflict: \(fields.joined(separator: ", "))."
        case .rowMissing: "The row does not exist, or not any more."
        case .rowExists: "A row with this identifier exists already."
        case .rowIDTaken: "The store has given out this row identifier already. Load into a new store."
        case .noMoreRowIDs: "The store has used up all row identifiers."
        case .noMoreSaves:
            "The store has used up all save numbers. \(Self.moveToNewStore)"
        case .noMoreLayouts:
            "The entity's properties have been changed as often as a store allows. \(Self.moveToNewStore)"
        case .notAStore: "The file is an LMDB file but not a Loam store."
        case .newerStore(let format, let supported):
            "The store has format \(format); this version reads up to format \(supported). Update Loam."
        case .olderStore(let format, let supported):
            "The store has format \(format); this version reads format \(supported). "
                + "Write it with the 'loam dump' of a version for format \(format), and read that with 'loam load'."
        case .newerSchema(let found, let known):
            "The store's schema has changed (generation \(found), known here: \(known)). Open the store again."
        case .readOnlyStore: "The store was opened read-only."
        case .storeClosed: "The store has been closed."
        case .saveInsideRead: "A save inside a read would wait for itself. Save after the read has ended."
        case .loadInProgress: "A bulk load of this entity is under way in another process."
        case .unreadableFile(let path, let reason): "Cannot read \(path): \(reason)."
        case .temporaryFile(let folder, let reason):
            "What is sorted does not fit into memory, and no temporary file can be used in \(folder): \(reason). Make room "
                + "there, or name another folder: TMPDIR in the environment."
        case .invalidDump(let line, let why): "Line \(line) of the dump cannot be loaded: \(why)."
        case .newerDump(let format, let supported):
            "The dump has format \(format); this version reads up to format \(supported). Update Loam."
        case .storage(let message): message
        }
    }
}
