#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The first two pages of an LMDB 0.9 file, read before anything is mapped: touching a map beyond the end of its file
/// ends the process.
///
/// A page of a 64-bit file, little endian as the machine: page number (8), padding (2), flags (2), bounds (4); then the
/// meta data: magic (4), version (4), address (8), map size (8), two trees of 48 bytes (the first begins with the page
/// size), last page (8), transaction (8). Source: mdb.c 0.9.24, `MDB_page` and `MDB_meta`.
enum MetaPages {
    private static let magic: UInt32 = 0xBEEF_C0DE
    private static let version: UInt32 = 1
    private static let headerSize = 16
    /// Where LMDB 1.0 has the magic number: its page header is 8 bytes longer.
    private static let newerHeaderSize = 24
    private static let byteCount = 152
    private static let metaFlag: UInt16 = 0x08

    /// What the newer of both pages says.
    struct Meta {
        let pageSize: Int
        let freeRoot: UInt64
        let mainRoot: UInt64
        let freeDepth: Int
        let lastPage: UInt64
        let transaction: UInt64
        /// Bytes up to the end of the last page.
        let usedBytes: Int
        /// Entries of the main tree, all of which are named databases.
        let databaseCount: Int

        /// Whether both trees begin on a page that exists, or are empty.
        var hasRootsInFile: Bool {
            [freeRoot, mainRoot].allSatisfy { $0 == .max || (2...max(lastPage, 2)).contains($0) }
        }
    }

    /// Checks both pages and the file's size. Nil for an empty file, which LMDB makes an environment of.
    ///
    /// Another process may be writing. What looks wrong is looked at again before it counts.
    static func check(_ descriptor: Int32, path: String) throws(LMDBError) -> Meta? {
        var attemptsLeft = 3
        while true {
            do throws(LMDBError) {
                return try checkOnce(PageFile(descriptor: descriptor, path: path))
            } catch {
                attemptsLeft -= 1
                guard attemptsLeft > 0, error.kind == .truncated || error.kind == .damaged else { throw error }
                sched_yield()
            }
        }
    }

    private static func checkOnce(_ file: PageFile) throws(LMDBError) -> Meta? {
        if try file.size() == 0 { return nil }
        let first = try meta(at: 0, in: file)
        let second = try meta(at: first.pageSize, in: file)
        guard first.pageSize == second.pageSize else {
            throw LMDBError(kind: .damaged, call: "compare meta pages", path: file.path)
        }
        let newest = first.transaction >= second.transaction ? first : second
        // The older page may hold the roots of a commit that failed while it was written (`mdb_env_write_meta`).
        guard newest.hasRootsInFile else { throw LMDBError(kind: .damaged, call: "check roots", path: file.path) }
        // Taken after the pages were read: a commit writes its data first, so the file is never shorter than they say.
        let size = try file.size()
        if size < newest.usedBytes {
            let end = UInt64(size / newest.pageSize)
            // LMDB does not write free pages at the end of the file ("MDB_meta.mm_last_pg" in mdb.c).
            guard try FreePages.cover(end...newest.lastPage, meta: newest, in: file) else {
                throw LMDBError(kind: .truncated, call: "compare size and last page", path: file.path)
            }
        }
        return newest
    }

    private static func meta(at offset: Int, in file: PageFile) throws(LMDBError) -> Meta {
        let bytes = try file.read(at: offset, count: byteCount)
        func field<T: FixedWidthInteger & BitwiseCopyable>(_ at: Int, type: T.Type) -> T? {
            guard at + MemoryLayout<T>.size <= bytes.count else { return nil }
            return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: at, as: T.self) }
        }
        func refusal(_ kind: LMDBError.Kind) -> LMDBError {
            LMDBError(kind: kind, call: "read meta page", path: file.path)
        }

        if field(newerHeaderSize, type: UInt32.self) == magic,
            let number = field(newerHeaderSize + 4, type: UInt32.self)
        {
            throw refusal(.newerFormat(number))
        }
        let isShort = offset > 0 || field(headerSize, type: UInt32.self) == magic
        guard bytes.count == byteCount else { throw refusal(isShort ? .truncated : .foreignFile) }
        guard field(headerSize, type: UInt32.self) == magic else { throw refusal(offset > 0 ? .damaged : .foreignFile) }
        guard let number = field(headerSize + 4, type: UInt32.self), number == version else {
            throw refusal(.newerFormat(field(headerSize + 4, type: UInt32.self) ?? 0))
        }
        guard let flags = field(10, type: UInt16.self), flags & metaFlag != 0,
            let pageSize = field(40, type: UInt32.self), (256...32768).contains(pageSize),
            pageSize.nonzeroBitCount == 1,
            let freeDepth = field(46, type: UInt16.self), let depth = field(94, type: UInt16.self), freeDepth <= 32,
            depth <= 32,
            let freeRoot = field(80, type: UInt64.self), let root = field(128, type: UInt64.self),
            let entries = field(120, type: UInt64.self), let lastPage = field(136, type: UInt64.self),
            let transaction = field(144, type: UInt64.self),
            lastPage >= 1, lastPage < UInt64(Int.max) / UInt64(pageSize)
        else { throw refusal(.damaged) }
        return Meta(
            pageSize: Int(pageSize), freeRoot: freeRoot, mainRoot: root, freeDepth: Int(freeDepth), lastPage: lastPage,
            transaction: transaction, usedBytes: (Int(lastPage) + 1) * Int(pageSize),
            databaseCount: Int(clamping: entries))
    }
}

/// Reads parts of a file by position.
struct PageFile {
    let descriptor: Int32
    let path: String

    /// Bytes of the file, now.
    func size() throws(LMDBError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw LMDBError(kind: .init(code: errno), code: errno, call: "fstat", path: path)
        }
        return Int(status.st_size)
    }

    /// Reads `count` bytes, or fewer where the file ends.
    func read(at offset: Int, count: Int) throws(LMDBError) -> [UInt8] {
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count {
                let result = pread(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, offset + filled)
                if result < 0 && errno == EINTR { continue }
                if result < 0 { code = errno }
                if result <= 0 { break }
                filled += result
            }
        }
        guard code == 0 else { throw LMDBError(kind: .init(code: code), code: code, call: "pread", path: path) }
        return bytes
    }
}
