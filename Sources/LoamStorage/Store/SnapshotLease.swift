import LMDB

/// A snapshot that is held from one read to the next, until somebody needs it to end.
///
/// While it is held, pages that it can see are not used again, so whoever holds it renews it now and then
/// (``ChangeReader/remind(afterBytes:)``), and lets go of it when it is recalled (``Store/onRecall(_:)``).
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `snapshot` | whoever holds the lease: it is used by one thread at a time | its reads | the lease goes |
package final class SnapshotLease: @unchecked Sendable {
    package let snapshot: Snapshot
    /// The last save in it.
    package let save: UInt64
    /// The bytes of the file that were in use when it was taken.
    package let usedBytes: Int

    init(_ snapshot: Snapshot) throws {
        self.snapshot = snapshot
        save = try snapshot.lastSave()
        usedBytes = snapshot.transaction.usedBytes
    }
}

/// Has somebody let go of leases when they are recalled, as long as it lives.
package final class LeaseRecall: Sendable {
    private let environment: Environment
    private let number: Int

    init(
        _ environment: Environment, _ letGo: @escaping @Sendable () -> Void, goOn: @escaping @Sendable () -> Void
    ) {
        self.environment = environment
        number = environment.addLender(letGo, goOn: goOn)
    }

    deinit { environment.removeLender(number) }
}

extension Store {
    /// A snapshot of the newest state that may be held; nil while leases are recalled. About the cost of a read.
    ///
    /// - Throws: as ``read(_:)`` without its closure.
    package func makeLease() throws -> SnapshotLease? {
        let snapshot = try snapshot()
        guard snapshot.transaction.lend() else { return nil }
        return try SnapshotLease(snapshot)
    }

    /// Whether leases are recalled: the map of the file is to be moved, and waits for those that are held.
    package var recallsLeases: Bool { environment.waitsForReads }

    /// Calls the closure whenever leases are recalled, on any thread, until what is returned is let go. It ends the
    /// leases; it must begin no read, and wait for nobody who does.
    ///
    /// - Parameter goOn: called on any thread when ``makeLease()`` is worth another try, whether it was refused or not. It
    ///   must only schedule.
    package func onRecall(
        _ letGo: @escaping @Sendable () -> Void, goOn: @escaping @Sendable () -> Void = {}
    ) -> LeaseRecall { LeaseRecall(environment, letGo, goOn: goOn) }
}
