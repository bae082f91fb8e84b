import Foundation
import LoamStorage
import Synchronization

extension ModelConfiguration {
    /// Opens the store. One in memory is shared, by name, by the containers of the process that are open at a time.
    func openStore() throws -> Store {
        guard isStoredInMemoryOnly else {
            guard url.isFileURL else {
                throw SwiftDataError(.loadIssueModelContainer, "The configuration's URL is not a file's.")
            }
            var options = StoreOptions()
            options.isReadOnly = !allowsSave
            return try Store.open(path: url.path, options: options)
        }
        return try MemoryStores.store(named: name)
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

    static func store(named name: String) throws -> Store {
        try open.withLock { open in
            if let store = open[name]?.store { return store }
            var options = StoreOptions()
            options.isInMemory = true
            let store = try Store.open(path: name, options: options)
            open[name] = Reference(store: store)
            open = open.filter { $0.value.store != nil }
            return store
        }
    }
}
