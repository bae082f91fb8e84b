import Foundation
import LMDB

/// The databases of a store, below the store: any bytes can be written into them.
struct RawStore {
    private let environment: Environment

    /// The environment that the process has open for the file.
    init(path: String) throws { environment = try Environment.open(path: path) }

    func databases() throws -> [Database] {
        try environment.databaseNames().compactMap { try environment.database(named: $0) }
    }

    func entries(of database: Database) throws -> [RawEntry] {
        try environment.read { transaction in
            var entries: [RawEntry] = []
            var cursor = try transaction.cursor(in: database)
            var isAtEntry = try cursor.moveToFirst()
            while isAtEntry {
                entries.append(
                    RawEntry(
                        key: cursor.key.withUnsafeBytes { Array($0) },
                        value: cursor.value.withUnsafeBytes { Array($0) }))
                isAtEntry = try cursor.next()
            }
            return entries
        }
    }

    /// Puts one entry in the place of another, unsynced: the file is thrown away.
    func replace(_ old: RawEntry?, by new: RawEntry?, in database: Database) throws {
        try environment.write(durability: .unsynced) { transaction in
            if let old, old.key != new?.key {
                _ =
                    database.hasIntegerKeys
                    ? try transaction.delete(old.integerKey, in: database)
                    : try transaction.delete(old.key.span.bytes, in: database)
            }
            guard let new else { return }
            if database.hasIntegerKeys {
                try transaction.put(new.value.span.bytes, for: new.integerKey, in: database)
            } else {
                try transaction.put(new.value.span.bytes, for: new.key.span.bytes, in: database)
            }
        }
    }
}

extension RawEntry {
    fileprivate var integerKey: UInt64 {
        key.withUnsafeBytes { $0.count == 8 ? $0.loadUnaligned(as: UInt64.self) : 0 }
    }
}
