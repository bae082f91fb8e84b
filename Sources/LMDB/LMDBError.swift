/// What LMDB, or the file system beneath it, refused: the reason as a case, and where it happened as fields.
///
/// Everything that the world can do wrong arrives as this type. Tests and callers decide on ``kind``; the text of
/// ``description`` is for people and ends with what one can do about it.
package struct LMDBError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reasons, independent of the code that reported them.
    package enum Kind: Hashable, Sendable {
        /// No file at the path, and none may be created.
        case missing
        /// A file is at the destination, where none may be overwritten.
        case exists
        /// The file system denies access to the file, its directory or its lock file.
        case permissionDenied
        /// A write to an environment, a file or a file system that is read-only.
        case readOnly
        /// The file is something else than an LMDB environment.
        case foreignFile
        /// The file is shorter than its own meta pages say.
        case truncated
        /// The file's content contradicts itself.
        case damaged
        /// Written by a later version of LMDB's format, whose number is given.
        case newerFormat(UInt32)
        /// The map has no page left. Grow it and try again.
        case mapFull
        /// The disk, a quota or a file size limit is exhausted. The latter ends a process that does not ignore SIGXFSZ.
        case diskFull
        /// Every slot of the reader table belongs to a living reader.
        case readersFull
        /// The process is a fork of the one that opened the environment.
        case forked
        /// Others than the owner may write to the lock file, or it belongs to another user.
        case insecureLockFile
        /// The path no longer leads to the file that is open: it was moved, replaced or deleted.
        case fileDisplaced
        /// Those who have the file open use another lock file than the one beside it, or there is none.
        case lockDisplaced
        /// Others have the file open, and the lock file cannot be written to here.
        case lockNotWritable
        /// The lock file is in use, but not for the file beside it.
        case lockOfAnotherFile
        /// A program holds the file with an exclusive `flock`.
        case fileHeld
        /// More named databases than the environment was opened for.
        case tooManyDatabases
        /// The named database does not exist in the transaction's snapshot.
        case databaseMissing
        /// A key of 0 or more than 511 bytes, or not of 8 bytes where the database has integer keys.
        case keySize
        /// A value above ``WriteTransaction/maximumValueSize``.
        case valueSize
        /// The key exists and must not be overwritten, or an appended key is not above all others.
        case keyExists
        /// A transaction that touches more pages than LMDB can keep track of.
        case transactionFull
        /// Waiting would never end: this thread itself holds the transaction that it would wait for.
        case reentrant
        /// An earlier failure to write a meta page, or to map the file, disabled the environment.
        case panic
        /// Options, a database's kind of key or another process's library do not fit.
        case incompatible
        /// Memory or address space is exhausted.
        case outOfMemory
        /// The device reports an error.
        case inputOutput
        /// Any other code; see ``LMDBError/code``.
        case other
    }

    package let kind: Kind
    /// LMDB's code (negative) or the system's `errno` (positive); 0 where Loam itself refused.
    package let code: Int32
    /// The C function that failed, or the operation that was refused.
    package let call: String
    /// The named database that the call was about, if any.
    package let database: String?
    /// The environment's file.
    package let path: String

    package init(kind: Kind, code: Int32 = 0, call: String, database: String? = nil, path: String) {
        self.kind = kind
        self.code = code
        self.call = call
        self.database = database
        self.path = path
    }

    package var description: String {
        let location = database.map { "\(path), database \($0)" } ?? path
        let number = code == 0 ? "" : ", code \(code)"
        return "\(kind.message) (\(call)\(number), \(location)). \(kind.wayOut)"
    }
}

