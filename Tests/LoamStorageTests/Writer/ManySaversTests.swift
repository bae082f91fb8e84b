import Dispatch
import Foundation
import LoamStorage
import Testing

/// Threads that block and tasks that suspend save at once, and hand the writer to one another.
struct ManySaversTests {
    private let temporary: TemporaryStore
    private let store: Store

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Note", properties: [PropertyDefinition("text", type: .string)],
                    indexes: [IndexDefinition([.init("text")], kind: .unique)])))
    }

    private static func batch(_ text: String, in store: Store) throws -> WriteBatch {
        var batch = WriteBatch()
        batch.insert(
            try store.catalog().encode(["text": .string(text)], as: "Note"), into: try store.entity("Note").id,
            rowID: try store.makeRowID())
        return batch
    }

    @Test func everySaveIsMadeOnce() async throws {
        let (savers, turns) = (8, 40)
        let store = store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for saver in 0..<savers {
                group.addTask {
                    for turn in 0..<turns { try await store.save(Self.batch("task \(saver) \(turn)", in: store)) }
                }
                group.addTask {
                    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
                        Thread {
                            done.resume(
                                with: Result {
                                    for turn in 0..<turns {
                                        try store.save(Self.batch("thread \(saver) \(turn)", in: store))
                                    }
                                })
                        }.start()
                    }
                }
            }
            try await group.waitForAll()
        }
        let texts = try store.read { snapshot in
            var texts: Set<Value> = []
            try snapshot.scanRows(of: snapshot.entity(named: "Note")) { row in
                texts.insert(try row.value(0))
                return true
            }
            return texts
        }
        let wanted = (0..<savers).flatMap { saver in
            (0..<turns).flatMap { ["task \(saver) \($0)", "thread \(saver) \($0)"] }
        }
        #expect(texts == Set(wanted.map(Value.string)))
        #expect(try store.check().faults == [])
    }

    /// One that fails does not keep the others from their turn.
    @Test func aSaveThatFailsHandsOver() async throws {
        let store = store
        try await store.save(Self.batch("taken", in: store))
        let failures = try await withThrowingTaskGroup(of: Bool.self) { group in
            for saver in 0..<24 {
                let batch = try Self.batch(saver % 3 == 0 ? "taken" : "note \(saver)", in: store)
                group.addTask {
                    do {
                        try await store.save(batch)
                        return false
                    } catch let error as StorageError {
                        guard case .uniqueViolation = error.kind else { throw error }
                        return true
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 8)
        #expect(try store.read { try $0.count(of: $0.entity(named: "Note")) } == 17)
    }
}
