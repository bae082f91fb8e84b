import CLMDB

/// What a write transaction shares with its cursors.
final class WriteState {
    /// LMDB's cursors by database handle; LMDB closes them with the transaction.
    private var cursors: [(handle: UInt32, cursor: OpaquePointer)] = []
    /// Databases that only this transaction knows until it is committed.
    var opened: [String: Database] = [:]
    /// Whether the transaction holds the table of handles.
    var changesHandles = false
    /// The error that cost LMDB the transaction.
    private(set) var failure: LMDBError?

    /// Our own code next to LMDB's, which end at -30780 (lmdb.h, "Return Codes").
    static let valueTooLong: Int32 = -1

    /// The cursor kept for a database. Looked for one by one: a writer uses few.
    func cursor(of database: Database) -> OpaquePointer? {
        for entry in cursors where entry.handle == database.handle { return entry.cursor }
        return nil
    }

    func add(_ cursor: OpaquePointer, of database: Database) {
        cursors.append((database.handle, cursor))
    }

    func removeCursor(of database: Database) {
        cursors.removeAll { $0.handle == database.handle }
    }

    static func flags(_ append: Bool, overwrites: Bool) -> UInt32 {
        UInt32((append ? MDB_APPEND : 0) | (overwrites ? 0 : MDB_NOOVERWRITE))
    }

    /// The error for a code: the one that ended the transaction, if one did before.
    func error(_ code: Int32, call: String, database: Database, environment: Environment) -> LMDBError {
        if let failure { return failure }
        if code == WriteState.valueTooLong {
            return LMDBError(kind: .valueSize, call: call, database: database.name, path: environment.path)
        }
        return noted(environment.error(code, call: call, database: database))
    }

    /// Remembers an error that ends the transaction.
    func noted(_ error: LMDBError) -> LMDBError {
        if failure == nil && !error.kind.leavesTransactionUsable { failure = error }
        return failure ?? error
    }
}

extension MDB_val {
    /// Lets a body write the bytes; zeros when it throws.
    func fill(_ body: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
        let room = UnsafeMutableRawBufferPointer(start: mv_data, count: mv_size)
        do {
            try body(room)
        } catch {
            room.initializeMemory(as: UInt8.self, repeating: 0)
            throw error
        }
    }
}
