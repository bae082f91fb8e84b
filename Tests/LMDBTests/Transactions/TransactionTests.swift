import LMDB
import Testing

@Suite struct TransactionTests {
    @Test func whatIsCommittedIsReadBack() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        let (words, rows) = try environment.write { transaction in
            let words = try transaction.openDatabase(named: "words", integerKeys: false)
            let rows = try transaction.openDatabase(named: "rows", integerKeys: true)
            try transaction.put("one", for: "a", in: words)
            try transaction.put("eins", for: 1, in: rows)
            let own = try transaction.text(for: "a", in: words)
            #expect(own == "one")
            return (words, rows)
        }
        try environment.read { transaction in
            let (a, one) = (try transaction.text(for: "a", in: words), try transaction.text(for: 1, in: rows))
            let (missing, statistics) = (
                try transaction.text(for: "b", in: words), try transaction.statistics(of: rows)
            )
            #expect(a == "one")
            #expect(one == "eins")
            #expect(missing == nil)
            #expect(statistics.entries == 1)
        }
    }
}

@Suite struct EntryTests {
    private func withRows(_ body: (Environment, Database) throws -> Void) throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        try body(environment, try environment.makeRows())
    }

    @Test func aSnapshotDoesNotChange() throws {
        try withRows { environment, rows in
            try environment.fill(rows, 0..<1)
            let snapshot = try environment.beginRead()
            try environment.fill(rows, 1..<5)
            let (count, id) = (try snapshot.statistics(of: rows).entries, snapshot.id)
            #expect(count == 1)
            try environment.read { later in
                let newer = later.id
                #expect(newer == id + 1)
            }
        }
    }

    @Test func whatABodyThrowsUndoesItAll() throws {
        struct Stop: Error {}
        try withRows { environment, rows in
            #expect(throws: Stop.self) {
                try environment.write { transaction in
                    try transaction.put("x", for: 1, in: rows)
                    _ = try transaction.openDatabase(named: "never", integerKeys: false)
                    throw Stop()
                }
            }
            #expect(try environment.count(rows) == 0)
            #expect(try environment.database(named: "never") == nil)
            _ = try environment.makeRows("never")
            #expect(try environment.databaseNames() == ["never", "rows"])
        }
    }

    @Test func deletingSaysWhetherThereWasAnything() throws {
        try withRows { environment, rows in
            try environment.write { transaction in
                try transaction.put("x", for: 1, in: rows)
                let first = try transaction.delete(1, in: rows)
                let second = try transaction.delete(1, in: rows)
                #expect(first && !second)
            }
        }
    }

    @Test func appendingBelowTheLastKeyIsRefusedAndHarmless() throws {
        try withRows { environment, rows in
            try environment.write { transaction in
                let value: [UInt8] = [1]
                try transaction.put(value.span.bytes, for: 10, in: rows, append: true)
                let append = #expect(throws: LMDBError.self) {
                    try transaction.put(value.span.bytes, for: 9, in: rows, append: true)
                }
                let insert = #expect(throws: LMDBError.self) {
                    try transaction.put(value.span.bytes, for: 10, in: rows, overwrites: false)
                }
                #expect(append?.kind == .keyExists && insert?.kind == .keyExists)
            }
            #expect(try environment.count(rows) == 1)
        }
    }

    @Test func reservedRoomIsWrittenInPlaceAndZeroedWhenTheBodyThrows() throws {
        struct Stop: Error {}
        try withRows { environment, rows in
            try environment.write { transaction in
                try transaction.reserve(byteCount: 5, for: 1, in: rows) { $0.copyBytes(from: "hello".utf8) }
                #expect(throws: Stop.self) {
                    try transaction.reserve(byteCount: 5, for: 2, in: rows) { _ in throw Stop() }
                }
                let none = try kind { try transaction.reserve(byteCount: -1, for: 3, in: rows) { _ in } }
                #expect(none == .valueSize)
            }
            try environment.read { transaction in
                let (written, zeroed) = (try transaction.text(for: 1, in: rows), try transaction.text(for: 2, in: rows))
                #expect(written == "hello" && zeroed == "\0\0\0\0\0")
            }
        }
    }

    @Test func keysHaveLimits() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        let rows = try environment.makeRows()
        try environment.write { transaction in
            let words = try transaction.openDatabase(named: "words", integerKeys: false)
            for (length, expected) in [(0, LMDBError.Kind.keySize), (1, nil), (511, nil), (512, .keySize)] {
                let key = [UInt8](repeating: 65, count: length)
                let found = try kind { try transaction.put([1].span.bytes, for: key.span.bytes, in: words) }
                #expect(found == expected, "\(length) bytes")
            }
            let text = try kind { try transaction.put("x", for: "short", in: rows) }
            let number = try kind { try transaction.put("x", for: 1, in: words) }
            let look = try kind { _ = try transaction.text(for: 1, in: words) }
            #expect(text == .keySize && number == .incompatible && look == .incompatible)
            let long = [UInt8](repeating: 0, count: WriteTransaction.maximumValueSize + 1)
            let value = try kind { try transaction.put(long.span.bytes, for: 5, in: rows) }
            #expect(value == .valueSize)
        }
        #expect(try environment.databaseNames() == ["rows", "words"])
    }

    @Test func emptyValuesAreValues() throws {
        try withRows { environment, rows in
            try environment.write { try $0.put("", for: 1, in: rows) }
            try environment.read { transaction in
                let (there, missing) = (try transaction.contains(1, in: rows), try transaction.contains(2, in: rows))
                #expect(there && !missing)
            }
        }
    }

    @Test func durabilityIsChosenPerWrite() throws {
        try withRows { environment, rows in
            for durability in [Environment.Durability.durable, .unsynced, .recent, .durable, .recent] {
                try environment.write(durability: durability) { try $0.put("x", for: 1, in: rows) }
            }
            try environment.sync()
        }
    }
}

