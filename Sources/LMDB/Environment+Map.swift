import CLMDB
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What has become of the room beyond the maximum that a deletion was granted.
enum Reserve {
    static let closed = 0
    /// Granted to the next transaction that commits.
    static let open = 1
    /// Committed into, to be taken away as soon as no transaction is open.
    static let used = 2
}

/// How room was made for a transaction.
package enum MadeRoom: Hashable, Sendable {
    /// The map is larger.
    case grown
    /// Pages can be used again that the readers of dead processes kept.
    case reaped
    /// Pages can be used again that snapshots of this process kept, which have ended.
    case recalled
}

extension Environment {
    /// Makes room after a transaction has failed with ``LMDBError/Kind/mapFull``: frees the pages that dead readers
    /// keep, and where there are none of those doubles the map.
    ///
    /// Waits until no transaction of this process is open. At the maximum only a deletion gets more: a reserve beyond
    /// it, until the next commit. Others have what the transactions kept that were waited for, where that is anything.
    ///
    /// - Throws: ``LMDBError/Kind/reentrant`` when this thread has a transaction open itself,
    ///   ``LMDBError/Kind/mapFull`` when the maximum (and for a deletion the reserve) is reached,
    ///   ``LMDBError/Kind/outOfMemory`` when the process has no more address space. The map stays as it was.
    @discardableResult
    package func grow(forDeletion: Bool = false) throws(LMDBError) -> MadeRoom {
        guard try reapDeadReaders() == 0 else { return .reaped }
        let oldest = try readers().compactMap(\.transaction).min()
        _ = try entering("grow") { () throws(Gate.Refusal) in try gate.close() }
        let (size, used) = mapSizeAndUse()
        var wanted = MapSize.larger(size, maximum: options.maximumMapSize)
        var opensReserve = false
        if wanted == nil && forDeletion, let maximum = options.maximumMapSize,
            let larger = MapSize.withReserve(maximum: maximum, used: used), larger > size
        {
            wanted = larger
            opensReserve = true
        }
        guard let wanted else {
            let hasFreed = hasFreed(since: oldest)
            gate.open(isLost: false)
            if hasFreed { return .recalled }
            throw LMDBError(kind: .mapFull, call: "grow", path: path)
        }
        if opensReserve { reserve.store(Reserve.open, ordering: .relaxed) }
        try move(from: size, to: wanted, atLeast: size + 1)
        return .grown
    }

    /// Whether snapshots have ended, behind the closed gate, that kept pages from use: those of the last commit keep none.
    ///
    /// - Parameter oldest: the oldest snapshot that was open before.
    private func hasFreed(since oldest: Int?) -> Bool {
        guard let oldest else { return false }
        var info = MDB_envinfo()
        mdb_env_info(pointer, &info)
        let rest = ReaderTable.readers(in: ReaderTable.text(pointer).text).compactMap(\.transaction).min()
        return oldest < min(rest ?? .max, info.me_last_txnid)
    }

    /// Follows a map that another process has grown, unless another thread did since that generation.
    func followMap(generation: Int) throws(LMDBError) {
        let isOurs = try entering("follow a grown map") { () throws(Gate.Refusal) in
            try gate.close(unlessNewerThan: generation)
        }
        guard isOurs else { return }
        let (size, used) = mapSizeAndUse()
        let wanted = MapSize.larger(max(size, used), maximum: options.maximumMapSize) ?? 0
        try move(from: size, to: max(wanted, MapSize.rounded(used)), atLeast: used)
    }

    /// Takes the reserve away again, when that needs no waiting; otherwise before a later write.
    func closeReserve(afterUse: Bool) {
        if afterUse && reserve.load(ordering: .relaxed) == Reserve.open {
            reserve.store(Reserve.used, ordering: .relaxed)
        }
        guard reserve.load(ordering: .relaxed) == Reserve.used, let maximum = options.maximumMapSize else { return }
        // Those who hold snapshots let go of them, if not for each write.
        if afterUse || writeCount.load(ordering: .relaxed) % 64 == 0 { gate.callLenders() }
        guard gate.closeIfIdle() else { return }
        let (_, used) = mapSizeAndUse()
        let code = mdb_env_set_mapsize(pointer, MapSize.rounded(max(maximum, used)))
        reserve.store(Reserve.closed, ordering: .relaxed)
        gate.open(isLost: code != MDB_SUCCESS)
    }

    /// Moves the map behind the closed gate, in smaller steps when there is no room for the size wanted; opens the
    /// gate.
    ///
    /// LMDB unmaps before it maps. The room is therefore tried for first, beside the old map: a process that is short
    /// of address space keeps the map that it has.
    private func move(from size: Int, to wanted: Int, atLeast least: Int) throws(LMDBError) {
        var target = wanted
        while target > size, !hasRoom(for: target) {
            target = MapSize.rounded(size + (target - size) / 2)
            if target - size <= MapSize.unit || target < least {
                gate.open(isLost: false)
                throw LMDBError(kind: .outOfMemory, code: ENOMEM, call: "mmap", path: path)
            }
        }
        let code = mdb_env_set_mapsize(pointer, target)
        gate.open(isLost: code != MDB_SUCCESS && code != EINVAL)
        guard code == MDB_SUCCESS else { throw error(code, call: "mdb_env_set_mapsize") }
    }

    private func hasRoom(for size: Int) -> Bool {
        guard let room = mmap(nil, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
            room != MAP_FAILED
        else { return false }
        munmap(room, size)
        return true
    }

    /// The map's size and the bytes used by the last commit. To be called where the map cannot move.
    func mapSizeAndUse() -> (size: Int, used: Int) {
        var info = MDB_envinfo()
        mdb_env_info(pointer, &info)
        return (info.me_mapsize, (info.me_last_pgno &+ 1) &* pageSize)
    }
}
