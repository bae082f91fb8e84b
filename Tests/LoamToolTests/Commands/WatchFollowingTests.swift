import Foundation
import Testing

/// The lines of `loam watch`, done one after the other, lead to what `loam query` prints.
@Suite(.serialized) struct WatchFollowingTests {
    /// Results to which the last row of each round belongs, and in whose limit it is.
    private static let results: [[String]] = [
        ["--where", "size < 8", "--sort", "size,number"],
        ["--section", "country", "--sort", "size"],
        ["--sort", "size,number", "--limit", "7"],
        [
            "--where", "name BEGINSWITH[cd] 'a' OR size < 0", "--section", "country", "--sort=-country,size,number",
            "--limit", "5",
        ],
    ]

    @Test(arguments: [1, 2] as [UInt64])
    func `lines applied to the state give what a query gives`(seed: UInt64) throws {
        try Tool.run { tool in
            var store = try WatchedStore(tool, seed: seed)
            try store.fill(30)
            let watches = try Self.results.map { try Watch(tool, ["City"] + $0 + ["--output", "ndjson"]) }
            var rows = watches.map { _ in WatchedRows() }
            for number in watches.indices {
                try watches[number].follow(&rows[number], through: store.lastSave())
                try rows[number].expectAnswer(to: Self.results[number], from: tool)
            }
            for round in 1...5 {
                for _ in 0..<6 { try store.saveChanges() }
                if round == 3 {
                    // A load tells nobody which rows are new.
                    let loaded = try tool("import", "s.loam", "City", "-", input: "number,name,size\n-1,a,3\n-2,x,-1\n")
                    #expect(loaded.status == 0, "\(loaded)")
                }
                try store.insert([("a", "ZZ", -10 * round)])
                for number in watches.indices {
                    try watches[number].follow(&rows[number], through: store.lastSave())
                    try rows[number].expectAnswer(to: Self.results[number], from: tool)
                }
            }
            for watch in watches {
                watch.send(15)
                let end = try watch.end()
                #expect(end.status == 0 && end.output == "" && end.error == "", "\(end)")
            }
            let seen = Set(rows.flatMap(\.kinds.keys))
            #expect(
                seen == [
                    "state", "row", "end", "delete", "moveFrom", "moveTo", "insert", "update", "insertSection",
                    "deleteSection",
                ])
        }
    }
}
