import Foundation
import Testing

@testable import LoamStorage

/// Loads that are given up by their process or by another one, and loads under way, which nobody may take away.
@Suite struct AbandonedLoadTests {
    private let temporary: TemporaryStore
    private let store: Store

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
        let event = EntityDefinition(
            "Event", properties: [PropertyDefinition("name", type: .string), PropertyDefinition("time", type: .int64)],
            indexes: [IndexDefinition([.init("name")])])
        try store.apply(.addEntity(event))
        try store.insert([["name": .string("first"), "time": .int(0)]], into: "Event")
    }

    private static func row(_ number: Int) -> [Value] { [.string("e\(number)"), .int(Int64(number))] }

    private func count() throws -> Int { try store.read { try $0.count(of: $0.entity(named: "Event")) } }

    /// Leaves a load behind, as a process does that dies in the middle.
    private func leaveDeadLoad(
        _ process: ProcessMark = ProcessMark(process: 1 << 30, start: "never", work: 0), isLease: Bool = true
    ) throws {
        let rows = try store.leaseRowIDs(10)
        let id = rows.lowerBound
        try store.changeCatalog { document in
            _ = try document.beginLoad(
                .existingEntity("Event"), id: id, rows: rows.lowerBound...rows.upperBound - 1,
                leases: isLease ? [rows] : [], process: process)
        }
    }

    private func nextRow() throws -> RowID { try store.info().nextRow }

    @Test func aDeadLoadGivesItsIdsBack() throws {
        let before = try nextRow()
        try leaveDeadLoad()
        #expect(try nextRow() == before + 10)
        try store.takeAwayLeftovers()
        #expect(try nextRow() == before)
        #expect(try store.check().faults == [])
    }

    /// Two processes may find the same dead load; the second one finds it gone.
    @Test func whoComesLateDeletesNothingOfOthers() throws {
        try leaveDeadLoad()
        let load = try #require(try store.catalog().document.loads.first)
        try store.takeAwayLeftovers()
        let id = try store.leaseRowIDs(1).lowerBound
        #expect(load.rows.contains { $0.contains(id) })
        var batch = WriteBatch(author: "other")
        let record = try store.catalog().encode(["name": .string("new"), "time": .int(1)], as: "Event")
        batch.insert(record, into: load.entity.id, rowID: id)
        try store.save(batch)
        for rows in load.rows { #expect(try !store.deleteSomeRows(rows, of: load)) }
        #expect(try count() == 2)
        #expect(try store.check().faults == [])
    }

    @Test func idsThatOthersMayHaveAreNotGivenBackByADeadLoad() throws {
        let before = try nextRow()
        try leaveDeadLoad()
        let lease = try store.leaseRowIDs(1)
        try store.takeAwayLeftovers()
        #expect(try nextRow() == before + 11 && lease.lowerBound == before + 10)
        // A dead load of another entity, from the same dump, has some of the same row ids.
        try leaveDeadLoad(isLease: false)
        try store.takeAwayLeftovers()
        #expect(try nextRow() == before + 21)
    }

    @Test func allLeasesOfALoadThatFailsAreGivenBack() throws {
        let before = try nextRow()
        let kind = storageError {
            _ = try store.load(.existingEntity("Event"), rowCount: 1) { load in
                for number in 0..<3 { try load.append(Self.row(number)) }
                #expect(try nextRow() > before + 3)
                throw StorageError(.storeClosed)
            }
        }
        #expect(kind == .storeClosed)
        #expect(try nextRow() == before)
    }

    /// An index that two have begun to build, one of whom comes so late that it is ready and a load has begun: the rows of
    /// the load are in no index that others read, and neither are those of another load with the same ids.
    @Test func aBuilderThatComesLateTakesNoRowsOfALoad() throws {
        let time = IndexDefinition([.init("time")])
        let id = try store.changeCatalog { try $0.addIndex(time, to: "Event", state: .building).id }
        try IndexBuilder(store: store).build(id)
        try store.run(WriterJob { try IndexBuilder.finish([id], in: &$0, state: $1) })
        let before = try nextRow()
        let megabyte = String(repeating: "x", count: 1 << 20)
        for start in [100, 200] {
            var late: EntrySorter?
            var base: UInt64 = 0
            let kind = storageError {
                _ = try store.load(.existingEntity("Event"), rowCount: 20) { load in
                    // So much is written at once, and lies in the store when the load goes on.
                    for number in start..<start + 17 { try load.append([.string(megabyte), .int(Int64(number))]) }
                    if start == 100 { (late, base) = try IndexBuilder(store: store).collect(id, nil) }
                    if start == 200 { try IndexBuilder(store: store).build(id) }
                    #expect(try store.check().faults == [])
                    throw StorageError(.storeClosed)
                }
            }
            #expect(kind == .storeClosed)
            #expect(try nextRow() == before)
            guard let late else { continue }
            var feed = IndexFeed(store, index: id, baseSave: base, stepBytes: IndexBuilder.stepBytes)
            try late.forEachSorted { try feed.add($0.entry) }
            try feed.flush()
        }
        #expect(try store.check().faults == [])
        #expect(try store.rows(in: "time", of: "Event").count == 1)
        let ids = try store.insert([["name": .string("new"), "time": .int(7)]], into: "Event")
        #expect(try store.check().faults == [] && ids.count == 1)
    }

    /// The process numbers of another container say nothing here, so a load is dead when the file is open nowhere else.
    @Test func aLoadFromAnotherNamespaceIsDeadWhenNobodyElseHasTheFile() throws {
        let foreign = ProcessMark(
            process: ProcessInfo.processInfo.processIdentifier, start: "1", work: 1, namespace: "pid:[1]")
        #expect(!foreign.isAlive(in: store.environment))
        try leaveDeadLoad(foreign)
        try store.takeAwayLeftovers()
        #expect(try store.info().loads == [])

        let descriptor = open(temporary.path, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_SH) == 0)
        #expect(foreign.isAlive(in: store.environment))
        try leaveDeadLoad(foreign)
        try store.takeAwayLeftovers()
        #expect(try store.info().loads == ["Event"])
        #expect(flock(descriptor, LOCK_UN) == 0)
        try store.takeAwayLeftovers()
        #expect(try store.info().loads == [])
    }

    @Test func aMarkSaysWhereItsProcessLives() throws {
        let mark = ProcessMark.begin()
        defer { mark.end() }
        #expect(mark.namespace?.hasPrefix("pid:[") == true)
        let data = try JSONEncoder().encode(mark)
        #expect(try JSONDecoder().decode(ProcessMark.self, from: data) == mark)
        // A mark without a namespace, which stores may hold, is still read.
        let old = try JSONDecoder().decode(ProcessMark.self, from: Data(#"{"process":7,"start":"9","work":1}"#.utf8))
        #expect(old == ProcessMark(process: 7, start: "9", work: 1))
    }

    @Test func aSchemaChangeThatALoadCannotSurviveWaitsForItsEnd() throws {
        _ = try store.load(.existingEntity("Event")) { load in
            try load.append(Self.row(1))
            let changes: [SchemaChange] = [
                .removeEntity("Event"), .removeProperty("time", from: "Event"), .dropIndex("name", from: "Event"),
            ]
            for change in changes { #expect(storageError { try store.apply(change) } == .loadInProgress) }
        }
        #expect(try count() == 2)
        #expect(try store.check().faults == [])
    }

    @Test func aDeadLoadHoldsOffNoSchemaChange() throws {
        try leaveDeadLoad()
        try store.apply(.addIndex(IndexDefinition([.init("time")]), to: "Event"))
        try leaveDeadLoad()
        try store.apply(.removeEntity("Event"))
        #expect(try store.info().loads == [])
        #expect(try store.check().faults == [])
    }

    @Test func aLoadThatSomebodyElseAbandonedWritesNothingMore() throws {
        let kind = storageError {
            _ = try store.load(.existingEntity("Event")) { load in
                try load.append(Self.row(1))
                try store.changeCatalog { $0.abandonLoad($0.loads[0].id) }
                try load.append(Self.row(2))
            }
        }
        #expect(kind != nil)
        #expect(try count() == 1)
        #expect(try store.check().faults == [])
    }

    @Test func rowsAreCountedRightlyWhileALoadIsTakenAwayInSteps() throws {
        let kind = storageError {
            _ = try store.load(.existingEntity("Event"), rowCount: 1_000) { load in
                // The load appends more rows than it announced, so the first thousand are written.
                for number in 0...1_000 { try load.append(Self.row(number)) }
                let begun = try #require(try store.catalog().document.loads.first)
                let hidden = try #require(begun.rows.first)
                #expect(try store.deleteSomeRows(hidden, of: begun))
                #expect(try count() == 1)
                #expect(try store.deleteSomeRows(hidden, of: begun))
                #expect(try !store.deleteSomeRows(hidden, of: begun))
                throw StorageError(.storeClosed)
            }
        }
        #expect(kind == .storeClosed)
        #expect(try count() == 1)
        #expect(try store.check().faults == [])
    }

    @Test func numbersOfLoadsAreNotUsedTwice() throws {
        var numbers: [UInt64] = []
        for _ in 0..<2 {
            _ = try store.load(.existingEntity("Event")) { _ in
                numbers += try store.catalog().document.loads.map(\.id)
            }
        }
        #expect(numbers.count == 2 && numbers[0] != numbers[1])
    }

    @Test func aRowThatCannotBeAddedFailsTheLoadEvenWhenTheErrorIsSwallowed() throws {
        let kind = storageError {
            _ = try store.load(.existingEntity("Event")) { load in
                try load.append(Self.row(1))
                try? load.append([.null, .null])
                try load.append(Self.row(2))
            }
        }
        #expect(kind == .missingValue)
        #expect(try count() == 1)
        #expect(try store.check().faults == [])
    }
}
