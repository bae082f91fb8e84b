import Foundation
import LoamStorage
import Synchronization

extension ModelConfiguration {
    /// Opens the store. One in memory is shared, by name, by the containers of the process that are open at a time.
    ///
    /// - Parameter sync: makes the schema of a new store.
    func openStore(_ sync: SchemaSync) throws -> Store {
        if let database = cloudKitDatabase.name {
            throw SwiftDataError(
                .loadIssueModelContainer,
                detail: "There is no CloudKit here to mirror the store to \(database): leave cloudKitDatabase out.")
        }
        guard isStoredInMemoryOnly else {
            guard url.isFileURL else {
                throw SwiftDataError(.loadIssueModelContainer, detail: "The configuration's URL is not a file's.")
            }
            var options = storeOptions()
            options.isReadOnly = !allowsSave
            return try Store.open(path: url.path, options: options, schema: sync.decide)
        }
        let options = storeOptions()
        return try isNamed
            ? MemoryStores.store(named: name, options, sync) : MemoryStores.unnamedStore(options, sync)
    }
}

/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `open` | its mutex | whoever opens a container in memory | the last container of a store goes |
private enum MemoryStores {
    private struct Reference {
        weak var store: Store?
    }

    private static let open = Mutex<[String: Reference]>([:])

    static func store(named name: String, _ options: StoreOptions, _ sync: SchemaSync) throws -> Store {
        try open.withLock { open in
            if let store = open[name]?.store { return store }
            let store = try Store.open(path: name, options: options, schema: sync.decide)
            open[name] = Reference(store: store)
            open = open.filter { $0.value.store != nil }
            return store
        }
    }

    /// A store of which only its container knows.
    static func unnamedStore(_ options: StoreOptions, _ sync: SchemaSync) throws -> Store {
        try Store.open(path: UUID().uuidString, options: options, schema: sync.decide)
    }
}
