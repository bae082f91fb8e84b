import LMDB
import Testing

@Suite struct CursorTests {
    @Test func integerKeysComeInTheOrderOfNumbers() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        let rows = try environment.makeRows()
        let keys: [UInt64] = [.max, 256, 1, 0, 1 << 40, 255]
        try environment.write { transaction in
            for key in keys { try transaction.put("\(key)", for: key, in: rows) }
        }
        try environment.read { transaction in
            var cursor = try transaction.cursor(in: rows)
            var seen: [UInt64] = []
            while try cursor.next() {
                #expect(string(cursor.value) == "\(cursor.integerKey)")
                seen.append(cursor.integerKey)
            }
            #expect(seen == keys.sorted())
            var reversed: [UInt64] = []
            var isAtEntry = try cursor.moveToLast()
            while isAtEntry {
                reversed.append(cursor.integerKey)
                isAtEntry = try cursor.previous()
            }
            #expect(reversed == keys.sorted().reversed())
            #expect(cursor.key.isEmpty && cursor.value.isEmpty && cursor.integerKey == 0)
        }
    }

    @Test func aWalkGoesOnFromTheEntryAndStopsWhereItIsTold() throws {
        struct Stop: Error {}
        let store = try TemporaryStore()
        let environment = try store.open()
        let rows = try environment.makeRows()
        try environment.write { transaction in
            for key in UInt64(1)...300 { try transaction.put("\(key)", for: key, in: rows) }
        }
        try environment.read { transaction in
            var cursor = try transaction.cursor(in: rows)
            var seen: [UInt64] = []
            try cursor.walk { _, _ in
                Issue.record("the cursor is at no entry")
                return true
            }
            _ = try cursor.seek(atLeast: 200)
            try cursor.walk { key, value in
                #expect(string(value) == "\(key)")
                seen.append(key)
                return true
            }
            #expect(seen == Array(200...300))
            #expect(cursor.key.isEmpty && cursor.value.isEmpty && cursor.integerKey == 0)
            seen = []
            _ = try cursor.seek(to: 5)
            try cursor.walk(reversed: true) { key, _ in
                seen.append(key)
                return key > 3
            }
            #expect(seen == [5, 4, 3] && cursor.integerKey == 3 && string(cursor.value) == "3")
            var error: (any Error)?
            do {
                try cursor.walk { key, _ in
                    if key == 7 { throw Stop() }
                    return true
                }
            } catch let thrown {
                error = thrown
            }
            #expect(error is Stop && cursor.integerKey == 7)
        }
    }

    @Test func seekingFindsTheKeyOrTheNext() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        let (words, rows) = try environment.write { transaction in
            let words = try transaction.openDatabase(named: "words", integerKeys: false)
            let rows = try transaction.openDatabase(named: "rows", integerKeys: true)
            for word in ["b", "d", "dd"] { try transaction.put(word, for: word, in: words) }
            for row in [UInt64(10), 20] { try transaction.put("\(row)", for: row, in: rows) }
            return (words, rows)
        }
        try environment.read { transaction in
            var cursor = try transaction.cursor(in: words)
            func found(_ isAtEntry: Bool, _ key: RawSpan) -> String? { isAtEntry ? string(key) : nil }
            for (sought, expected) in [("", "b"), ("a", "b"), ("b", "b"), ("c", "d"), ("da", "dd"), ("e", nil)] {
                let isAtEntry = try cursor.seek(atLeast: Array(sought.utf8).span.bytes)
                #expect(found(isAtEntry, cursor.key) == expected)
            }
            var isAtEntry = try cursor.seek(to: Array("d".utf8).span.bytes)
            #expect(isAtEntry)
            isAtEntry = try cursor.seek(to: Array("c".utf8).span.bytes)
            #expect(!isAtEntry)

            var rowCursor = try transaction.cursor(in: rows)
            isAtEntry = try rowCursor.seek(atLeast: 11)
            #expect(isAtEntry && rowCursor.integerKey == 20)
            isAtEntry = try rowCursor.seek(to: 10)
            #expect(isAtEntry && string(rowCursor.value) == "10")
            isAtEntry = try rowCursor.seek(atLeast: 21)
            #expect(!isAtEntry)
        }
    }

    @Test func valuesStayGoodWhenTheCursorMoves() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        let rows = try environment.makeRows()
        try environment.fill(rows, 0..<1000, bytes: 100)
        try environment.read { transaction in
            var cursor = try transaction.cursor(in: rows)
            _ = try cursor.moveToFirst()
            let first = cursor.value
            while try cursor.next() {}
            #expect(first.byteCount == 100)
            #expect(first.unsafeLoad(as: UInt8.self) == 1)
        }
    }

    @Test func aWriteTransactionIsReadWithCursorsToo() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        let rows = try environment.makeRows()
        try environment.write { transaction in
            try transaction.put("x", for: 7, in: rows)
            var cursor = try transaction.cursor(in: rows)
            let isAtEntry = try cursor.moveToFirst()
            #expect(isAtEntry && cursor.integerKey == 7)
        }
    }

    @Test func aWriteCursorChangesEntriesInPlace() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        let rows = try environment.makeRows()
        let other = try environment.makeRows("other")
        try environment.fill(rows, 0..<100, bytes: 10)
        try environment.write { transaction in
            var cursor = try transaction.writeCursor(in: rows)
            var isAtEntry = try cursor.moveToFirst()
            while isAtEntry {
                let key = cursor.integerKey
                try cursor.put(Array("changed".utf8).span.bytes, for: key)
                isAtEntry = try cursor.next()
            }
            try cursor.put(Array("new".utf8).span.bytes, for: 1000, append: true)
            isAtEntry = try cursor.reload()
            #expect(isAtEntry && cursor.integerKey == 1000 && string(cursor.value) == "new")
            try cursor.reserve(byteCount: 3, for: 1001, append: true) { $0.copyBytes(from: "abc".utf8) }
        }
        try environment.write { transaction in
            // Two databases take turns, each with a new cursor.
            for key in UInt64(2000)..<2010 {
                var first = try transaction.writeCursor(in: rows)
                try first.put([UInt8(1)].span.bytes, for: key, append: true)
                var second = try transaction.writeCursor(in: other)
                try second.put([UInt8(1)].span.bytes, for: key)
            }
        }
        #expect(try environment.count(other) == 10)
        try environment.read { transaction in
            let texts = (try transaction.text(for: 2, in: rows), try transaction.text(for: 3, in: rows))
            let reserved = try transaction.text(for: 1001, in: rows)
            let count = try transaction.statistics(of: rows).entries
            #expect(texts.0 == "changed" && texts.1 == "changed" && reserved == "abc" && count == 112)
        }
    }

    @Test func aCursorPastAFailureReportsThatFailure() throws {
        let store = try TemporaryStore()
        let environment = try store.open { $0.mapSize = 1 << 20 }
        let rows = try environment.makeRows()
        let failure = try kind {
            try environment.write { transaction in
                var cursor = try transaction.writeCursor(in: rows)
                let value = [UInt8](repeating: 1, count: 2000)
                for key in 0..<UInt64(2000) { try? cursor.put(value.span.bytes, for: key) }
            }
        }
        #expect(failure == .mapFull)
    }
}
