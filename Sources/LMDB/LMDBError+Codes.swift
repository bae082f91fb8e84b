import CLMDB

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension LMDBError.Kind {
    /// The reason behind a code of LMDB (lmdb.h, "Return Codes") or of the system.
    init(code: Int32) {
        switch code {
        case MDB_KEYEXIST: self = .keyExists
        case MDB_PAGE_NOTFOUND, MDB_CORRUPTED, MDB_CURSOR_FULL, MDB_PAGE_FULL: self = .damaged
        case MDB_PANIC: self = .panic
        case MDB_VERSION_MISMATCH, MDB_INCOMPATIBLE: self = .incompatible
        case MDB_INVALID: self = .foreignFile
        case MDB_MAP_FULL: self = .mapFull
        case MDB_DBS_FULL: self = .tooManyDatabases
        case MDB_READERS_FULL: self = .readersFull
        case MDB_TXN_FULL: self = .transactionFull
        case MDB_BAD_VALSIZE: self = .keySize
        case MDB_BAD_DBI, MDB_NOTFOUND: self = .databaseMissing
        case ENOENT: self = .missing
        case EEXIST: self = .exists
        case EACCES, EPERM: self = .permissionDenied
        case EROFS: self = .readOnly
        case ENOSPC, EDQUOT, EFBIG: self = .diskFull
        case ENOMEM: self = .outOfMemory
        case EIO: self = .inputOutput
        default: self = .other
        }
    }

    /// Whether the transaction that met this can still be committed.
    var leavesTransactionUsable: Bool {
        switch self {
        case .keyExists, .keySize, .valueSize, .databaseMissing, .tooManyDatabases, .incompatible, .reentrant: true
        default: false
        }
    }
}
