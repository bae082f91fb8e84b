public import Foundation
import LoamStorage

extension ModelContext {
    /// Posted before a save that has something to write, on the saving isolation; the object is the context. The save
    /// may still fail.
    public static let willSave = Notification.Name("Loam.ModelContext.willSave")
    /// Posted after a save, on the saving isolation; the object is the context.
    ///
    /// The user info holds identifiers as a `Set` under each ``NotificationKey``, and as an array under the key's raw
    /// value: programs read both. It has the save's token, too.
    public static let didSave = Notification.Name("Loam.ModelContext.didSave")

    /// What a notification's user info holds.
    public enum NotificationKey: String, Sendable {
        /// SwiftData's keys, for code that names them. Nothing is under them.
        case queryGeneration, invalidatedAllIdentifiers
        /// Models that the save has inserted.
        case insertedIdentifiers
        /// Models that the save has changed.
        case updatedIdentifiers
        /// Models that the save has deleted.
        case deletedIdentifiers
        /// The ``DefaultHistoryToken`` of the save, under this key and its raw value: what comes after it is new to
        /// whoever has heard of this save. It has a number for each store that was saved, but for those that
        /// keep no history; not there where none does.
        case historyTokens
        /// An array of ``ModelContext/DroppedChange``; there only where the save left something out.
        case droppedChanges
    }

    /// A key of the user info, and how what is under it is given.
    private typealias InformationPart = (key: NotificationKey, isArray: Bool)

    /// The keys that every save has. Never changed; holds enum cases and strings only.
    nonisolated(unsafe) private static let identifierKeys = informationKeys([
        .insertedIdentifiers, .updatedIdentifiers, .deletedIdentifiers,
    ])
    /// The keys of a save that the history keeps. Never changed; holds enum cases and strings only.
    nonisolated(unsafe) private static let keysWithToken = informationKeys([
        .insertedIdentifiers, .updatedIdentifiers, .deletedIdentifiers, .historyTokens,
    ])

    private static func informationKeys(_ keys: [NotificationKey]) -> [AnyHashable: InformationPart] {
        var parts: [AnyHashable: InformationPart] = [:]
        for key in keys {
            parts[key] = (key, false)
            parts[key.rawValue] = (key, true)
        }
        return parts
    }

    /// Tells of a save. O(rows).
    func post(_ settlements: [SaveSettlement], dropped: [DroppedChange]) {
        var changes = ContextChanges()
        for settlement in settlements {
            let store = settlement.context
            changes.add(settlement.result.rows, of: store.store.knownCatalog.schema, in: store.containerStore.id)
        }
        let saves = settlements.filter(\.context.containerStore.keepsHistory).map {
            ($0.context.containerStore.id, $0.result.save)
        }
        let token = saves.isEmpty ? nil : DefaultHistoryToken(saves: saves)
        // Hashing such keys costs far more than the rest of a small save: so they are hashed once, for all saves.
        let keys = token == nil ? Self.identifierKeys : Self.keysWithToken
        var information = keys.mapValues { part -> Any in
            if part.key == .historyTokens, let token { return token }
            return changes.identifiers(part.key, asArray: part.isArray)
        }
        if !dropped.isEmpty {
            information[NotificationKey.droppedChanges] = dropped
            information[NotificationKey.droppedChanges.rawValue] = dropped
        }
        NotificationCenter.default.post(name: Self.didSave, object: self, userInfo: information)
    }
}

/// Identifiers of what a save inserted, changed and deleted.
private struct ContextChanges {
    var inserted: Set<PersistentIdentifier> = []
    var updated: Set<PersistentIdentifier> = []
    var deleted: Set<PersistentIdentifier> = []

    func identifiers(_ key: ModelContext.NotificationKey, asArray: Bool) -> Any {
        let identifiers =
            switch key {
            case .insertedIdentifiers: inserted
            case .updatedIdentifiers: updated
            case .deletedIdentifiers: deleted
            case .queryGeneration, .invalidatedAllIdentifiers, .droppedChanges, .historyTokens:
                Set<PersistentIdentifier>()
            }
        return asArray ? Array(identifiers) : identifiers
    }

    mutating func add(_ rows: [SaveResult.Row], of schema: LoamStorage.Schema, in store: String) {
        if rows.last?.old == nil { inserted.reserveCapacity(rows.count) }
        var recent: (id: EntityID, origin: PersistentIdentifier.Origin)?
        for index in rows.indices {
            // Not the row as a whole, whose records would be brought into the cache.
            let id = rows[index].entity
            if recent?.id != id {
                recent = schema.entities.first { $0.id == id }.map { ($0.id, .init(store: store, entity: $0.name)) }
            }
            guard let origin = recent?.origin else { continue }
            let identifier = PersistentIdentifier(origin, row: rows[index].rowID)
            if rows[index].old == nil {
                inserted.insert(identifier)
            } else if rows[index].new == nil {
                deleted.insert(identifier)
            } else {
                updated.insert(identifier)
            }
        }
    }
}
