import CLMDB
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The environment as a whole, at one moment.
package struct EnvironmentInfo: Hashable, Sendable {
    /// Bytes of the map: what the file may grow to before the map has to.
    package let mapSize: Int
    /// Bytes of all pages up to the last one in use. Some of them may be free.
    package let usedBytes: Int
    /// The number of the last committed transaction.
    package let lastTransaction: Int
    /// Slots of the reader table that have been used; of dead and of idle readers too.
    package let readers: Int
    package let maxReaders: Int
    /// The number of bytes in a page.
    package let pageSize: Int
}

extension Environment {
    /// Sizes and counts, now. Throws `forked` in a child process, and `panic` where the environment is disabled.
    package var info: EnvironmentInfo {
        get throws(LMDBError) {
            try checkProcess()
            try entering("info") { () throws(Gate.Refusal) in try gate.hold() }
            defer { gate.release() }
            var info = MDB_envinfo()
            let code = mdb_env_info(pointer, &info)
            guard code == MDB_SUCCESS else { throw error(code, call: "mdb_env_info") }
            return EnvironmentInfo(
                mapSize: info.me_mapsize, usedBytes: (info.me_last_pgno &+ 1) &* pageSize,
                lastTransaction: info.me_last_txnid, readers: Int(info.me_numreaders),
                maxReaders: Int(info.me_maxreaders), pageSize: pageSize)
        }
    }

    /// The slots of the reader table that are in use, of all processes. O(slots).
    ///
    /// - Throws: ``LMDBError/Kind/forked`` in a child process, ``LMDBError/Kind/panic`` where the environment is
    ///   disabled, and what the system says of the lock file.
    package func readers() throws(LMDBError) -> [ReaderInfo] {
        try checkProcess()
        try entering("readers") { () throws(Gate.Refusal) in try gate.hold() }
        defer { gate.release() }
        let (code, text) = ReaderTable.text(pointer)
        guard code >= 0 else { throw error(code, call: "mdb_reader_list") }
        return ReaderTable.readers(in: text)
    }

    /// Frees the slots of readers whose process has died, and with them the pages that they kept. Returns how many.
    ///
    /// - Throws: ``LMDBError/Kind/forked`` in a child process, ``LMDBError/Kind/panic`` where the environment is
    ///   disabled.
    @discardableResult
    package func reapDeadReaders() throws(LMDBError) -> Int {
        try checkProcess()
        try entering("look for dead readers") { () throws(Gate.Refusal) in try gate.hold() }
        defer { gate.release() }
        var dead: Int32 = 0
        let code = mdb_reader_check(pointer, &dead)
        guard code == MDB_SUCCESS else { throw error(code, call: "mdb_reader_check") }
        return Int(dead)
    }

    /// Writes from one look at dead readers to the next.
    private static let writesBetweenReaps = 64

    /// Frees what dead readers keep, every so many writes: one that was killed would make the file grow without end.
    /// Costs a system call for each process in the table, each time.
    func reapNowAndThen() {
        let count = writeCount.wrappingAdd(1, ordering: .relaxed).newValue
        guard count % Self.writesBetweenReaps == 0 else { return }
        // A table that cannot be read now is looked at again.
        _ = try? reapDeadReaders()
    }

    /// Takes the file and its lock file away when the environment is closed, unless others have them open then, or
    /// anything was committed to the file after this call.
    ///
    /// - Throws: what ``info`` throws; nothing is discarded then.
    package func discardWhenClosed() throws(LMDBError) {
        discarded.store(try info.lastTransaction, ordering: .relaxed)
    }

    /// Brings what was committed with less than ``Durability/durable`` to the disk.
    ///
    /// - Throws: ``LMDBError/Kind/inputOutput`` or ``LMDBError/Kind/diskFull`` where the system cannot write: what
    ///   was committed without it may then be lost with the power; ``LMDBError/Kind/forked``,
    ///   ``LMDBError/Kind/panic``.
    package func sync() throws(LMDBError) {
        try checkProcess()
        guard !isReadOnly else { return }
        try entering("sync") { () throws(Gate.Refusal) in try gate.hold() }
        defer { gate.release() }
        let code = mdb_env_sync(pointer, 1)
        guard code == MDB_SUCCESS else { throw error(code, call: "mdb_env_sync") }
    }

    /// Copies a snapshot into a new file, readable by its owner only, and syncs it; a failed copy leaves no file.
    ///
    /// Writers wait for a moment. O(bytes of the file).
    ///
    /// - Parameter compacting: leaves free pages out and puts the others in order; slower.
    /// - Throws: ``LMDBError/Kind/exists`` where there is such a file, ``LMDBError/Kind/diskFull`` and the like where
    ///   it cannot be written, ``LMDBError/Kind/reentrant`` inside this thread's own write,
    ///   ``LMDBError/Kind/readersFull``.
    package func copy(to destination: String, compacting: Bool) throws(LMDBError) {
        try checkProcess()
        guard !gate.isWriting() else { throw LMDBError(kind: .reentrant, call: "copy", path: path) }
        let descriptor = Glibc.open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let code = errno
            throw LMDBError(kind: .init(code: code), code: code, call: "open", path: destination)
        }
        var isComplete = false
        defer {
            Glibc.close(descriptor)
            if !isComplete { unlink(destination) }
        }
        try copy(into: descriptor, path: destination, compacting: compacting)
        isComplete = true
    }

    /// Copies the environment into an open, empty file, which is left to the caller also where this throws.
    ///
    /// - Parameter path: the file's name, for errors.
    /// - Throws: as ``copy(to:compacting:)``. The file may then hold a part of the copy.
    package func copy(into descriptor: Int32, path destination: String, compacting: Bool) throws(LMDBError) {
        try checkProcess()
        guard !gate.isWriting() else { throw LMDBError(kind: .reentrant, call: "copy", path: path) }
        var code = try copy(into: descriptor, flags: compacting ? UInt32(MDB_CP_COMPACT) : 0)
        if code == MDB_SUCCESS && fsync(descriptor) != 0 { code = errno }
        guard code == MDB_SUCCESS else {
            throw LMDBError(kind: .init(code: code), code: code, call: "mdb_env_copyfd2", path: destination)
        }
    }

    /// Copies; a map that another process has grown is followed first.
    private func copy(into descriptor: Int32, flags: UInt32) throws(LMDBError) -> Int32 {
        try followMapIfGrown()
        try entering("copy") { () throws(Gate.Refusal) in try gate.hold() }
        defer { gate.release() }
        return mdb_env_copyfd2(pointer, descriptor, flags)
    }
}
