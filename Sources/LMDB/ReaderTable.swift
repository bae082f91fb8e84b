import CLMDB

/// A reader in any process.
package struct ReaderInfo: Hashable, Sendable {
    package let pid: Int32
    /// The snapshot it sees; nil when it is idle.
    package let transaction: Int?
}

/// LMDB's reader table, which it shows as text only: a heading, then a line per reader with its process (decimal),
/// thread (hexadecimal) and transaction, `-` for none. Source: `mdb_reader_list` in mdb.c 0.9.24.
enum ReaderTable {
    private final class Lines { var text = "" }

    /// The text, with LMDB's code (negative for an error).
    static func text(_ environment: OpaquePointer) -> (code: Int32, text: String) {
        let lines = Lines()
        let code = withExtendedLifetime(lines) {
            mdb_reader_list(
                environment,
                { line, context in
                    guard let line, let context else { return 0 }
                    Unmanaged<Lines>.fromOpaque(context).takeUnretainedValue().text += String(cString: line)
                    return 0
                }, Unmanaged.passUnretained(lines).toOpaque())
        }
        return (code, lines.text)
    }

    /// Whether LMDB works without the table, and so without any lock.
    static func isMissing(_ environment: OpaquePointer) -> Bool {
        text(environment).text.hasPrefix("(no reader locks)")
    }

    /// Whether anybody has read since the lock file came into use: who has the file to itself begins the table anew.
    static func wasEverUsed(_ environment: OpaquePointer) -> Bool {
        var info = MDB_envinfo()
        return mdb_env_info(environment, &info) == MDB_SUCCESS && info.me_numreaders > 0
    }

    /// Takes a slot of the table for a moment, so that ``wasEverUsed(_:)`` holds from then on.
    static func use(_ environment: OpaquePointer, path: String) throws(LMDBError) {
        var transaction: OpaquePointer?
        let code = mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction)
        guard code == MDB_SUCCESS, let transaction else {
            throw LMDBError(kind: .init(code: code), code: code, call: "mdb_txn_begin", path: path)
        }
        mdb_txn_abort(transaction)
    }

    static func readers(in text: String) -> [ReaderInfo] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 3, let pid = Int32(words[0]) else { return nil }
            return ReaderInfo(pid: pid, transaction: Int(words[2]))
        }
    }
}
