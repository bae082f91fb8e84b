import LMDB
import Synchronization
import Testing

@testable import LoamStorage

/// A map that must not grow, and snapshots that are held while it fills.
@Suite("A full map at its maximum") struct FullMapTests {
    /// Holds a snapshot until it is recalled.
    private final class Holder: Sendable {
        private let lease = Mutex<SnapshotLease?>(nil)
        private let recalls = Mutex(0)
        private let recall = Mutex<LeaseRecall?>(nil)

        init(_ store: Store) throws {
            lease.withLock { [made = try store.makeLease()] in $0 = made }
            let made = store.onRecall { [weak self] in self?.letGo() }
            recall.withLock { $0 = made }
        }

        private func letGo() {
            let held = lease.withLock { lease in
                defer { lease = nil }
                return lease
            }
            if held != nil { recalls.withLock { $0 += 1 } }
        }

        var recallCount: Int { recalls.withLock { $0 } }
    }

    private let files: TemporaryStore
    private let store: Store

    init() throws {
        files = try TemporaryStore()
        store = try files.open {
            ($0.mapSize, $0.maximumMapSize) = (1 << 20, 1 << 20)
            $0.historyBytes = 0
        }
        try store.apply(.addEntity(EntityDefinition("Note", properties: [.init("text", type: .string)])))
    }

    private func text(_ letter: String) -> [String: Value] {
        ["text": .string(String(repeating: letter, count: 1_500))]
    }

    @Test("has room for a save again where a snapshot that was held kept it")
    func retried() throws {
        let rows = try store.insert(Array(repeating: text("a"), count: 100), into: "Note")
        let holder = try Holder(store)
        for letter in ["b", "c", "d", "e", "f", "g"] {
            for row in rows { try store.update(row, of: "Note", text(letter)) }
        }
        #expect(holder.recallCount == 1)
        #expect(try store.values(rows[99], of: "Note") == [.string(String(repeating: "g", count: 1_500))])
        #expect(try store.check().faults == [])
    }

    @Test("is full where that is not enough, and what is there stays")
    func full() throws {
        let rows = try store.insert(Array(repeating: text("a"), count: 100), into: "Note")
        let holder = try Holder(store)
        for row in rows.prefix(20) { try store.update(row, of: "Note", text("b")) }
        var failure: LMDBError.Kind?
        do {
            try store.insert(Array(repeating: text("c"), count: 2_000), into: "Note")
        } catch let error as LMDBError {
            failure = error.kind
        }
        #expect(failure == .mapFull && holder.recallCount == 1)
        try store.update(rows[0], of: "Note", text("d"))
        #expect(try store.check().faults == [])
    }
}
