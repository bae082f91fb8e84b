import Dispatch
import Foundation
import LMDB
import Synchronization
import Testing

@testable import LoamStorage

/// Every commit of the process to a file is handed out once, in the order of saves, to the readers that it concerns.
@Suite struct ChangeHubTests {
    /// A reader that takes the commits, and counts how often it was woken for one.
    final class Recorder: Sendable {
        private let taken = Mutex<[ChangeSet]>([])
        private let count = Mutex(0)
        private let reader: ChangeReader

        init(_ hub: ChangeHub, to entities: Set<EntityID>? = nil, after save: UInt64) {
            reader = hub.reader(after: save)
            if let entities { reader.follow(entities) }
            reader.onArrival { [weak self] in self?.count.withLock { $0 += 1 } }
        }

        var all: [ChangeSet] {
            taken.withLock { taken in
                taken += reader.take().sets
                return taken
            }
        }
        var saves: [UInt64] { all.flatMap { $0.results.map(\.save) } }
        var wakeUps: Int { count.withLock { $0 } }
    }

    private let files: TemporaryStore

    init() throws { files = try TemporaryStore() }

    private func store(_ files: TemporaryStore) throws -> Store {
        let store = try files.open()
        for name in ["City", "Lake"] {
            try store.apply(
                .addEntity(
                    EntityDefinition(name, properties: [.init("name", type: .string), .init("size", type: .int64)])))
        }
        return store
    }

    private func recorder(of names: [String], _ store: Store) throws -> Recorder {
        let ids = try Set(names.map { try store.entity($0).id })
        return Recorder(store.changes, to: ids, after: try store.read { try $0.lastSave() })
    }

