import Foundation
import LMDB
import Synchronization
import Testing

/// Environments that meet more named databases than there is room for.
@Suite struct RoomTests {
    private let store: TemporaryStore
    private let environment: Environment
    private let rows: Database

    init() throws {
        store = try TemporaryStore()
        environment = try store.open()
        rows = try environment.makeRows()
        try environment.fill(rows, 0..<10)
    }

    /// Makes databases with one entry each, and makes room where there is none left.
    private func make(_ numbers: Range<Int>) throws -> [Database] {
        while true {
            let room = environment.databaseRoom
            do {
                return try environment.write { transaction in
                    try numbers.map { number in
                        let database = try transaction.openDatabase(named: "d\(number)", integerKeys: true)
                        try transaction.put("\(number)", for: UInt64(number), in: database)
                        return database
                    }
                }
            } catch let error as LMDBError where error.kind == .tooManyDatabases {
                try environment.makeRoom(beyond: room)
            }
        }
    }

    private func hold(_ databases: [Database], _ numbers: Range<Int>) throws -> Bool {
        try environment.read { transaction in
            try zip(databases, numbers).allSatisfy { try transaction.text(for: UInt64($1), in: $0) == "\($1)" }
        }
    }

    @Test func handlesGoOnWhenThereIsMoreRoom() throws {
        let first = try make(0..<1_000)
        #expect(environment.databaseRoom == 1_024)
        let more = try make(1_000..<2_500)
        #expect(environment.databaseRoom == 4_096)
        #expect(try hold(first, 0..<1_000))
        #expect(try hold(more, 1_000..<2_500))
        #expect(try environment.count(rows) == 10)
        // Databases that were opened before there was more room can be written to.
        try environment.fill(rows, 10..<20)
        #expect(try environment.count(rows) == 20)
        #expect(try environment.databaseNames().count == 2_501)
    }

    @Test func handlesGoOnAroundThoseOfDroppedDatabases() throws {
        let first = try make(0..<900)
        for number in [0, 17, 18, 450, 898] {
            try environment.write { try $0.drop(first[number]) }
        }
        try environment.makeRoom(beyond: environment.databaseRoom)
        let left = (0..<900).filter { ![0, 17, 18, 450, 898].contains($0) }
        for number in left { #expect(try hold([first[number]], number..<number + 1)) }
        #expect(try environment.databaseNames().count == left.count + 1)
        let more = try make(900..<1_500)
        #expect(try hold(more, 900..<1_500))
        #expect(try environment.count(rows) == 10)
    }

    @Test func databasesOfAnotherProcessAreMet() throws {
        let late = LateDatabase(named: "made 1500")
        #expect(try OtherProcess("makeDatabases", store.path, 1_600).finish() == "done")
        let found = try environment.read { transaction in
            try transaction.database(late).map { try transaction.contains(1_500, in: $0) }
        }
        #expect(found == true)
        #expect(environment.databaseRoom == 2_048)
        #expect(try environment.count(rows) == 10)
        #expect(!environment.isOpenElsewhere())
        #expect(try OtherProcess("increment", store.path, 3).finish() == "done")
        #expect(try environment.database(named: "counters") != nil)
    }

    @Test func aReadOnlyEnvironmentMeetsThemToo() throws {
        #expect(try OtherProcess("makeDatabases", store.path, 10).finish() == "done")
        let copy = try TemporaryStore()
        try environment.copy(to: copy.path, compacting: false)
        let environment = try copy.open { $0.isReadOnly = true }
        let known = try #require(try environment.database(named: "made 7"))
        #expect(try OtherProcess("makeDatabases", copy.path, 1_600).finish() == "done")
        #expect(try environment.database(named: "made 1599") != nil)
        #expect(try environment.count(known) == 1)
        #expect(environment.databaseRoom == 2_048)
    }

    @Test func itIsRefusedInsideAReadOfTheSameThread() throws {
        let room = environment.databaseRoom
        let refusal = try environment.read { _ in try kind { try environment.makeRoom(beyond: room) } }
        #expect(refusal == .reentrant)
        #expect(environment.databaseRoom == room)
        // Another thread may have made the room meanwhile: then nothing is left to do.
        try environment.makeRoom(beyond: room - 1)
        #expect(environment.databaseRoom == room)
        try environment.makeRoom(beyond: room)
        #expect(environment.databaseRoom == 2 * room)
    }

    @Test func readersAndWritersGoOnMeanwhile() throws {
        let wrong = Mutex(0)
        let isDone = Mutex(false)
        let ended = DispatchGroup()
        let (environment, rows) = (environment, rows)
        for number in 0..<4 {
            ended.enter()
            Thread {
                defer { ended.leave() }
                var round = 0
                while !isDone.withLock({ $0 }) {
                    round += 1
                    do {
                        if number == 0 {
                            try environment.fill(rows, 0..<10, bytes: 100 + round % 100)
                        } else if try environment.count(rows) != 10 {
                            wrong.withLock { $0 += 1 }
                        }
                        _ = try environment.reapDeadReaders()
                    } catch {
                        wrong.withLock { $0 += 1 }
                    }
                }
            }.start()
        }
        let other = try OtherProcess("increment", store.path, 300)
        for _ in 0..<6 { try environment.makeRoom(beyond: environment.databaseRoom) }
        #expect(try other.finish() == "done")
        isDone.withLock { $0 = true }
        ended.wait()
        #expect(wrong.withLock { $0 } == 0)
        #expect(environment.databaseRoom == 1 << 16)
        #expect(try kind { try environment.makeRoom(beyond: 1 << 16) } == .tooManyDatabases)
    }
}