extension LMDBError.Kind {
    /// What happened, without any of the circumstances.
    package var message: String {
        switch self {
        case .missing: "No store at this path"
        case .exists: "The destination exists"
        case .permissionDenied: "Access denied"
        case .readOnly: "Opened or mounted read-only"
        case .foreignFile: "Not an LMDB file"
        case .truncated: "The file is shorter than its content"
        case .damaged: "The file is damaged"
        case .newerFormat(let version): "Written in LMDB's format \(version), newer than format 1"
        case .mapFull: "The memory map is full"
        case .diskFull: "No space left for the file"
        case .readersFull: "All reader slots are taken"
        case .forked: "Used in a forked child process"
        case .insecureLockFile: "The lock file is writable for group or others, or belongs to another user"
        case .fileDisplaced: "The file was moved, replaced or deleted while it is open"
        case .lockDisplaced: "The lock file was moved, replaced or deleted while the store is open"
        case .lockNotWritable: "Others have the store open, and its lock file cannot be written to from here"
        case .lockOfAnotherFile: "The lock file is in use for another file than the one at this path"
        case .fileHeld: "Another program holds the file"
        case .tooManyDatabases: "Too many named databases"
        case .databaseMissing: "No such database in this transaction"
        case .keySize: "A key of this length is not possible"
        case .valueSize: "The value is too long"
        case .keyExists: "The key exists already, or is not above all others"
        case .transactionFull: "The transaction touches too many pages"
        case .reentrant: "This thread would wait for itself"
        case .panic: "The environment is disabled after an earlier failure"
        case .incompatible: "Does not fit how the file, the database or the lock file was opened"
        case .outOfMemory: "Out of memory or address space"
        case .inputOutput: "The device reports an error"
        case .other: "LMDB failed"
        }
    }

    /// What one can do about it.
    package var wayOut: String {
        switch self {
        case .missing: "Check the path, or open it so that it may be created."
        case .exists: "Choose another path, or remove the file first."
        case .permissionDenied: "Check the access rights of the file, its directory and its lock file."
        case .readOnly: "Open it for writing, where it can be written to."
        case .foreignFile: "Check the path; the file was not touched."
        case .truncated: "Restore it from a copy; it was not mapped, nor changed."
        case .damaged: "Run a check, and restore it from a copy or a dump."
        case .newerFormat: "Dump it with the version that wrote it and load the dump."
        case .mapFull: "Grow the map and repeat the transaction; at the maximum, delete something first."
        case .diskFull: "Make room and repeat the transaction; what was committed is intact."
        case .readersFull: "End some read transactions, or open it with more readers in all processes."
        case .forked: "Open the file anew in the child process, after exec."
        case .insecureLockFile:
            "Find out who made it or could write to it. Restrict it to its owner (chmod go-w), or remove it while nobody "
                + "has the store open."
        case .fileDisplaced:
            "What was saved is in the open file. Move it back, or close it in every process and open it where it is now; "
                + "copy it first (compact) when it was deleted."
        case .lockDisplaced:
            "Close the store in every process and open it again, or move the lock file back. What was saved is intact."
        case .lockNotWritable:
            "A reader has to note itself there, or what it reads is overwritten. Open the store where the lock file can be "
                + "written to, when nobody else has it open, or open a copy (compact)."
        case .lockOfAnotherFile:
            "A store was moved, replaced or deleted while it was open, or a program without Loam uses the lock file. "
                + "Close it there, or choose another path."
        case .fileHeld: "Wait until it lets go of the file (flock), or end it."
        case .tooManyDatabases:
            "Close the file and open it again: it is then opened with room for all that it has, and 256 more."
        case .databaseMissing: "Begin a new transaction; open the database again if it was removed."
        case .keySize: "Keys have 1 to 511 bytes, integer keys 8."
        case .valueSize: "Split it into several."
        case .keyExists: "Overwrite it, or put without appending."
        case .transactionFull: "Split it into several transactions."
        case .reentrant: "End this thread's own transaction first."
        case .panic: "Release every reference to the environment and open it again."
        case .incompatible: "Release the environment that is open, or open it with the same options."
        case .outOfMemory: "Choose a smaller map, or raise the limit of the process."
        case .inputOutput: "Check the device; the transaction was not committed."
        case .other: "See LMDB's documentation for the code."
        }
    }
}