@Suite struct DatabaseTests {
    @Test func aDatabaseMadeByAnotherProcessIsUsableInTheNextSnapshot() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        #expect(try environment.database(named: "added") == nil)
        #expect(try OtherProcess("fill", store.path, 10_000).finish() == "done")
        let snapshot = try environment.beginRead()
        let added = try #require(try environment.database(named: "added"))
        let count = try snapshot.statistics(of: added).entries
        #expect(count == 10)
    }

    @Test func aDatabaseIsNotInOlderSnapshots() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        let snapshot = try environment.beginRead()
        let rows = try environment.makeRows()
        #expect(try kind { _ = try snapshot.value(for: 1, in: rows) } == .databaseMissing)
    }

    @Test func theKindOfKeysIsKept() throws {
        let store = try TemporaryStore()
        do { _ = try store.open().makeRows() }
        let environment = try store.open()
        #expect(try environment.database(named: "rows")?.hasIntegerKeys == true)
        #expect(
            try kind { try environment.write { _ = try $0.openDatabase(named: "rows", integerKeys: false) } }
                == .incompatible)
    }

    /// There is room for 1,024 databases, or for 256 more than there are and are expected, whichever is more.
    @Test func thereIsRoomForTheDatabasesThatAreThereAndThoseThatAreExpected() throws {
        let store = try TemporaryStore()
        func make(_ count: Int, in environment: Environment) throws -> LMDBError.Kind? {
            try environment.write { transaction in
                for number in 0..<count {
                    _ = try transaction.openDatabase(named: "d\(number)", integerKeys: true)
                }
                return try kind { _ = try transaction.openDatabase(named: "one more", integerKeys: true) }
            }
        }
        do {
            let environment = try store.open { $0.expectedDatabases = 767 }
            #expect(try make(1_024, in: environment) == .tooManyDatabases)
        }
        let environment = try store.open { $0.expectedDatabases = 20 }
        #expect(try make(1_024 + 20 + 256, in: environment) == .tooManyDatabases)
        let other = try TemporaryStore()
        #expect(try make(1_025, in: other.open { $0.expectedDatabases = 770 }) == nil)
    }

    @Test func moreDatabasesThanAskedForAreRefused() throws {
        let store = try TemporaryStore()
        do {
            let environment = try store.open { $0.maxDatabases = 2 }
            _ = try environment.makeRows("a")
            _ = try environment.makeRows("b")
            #expect(try kind { _ = try environment.makeRows("c") } == .tooManyDatabases)
            #expect(try environment.databaseNames() == ["a", "b"])
        }
        let environment = try store.open { $0.maxDatabases = 1 }
        #expect(try environment.database(named: "a") != nil)
        #expect(try kind { _ = try environment.database(named: "b") } == .tooManyDatabases)
        #expect(try kind { _ = try environment.makeRows("") } == .keySize)
    }

    @Test func emptyingKeepsADatabaseAndDroppingDoesNot() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        let (kept, gone) = (try environment.makeRows("kept"), try environment.makeRows("gone"))
        try environment.fill(kept, 0..<100)
        try environment.fill(gone, 0..<100)
        try environment.write { transaction in
            try transaction.empty(kept)
            try transaction.drop(gone)
        }
        #expect(try environment.count(kept) == 0)
        #expect(try environment.databaseNames() == ["kept"])
        #expect(try environment.database(named: "gone") == nil)
        let again = try environment.makeRows("gone")
        try environment.fill(again, 0..<3)
        #expect(try environment.count(again) == 3)
    }

    @Test func aDropThatIsUndoneLeavesTheDatabase() throws {
        struct Stop: Error {}
        let store = try TemporaryStore()
        let environment = try store.open()
        let rows = try environment.makeRows()
        try environment.fill(rows, 0..<100)
        #expect(throws: Stop.self) {
            try environment.write { transaction in
                try transaction.drop(rows)
                throw Stop()
            }
        }
        #expect(try environment.count(#require(try environment.database(named: "rows"))) == 100)
    }

    @Test func droppingUnderAReadOfThisThreadIsRefused() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        let rows = try environment.makeRows()
        try environment.read { _ in
            let failure = try kind { try environment.write { try $0.drop(rows) } }
            #expect(failure == .reentrant)
        }
        #expect(try environment.count(rows) == 0)
    }

    @Test func errorsNameTheCallTheDatabaseAndTheWayOut() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        let rows = try environment.makeRows()
        let error = #expect(throws: LMDBError.self) {
            try environment.write { try $0.put("x", for: "short", in: rows) }
        }
        #expect(error?.call == "mdb_put")
        #expect(error?.database == "rows")
        #expect(error?.code == -30781)
        #expect(error?.path == environment.path)
        #expect(error?.description.contains("Keys have 1 to 511 bytes") == true)
    }
}
