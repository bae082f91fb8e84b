import LMDB
import Testing

/// Databases that are made when something is first put into them.
@Suite struct LateDatabaseTests {
    private struct Stop: Error {}

    private let store: TemporaryStore
    private let environment: Environment
    private let late = LateDatabase(named: "late")

    init() throws {
        store = try TemporaryStore()
        environment = try store.open()
        _ = try environment.makeRows()
    }

    private func put(_ value: String) throws {
        try environment.write { transaction in
            let database = try transaction.makeDatabase(late)
            try transaction.put(value, for: "key", in: database)
        }
    }

    /// The value as a new snapshot has it; nil where the database is not there.
    private func value() throws -> String? {
        try environment.read { transaction in
            guard let database = try transaction.database(late) else { return nil }
            return try transaction.text(for: "key", in: database)
        }
    }

    @Test func itIsThereFromTheFirstUseOn() throws {
        #expect(try value() == nil)
        #expect(try environment.write { try $0.database(late) == nil })
        #expect(try environment.databaseNames() == ["rows"])
        try put("a")
        #expect(try environment.databaseNames() == ["late", "rows"])
        #expect(try value() == "a")
        try put("b")
        #expect(try value() == "b")
        #expect(try environment.write { try $0.database(late) != nil })
    }

    @Test func whatAnAbortedTransactionMadeIsNotThere() throws {
        for _ in 0..<3 {
            #expect(throws: Stop.self) {
                try environment.write { transaction in
                    _ = try transaction.makeDatabase(late)
                    #expect(try transaction.database(late) != nil)
                    throw Stop()
                }
            }
            #expect(try value() == nil)
            #expect(try environment.write { try $0.database(late) == nil })
        }
        try put("a")
        #expect(try value() == "a")
    }

    @Test func anOlderSnapshotDoesNotSeeIt() throws {
        let older = try environment.beginRead()
        let alike = LateDatabase(named: "late")
        try put("a")
        let unknown = try older.database(late)
        #expect(unknown == nil)
        #expect(try value() == "a")
        let known = [try older.database(late), try older.database(alike)]
        #expect(known == [nil, nil])
        let names = try older.databaseNames()
        #expect(names == ["rows"])
    }

    @Test func anotherProcessMakesIt() throws {
        let counters = LateDatabase(named: "counters")
        #expect(try environment.read { try $0.database(counters) == nil })
        #expect(try OtherProcess("increment", store.path, 3).finish() == "done")
        #expect(try environment.read { try $0.database(counters) != nil })
        #expect(try environment.write { try $0.database(counters)?.hasIntegerKeys } == true)
    }

    @Test func itIsMadeInAMapThatHasToGrow() throws {
        let small = try TemporaryStore()
        let environment = try small.open { $0.mapSize = 1 << 20 }
        let value = [UInt8](repeating: 1, count: 4 << 20)
        func put() throws {
            try environment.write { transaction in
                let database = try transaction.makeDatabase(late)
                try transaction.put(value.span.bytes, for: Array("key".utf8).span.bytes, in: database)
            }
        }
        #expect(try kind(put) == .mapFull)
        #expect(try environment.read { try $0.database(late) == nil })
        while try kind(put) == .mapFull { try environment.grow() }
        let database = try #require(try environment.read { try $0.database(late) })
        #expect(try environment.count(database) == 1)
    }
}
