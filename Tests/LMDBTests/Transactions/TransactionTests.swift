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