    @Test func savesOfSeveralStoresComeInOrder() throws {
        let stores = [try store(files), try files.open()]
        #expect(stores[0].changes === stores[1].changes)
        let recorder = try recorder(of: ["City"], stores[0])
        let first = try stores[0].read { try $0.lastSave() } + 1
        let failures = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 4) { worker in
            for number in 0..<50 {
                do {
                    try stores[worker % 2].insert(
                        [["name": .string("\(worker)"), "size": .int(Int64(number))]], into: "City")
                } catch {
                    failures.withLock { $0 += 1 }
                }
            }
        }
        #expect(failures.withLock { $0 } == 0)
        #expect(recorder.saves == Array(first..<first + 200))
        for (left, right) in zip(recorder.all, recorder.all.dropFirst()) {
            #expect(left.last == right.base && !right.hasGap)
        }
        #expect(stores[0].changes.hasHandedOut(through: .max))
        withExtendedLifetime(recorder) {}
    }

    @Test func tellsWhatChanged() throws {
        let store = try store(files)
        let recorder = try recorder(of: ["City"], store)
        let city = try store.entity("City").id
        let row = try store.insert([["name": .string("Lima"), "size": .int(1)]], into: "City")[0]
        try store.insert([["name": .string("Titicaca"), "size": .int(1)]], into: "Lake")
        try store.update(row, of: "City", ["size": .int(2)])
        try store.delete(row, of: "City")
        let extents = recorder.all.map { $0.entities[city] }
        #expect(extents == [.init(insertsOrDeletes: true), .init(fields: [1]), .init(insertsOrDeletes: true)])
        #expect(recorder.all.flatMap { $0.results.flatMap(\.rows) }.map(\.rowID) == [row, row, row])
        #expect(recorder.wakeUps == 3)
        #expect(recorder.all.allSatisfy { !$0.changesSchema && $0.rewritten.isEmpty })
    }

    @Test func saysNothingOfWhatFailed() throws {
        let store = try store(files)
        let recorder = try recorder(of: ["City"], store)
        #expect(storageError { try store.update(1, of: "City", ["size": .int(2)]) } == .rowMissing)
        #expect(recorder.all.isEmpty)
        #expect(store.changes.hasHandedOut(through: .max))
    }

    @Test func tellsOfSchemaChanges() throws {
        let store = try store(files)
        let recorder = try recorder(of: [], store)
        try store.apply(.addProperty(PropertyDefinition("depth", type: .int64, isOptional: true), to: "Lake"))
        #expect(recorder.all.map(\.changesSchema) == [true])
        #expect(recorder.all.map(\.results.count) == [0])
    }

    @Test func keepsNoSubscriberAlive() throws {
        let store = try store(files)
        weak var gone: Recorder?
        do {
            let recorder = try recorder(of: ["City"], store)
            gone = recorder
        }
        #expect(gone == nil)
        try store.insert([["name": .string("Lima"), "size": .int(1)]], into: "City")
    }

    /// A snapshot can show a commit before that is handed out: a reader that begins there makes no gap for the others.
    @Test func aCommitThatAReaderHasSeenBeforeItIsHandedOutSaysWhereItBegins() throws {
        let hub = ChangeHub.of(try Environment.open(path: files.path))
        let commit = hub.announce(CommitChanges(last: 12), base: 10)
        let seen = hub.reader(after: 12)
        let unseen = hub.reader(after: 10)
        let row = SaveResult.Row(entity: 7, rowID: 1, old: nil, new: [], changed: [])
        let rows = Array(repeating: row, count: UnreadChanges.mostRows + 1)
        hub.conclude(
            commit,
            changes: CommitChanges(last: 12, results: [SaveResult(save: 12, rows: rows, links: [], mapping: [:])]))
        #expect(unseen.take().lost == 10..<12)
        #expect(seen.take().lost == 10..<12)

        let next = hub.announce(CommitChanges(last: 13), base: 12)
        let result = SaveResult(save: 13, rows: [row], links: [], mapping: [:])
        hub.conclude(next, changes: CommitChanges(last: 13, results: [result]))
        #expect(seen.take().sets.map(\.known) == [12] && unseen.take().sets.map(\.hasGap) == [false])
    }

    @Test func ordersCommitsAndFindsOtherProcessesSaves() throws {
        let hub = ChangeHub.of(try Environment.open(path: files.path))
        let recorder = Recorder(hub, to: [7], after: 10)
        func changes(_ last: UInt64) -> CommitChanges {
            CommitChanges(
                last: last,
                results: [
                    SaveResult(
                        save: last, rows: [.init(entity: 7, rowID: 1, old: nil, new: [], changed: [])], links: [],
                        mapping: [:])
                ])
        }
        let (first, second, third) = (
            hub.announce(CommitChanges(last: 11), base: 10), hub.announce(CommitChanges(last: 12), base: 11),
            hub.announce(CommitChanges(last: 15), base: 14)
        )
        hub.conclude(third, changes: changes(15))
        #expect(recorder.all.isEmpty && !hub.hasHandedOut(through: 11) && hub.hasHandedOut(through: 10))
        hub.conclude(first, changes: changes(11))
        #expect(recorder.saves == [11])
        hub.conclude(second, changes: nil)
        #expect(recorder.saves == [11, 15])
        #expect(recorder.all.map(\.hasGap) == [false, true])
        #expect(recorder.all.map(\.known) == [10, 11] && hub.lastSave == 15)
        withExtendedLifetime(recorder) {}
    }

    /// Who wants to is told of a small commit before it is made, and knows it again when it is handed out.
    @Test func smallCommitsAreToldBeforehand() throws {
        let hub = ChangeHub.of(try Environment.open(path: files.path))
        let reader = hub.reader(after: 10)
        reader.follow([7])
        let told = Mutex<[UInt64?]>([])
        reader.onAnnouncement { set in told.withLock { $0.append(set.announcement) } }
        var last: UInt64 = 10
        func changes(of entity: EntityID = 7, rows: Int = 1) -> CommitChanges {
            let row = SaveResult.Row(entity: entity, rowID: 1, old: nil, new: [], changed: [])
            let rows = Array(repeating: row, count: rows)
            return CommitChanges(
                last: last + 1, results: [SaveResult(save: last + 1, rows: rows, links: [], mapping: [:])])
        }
        func commit(_ changes: CommitChanges) {
            hub.conclude(hub.announce(changes, base: last), changes: changes)
            last += 1
        }
        commit(changes())
        let first = try #require(told.withLock { $0 }.first ?? nil)
        #expect(reader.take().sets.map(\.announcement) == [first])
        // Of others nobody is told: large ones, those of other entities, those that change the schema, and those that
        // wait for one before.
        commit(changes(rows: 17))
        commit(changes(of: 8))
        var schema = changes()
        schema.changesSchema = true
        commit(schema)
        #expect(told.withLock(\.count) == 1)
        #expect(reader.take().sets.map(\.announcement) == [nil, nil])
        let (earlier, later) = (changes(), changes())
        let base = last
        let under = hub.announce(earlier, base: base)
        last += 1
        commit(later)
        #expect(told.withLock(\.count) == 2)
        // It fails, and nobody hears of it again.
        hub.conclude(under, changes: nil)
        let sets = reader.take().sets
        #expect(sets.allSatisfy { $0.announcement == nil })
        // Another process has saved before.
        last += 1
        commit(changes())
        #expect(told.withLock(\.count) == 2)
        commit(changes())
        #expect(told.withLock(\.count) == 3 && Set(told.withLock { $0 }).count == 3)
    }
}
