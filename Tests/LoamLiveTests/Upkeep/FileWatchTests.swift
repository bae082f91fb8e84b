import Dispatch
import Foundation
import LoamQuery
import SeededRandom
import Testing

@testable import LoamLive
@testable import LoamStorage

/// What somebody else writes to the file arrives without a save of one's own.
@Suite struct FileWatchTests {
    /// A store on the file whose saves nobody hears of, as if they were another process's.
    private func other(_ store: Store) -> Store {
        Store(
            path: store.path, options: store.options, environment: store.environment, cache: store.cache,
            changes: ChangeHub(store.environment))
    }

    private func rename(_ count: Int, of entity: Entity, in store: Store, to name: String) throws -> RowID? {
        let rowIDs = try store.read { snapshot in
            var rowIDs: [RowID] = []
            try snapshot.scanRows(of: entity) { row in
                rowIDs.append(row.rowID)
                return rowIDs.count < count
            }
            return rowIDs
        }
        let position = try #require(entity.position(of: "name"))
        var batch = WriteBatch()
        for rowID in rowIDs {
            batch.update(rowID, of: entity.id, base: nil, changes: [entity.properties[position].id: .string(name)])
        }
        try store.save(batch)
        return rowIDs.first
    }

    @Test func savesOfOtherProcessesArriveByThemselves() throws {
        let sample = try LiveSample(rowCount: 30)
        let other = other(sample.store)
        let arrival = DispatchSemaphore(value: 0)
        let live = try LiveResult(Query(entity: "City", sort: [SortKey("name")]), in: sample.store) { _ in
            arrival.signal()
        }
        var rows = SectionedRows(live.start())
        for (count, name) in [(1, "Aa"), (3, "Zz"), (30, "Mm")] {
            let first = try rename(count, of: sample.entity, in: other, to: name)
            try #require(arrival.wait(timeout: .now() + 60) == .success, "nothing has arrived")
            let update = try #require(live.take()?.update)
            guard case .difference(let difference) = update.change() else {
                Issue.record("a reset")
                return
            }
            #expect(difference.updates.count + difference.moves.count >= 1)
            rows = rows.applying(difference)
            #expect(rows == SectionedRows(live.state) && first != nil)
            #expect(rows == (try sample.fresh(Query(entity: "City", sort: [SortKey("name")]))))
        }
        #expect(live.trace.searches > 0)
    }

    @Test func aSchemaThatAnotherProcessChangesIsMetWithoutASave() throws {
        let sample = try LiveSample(rowCount: 300)
        let other = other(sample.store)
        let query = Query(entity: "City", sort: [.init("size"), .init("country", direction: .descending)])
        let live = try LiveResult(query, in: sample.store) { _ in }
        let groups = try LiveGroups(
            GroupedQuery(entity: "City", keys: ["country"], aggregates: [.count]), in: sample.store
        ) { _ in }
        live.start()
        try other.apply(
            .addIndex(IndexDefinition([.init("size"), .init("country", direction: .descending)]), to: "City"))
        // As the watch of the file has it called.
        live.engine.lookForOthers()
        live.settle()
        #expect(live.kind == .virtual(index: "size,-country") && live.trace.reads == 0)
        #expect(SectionedRows(live.state) == (try sample.fresh(query)))
        groups.settle()
        let reads = groups.trace.reads
        #expect(reads >= 1)
        // What is known makes nobody due.
        live.engine.lookForOthers()
        live.settle()
        groups.settle()
        #expect(groups.trace.reads == reads)
    }

    @Test func aFileThatCannotBeWatchedIsLookedAt() throws {
        let sample = try LiveSample(rowCount: 30)
        let other = other(sample.store)
        let arrival = DispatchSemaphore(value: 0)
        let query = Query(entity: "City", sort: [SortKey("name")])
        // It is not where it is looked for at the moment at which watching it begins.
        let (path, away) = (sample.store.path, sample.store.path + "-away")
        try FileManager.default.moveItem(atPath: path, toPath: away)
        let live = try LiveResult(query, in: sample.store) { _ in arrival.signal() }
        try FileManager.default.moveItem(atPath: away, toPath: path)
        live.start()
        for name in ["Aa", "Zz"] {
            _ = try rename(2, of: sample.entity, in: other, to: name)
            try #require(arrival.wait(timeout: .now() + 60) == .success, "nothing has arrived")
            let fresh = try sample.fresh(query)
            #expect(live.take()?.update != nil && SectionedRows(live.state) == fresh)
        }
    }

    @Test func aFileThatIsNotThereIsNotWatched() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "loam-\(UUID().uuidString)").path
        let none = FileWatch(path: path) { Issue.record("there is no such file") }
        try Data("a".utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        // The same file, watched twice: both are told, and one goes on when the other has ended.
        let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        var ends: FileWatch? = FileWatch(path: path) { first.signal() }
        let stays = FileWatch(path: path) { second.signal() }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.write(contentsOf: Data("b".utf8))
        #expect(first.wait(timeout: .now() + 60) == .success && second.wait(timeout: .now() + 60) == .success)
        withExtendedLifetime(ends) {}
        ends = nil
        // A reader may not see yet what it was told of at once, so it is told once more.
        #expect(second.wait(timeout: .now() + 60) == .success)
        try file.write(contentsOf: Data("c".utf8))
        #expect(second.wait(timeout: .now() + 60) == .success)
        withExtendedLifetime((none, stays)) {}
    }
}
