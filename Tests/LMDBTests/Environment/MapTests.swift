import Foundation
import LMDB
import Synchronization
import Testing

/// A full map, and how it grows.
@Suite struct MapTests {
    /// Fills rows, a hundred at a time, until the map is full; returns the number of rows.
    private func fillUp(_ environment: Environment, _ rows: Database) throws -> UInt64 {
        var count: UInt64 = 0
        do {
            while true {
                try environment.fill(rows, count..<count + 100)
                count += 100
            }
        } catch let error as LMDBError where error.kind == .mapFull {
            return count
        }
    }

    @Test func aFullMapCostsTheTransactionOnly() throws {
        let store = try TemporaryStore()
        let environment = try store.open { $0.mapSize = 1 << 20 }
        let rows = try environment.makeRows()
        let count = try fillUp(environment, rows)
        #expect(count > 300)
        #expect(try environment.count(rows) == Int(count))
    }

    @Test func theCommitReportsAnErrorThatTheBodyKeptToItself() throws {
        let store = try TemporaryStore()
        let environment = try store.open { $0.mapSize = 1 << 20 }
        let rows = try environment.makeRows()
        let failure = try kind {
            try environment.write { transaction in
                let value = [UInt8](repeating: 1, count: 1000)
                for key in 0..<UInt64(5000) { try? transaction.put(value.span.bytes, for: key, in: rows) }
            }
        }
        #expect(failure == .mapFull)
        #expect(try environment.count(rows) == 0)
    }

    @Test func growingMakesRoom() throws {
        let store = try TemporaryStore()
        let environment = try store.open { $0.mapSize = 1 << 20 }
        let rows = try environment.makeRows()
        let count = try fillUp(environment, rows)
        try environment.grow()
        #expect(try environment.info.mapSize == 2 << 20)
        try environment.fill(rows, count..<count + 100)
        #expect(try environment.count(rows) == Int(count) + 100)
    }

    @Test func atTheMaximumOnlyADeletionGetsMore() throws {
        let store = try TemporaryStore()
        let environment = try store.open {
            $0.mapSize = 1 << 20
            $0.maximumMapSize = 2 << 20
        }
        let rows = try environment.makeRows()
        _ = try fillUp(environment, rows)
        try environment.grow()
        for _ in 0..<3 {
            // Transactions of one row use the map up to its last page.
            var count = UInt64(try environment.count(rows))
            while try kind({ try environment.fill(rows, count..<count + 1, bytes: 1900) }) == nil { count += 1 }
            #expect(try kind { try environment.grow() } == .mapFull)

            func deleteAll() throws {
                try environment.write { transaction in
                    for key in 0..<count { _ = try transaction.delete(key, in: rows) }
                }
            }
            while let failure = try kind(deleteAll) {
                #expect(failure == .mapFull)
                try environment.grow(forDeletion: true)
            }
            #expect(try environment.count(rows) == 0)
            #expect(try environment.info.mapSize < 3 << 20)
        }
    }

    @Test func theReserveIsTakenAwayAfterTheCommit() throws {
        let store = try TemporaryStore()
        let environment = try store.open {
            $0.mapSize = 1 << 20
            $0.maximumMapSize = 1 << 20
        }
        let rows = try environment.makeRows()
        try environment.grow(forDeletion: true)
        #expect(try environment.info.mapSize == 2 << 20)
        #expect(try kind { try environment.grow(forDeletion: true) } == .mapFull)
        try environment.fill(rows, 0..<1)
        #expect(try environment.info.mapSize == 1 << 20)
    }

    @Test func aReserveThatAReaderHoldsOpenIsTakenAwayLater() throws {
        let store = try TemporaryStore()
        let environment = try store.open {
            $0.mapSize = 1 << 20
            $0.maximumMapSize = 1 << 20
        }
        let rows = try environment.makeRows()
        try environment.grow(forDeletion: true)
        try environment.read { _ in
            try environment.fill(rows, 0..<1)
            #expect(try environment.info.mapSize == 2 << 20)
        }
        try environment.fill(rows, 1..<2)
        #expect(try environment.info.mapSize == 1 << 20)
    }

    @Test func growingOnAThreadThatReadsOrWritesIsRefused() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        #expect(try kind { try environment.read { _ in _ = try environment.grow() } } == .reentrant)
        #expect(try kind { try environment.write { _ in _ = try environment.grow() } } == .reentrant)
        #expect(try kind { try environment.write { _ in try environment.write { _ in } } } == .reentrant)
        #expect(try kind { try environment.grow() } == nil)
    }

    @Test func growingWaitsForReadersWhoseSpansStayGood() throws {
        let store = try TemporaryStore()
        let environment = try store.open { $0.mapSize = 1 << 20 }
        let rows = try environment.makeRows()
        try environment.fill(rows, 0..<1, bytes: 500)
        let isReading = DispatchSemaphore(value: 0)
        let goOn = DispatchSemaphore(value: 0)
        let sum = Mutex(0)
        let reader = Thread {
            try? environment.read { transaction in
                guard let value = try transaction.value(for: 0, in: rows) else { return }
                isReading.signal()
                goOn.wait()
                // A read that begins while a writer waits to grow the map does not wait for ever.
                try environment.read { _ in }
                let total = value.withUnsafeBytes { $0.reduce(0) { $0 + Int($1) } }
                sum.withLock { $0 = total }
            }
            isReading.signal()
        }
        reader.start()
        isReading.wait()
        goOn.signal()
        try environment.grow()
        #expect(try environment.info.mapSize == 2 << 20)
        isReading.wait()
        #expect(sum.withLock { $0 } == 500)
    }

    @Test func aMapGrownByAnotherProcessIsFollowedByReadersAndWriters() throws {
        let store = try TemporaryStore()
        let environment = try store.open { $0.mapSize = 1 << 20 }
        let rows = try environment.makeRows()
        #expect(try OtherProcess("fill", store.path, 4 << 20).finish() == "done")
        let added = try #require(try environment.database(named: "added"))
        #expect(try environment.count(added) == (4 << 20) / 1000)
        #expect(try environment.info.mapSize > 4 << 20)

        #expect(try OtherProcess("fill", store.path, 60 << 20).finish() == "done")
        try environment.fill(rows, 0..<10)
        #expect(try environment.count(added) == (60 << 20) / 1000)
        #expect(try environment.count(rows) == 10)
    }

    @Test func aMapGrownByAnotherProcessCannotBeFollowedUnderAnOpenRead() throws {
        let store = try TemporaryStore()
        let environment = try store.open { $0.mapSize = 1 << 20 }
        let rows = try environment.makeRows()
        try environment.fill(rows, 0..<1)
        try environment.read { transaction in
            #expect(try OtherProcess("fill", store.path, 4 << 20).finish() == "done")
            #expect(try kind { try environment.read { _ in } } == .reentrant)
            #expect(try kind { try environment.write { _ in } } == .reentrant)
            let value = try transaction.value(for: 0, in: rows)
            #expect(value?.byteCount == 1000)
        }
        try environment.read { _ in }
    }

    @Test func theFirstMapIsHalvedUntilItFits() throws {
        let store = try TemporaryStore()
        let size = try #require(Int(try OtherProcess("openShortOfAddresses", store.path, 3 << 30).finish()))
        #expect(size == 2 << 30)
    }

    @Test func growingWithoutAddressSpaceKeepsTheOldMap() throws {
        let store = try TemporaryStore()
        #expect(try OtherProcess("growShortOfAddresses", store.path, 1 << 30).finish() == "outOfMemory")
    }
}
