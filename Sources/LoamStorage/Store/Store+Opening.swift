import Foundation
import LMDB

extension Store {
    /// Opens the store at a path, making it where there is none.
    ///
    /// The store is the file itself and a lock file beside it (`<path>-lock`), readable by the user only; a folder that
    /// has to be made is private too. The file is checked before it is mapped.
    ///
    /// - Parameter schema: what a store that has to be made begins with; it is made with one commit. It is asked only
    ///   then, before there is a file: what it throws leaves none behind, and there is room for as many databases.
    /// - Throws: ``LMDBError`` where the file cannot be used (foreign, truncated, damaged, another user's, disk full),
    ///   ``StorageError`` where it is no store or one of another format, and what `schema` throws.
    package static func open(
        path: String, options: StoreOptions = StoreOptions(), schema: (inout SchemaDraft) throws -> Void = { _ in }
    ) throws -> Store {
        if options.isInMemory { return try openInMemory(options, new: newDocument(schema)) }
        // Most openings find a store.
        guard !FileManager.default.fileExists(atPath: path) else {
            return try open(path, options: options) { try newDocument(schema) }
        }
        let new = try newDocument(schema)
        if options.createsFile, !options.isReadOnly { try makeFolder(of: path) }
        return try open(path, options: options, expectedDatabases: new.databaseCount) { new }
    }

    private static func newDocument(_ schema: (inout SchemaDraft) throws -> Void) throws -> CatalogDocument {
        // It gets its id when it is made.
        try SchemaDraft(newStore: CatalogDocument(storeID: ""), deciding: schema).document
    }

    /// - Parameter new: makes the catalog of a store that has to be made.
    private static func open(
        _ path: String, options: StoreOptions, expectedDatabases: Int = 0, new: () throws -> CatalogDocument
    ) throws -> Store {
        var settings = Environment.Options(options)
        settings.expectedDatabases = expectedDatabases
        settings.hasLateDatabases = true
        let environment = try Environment.open(path: path, options: settings)
        let databases: StoreDatabases
        if let existing = try existingDatabases(in: environment) {
            databases = existing
        } else {
            guard !options.isReadOnly else { throw StorageError(.notAStore) }
            databases = try create(new(), in: environment)
        }
        // The environment may be shared with a store that was opened earlier.
        try environment.openNewDatabases()
        let transaction = try environment.beginRead()
        guard let generation = try CatalogStorage.generation(in: transaction, from: databases.catalog) else {
            throw StorageError(.notAStore)
        }
        let document = try CatalogStorage.document(in: transaction, from: databases.catalog)
        let catalog = try Catalog(document: document, generation: generation) {
            try environment.database(named: $0)
        }
        return Store(
            path: path, options: options, environment: environment,
            cache: CatalogCache(
                databases: databases, catalog: catalog,
                retention: HistoryRetention(seconds: options.historySeconds, bytes: options.historyBytes)))
    }

    /// The store's own databases; nil in a file without any.
    private static func existingDatabases(in environment: Environment) throws -> StoreDatabases? {
        // In one state of the file: another process may be making the store.
        let transaction = try environment.beginRead()
        let found = try StoreDatabases.names.map { try transaction.database(named: $0) }
        if found.allSatisfy({ $0 == nil }) {
            guard transaction.databaseCount == 0 else { throw StorageError(.notAStore) }
            return nil
        }
        guard let catalog = found[0], let indexes = found[1], let counters = found[2], let history = found[3] else {
            throw StorageError(.notAStore)
        }
        return StoreDatabases(catalog: catalog, indexes: indexes, counters: counters, history: history)
    }

    private static func create(_ document: CatalogDocument, in environment: Environment) throws -> StoreDatabases {
        try environment.write { transaction in
            let databases = StoreDatabases(
                catalog: try transaction.openDatabase(named: Keyspace.catalog, integerKeys: false),
                indexes: try transaction.openDatabase(named: Keyspace.indexes, integerKeys: false),
                counters: try transaction.openDatabase(named: Keyspace.counters, integerKeys: false),
                history: try transaction.openDatabase(named: Keyspace.history, integerKeys: false))
            // Another process may have made the store since this one looked.
            if try CatalogStorage.generation(in: transaction, from: databases.catalog) == nil {
                var document = document
                document.storeID = UUID().uuidString
                try CatalogStorage.write(document, generation: 1, in: &transaction, to: databases.catalog)
                _ = try CatalogStorage.catalog(document, generation: 1, in: &transaction)
                try StoreCounters().write(in: &transaction, to: databases.counters)
            }
            return databases
        }
    }

    /// A private file in a folder of its own, unlinked once it is open.
    private static func openInMemory(
        _ options: StoreOptions, new: CatalogDocument
    ) throws -> Store {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("loam-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("memory").path
        var options = options
        options.durability = .unsynced
        return try open(path, options: options, expectedDatabases: new.databaseCount) { new }
    }

    /// Takes the store's files away once it is closed, where this opening made them and nothing was put into it: for
    /// those whose first piece of work has failed.
    ///
    /// A store that somebody else has open then, or has written since, stays.
    ///
    /// - Throws: what ``catalog()`` throws; the files stay then.
    package func discardIfUnused() throws {
        guard environment.isNew else { return }
        let document = try catalog().document
        guard document.schema.entities.isEmpty, document.loads.isEmpty else { return }
        try environment.discardWhenClosed()
    }

    private static func makeFolder(of path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard !FileManager.default.fileExists(atPath: folder) else { return }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
}

extension CatalogDocument {
    /// The databases that a store with this catalog has, or may come to have.
    fileprivate var databaseCount: Int {
        StoreDatabases.names.count + recordDatabases.count + lateDatabases.count
    }
}

extension Environment.Options {
    init(_ options: StoreOptions) {
        self.init()
        if let mapSize = options.mapSize { self.mapSize = mapSize }
        maximumMapSize = options.maximumMapSize
        isReadOnly = options.isReadOnly
        createsFile = options.createsFile
        staysAtPath = !options.isInMemory
        durability =
            switch options.durability {
            case .durable: .durable
            case .recent: .recent
            case .unsynced: .unsynced
            }
    }
}
