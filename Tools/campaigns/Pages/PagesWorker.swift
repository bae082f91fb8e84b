import ArgumentParser
import LoamStorage

/// Checks a store that may be spoilt. Prints `clean FINGERPRINT`, `faulty NUMBER` or `refused ERROR`, if it gets that
/// far.
struct PagesWorker: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "pages-worker", shouldDisplay: false)

    @Argument var store: String

    func run() throws {
        do {
            var options = StoreOptions()
            options.isReadOnly = true
            let store = try Store.open(path: store, options: options)
            let report = try store.check()
            guard report.isClean else { return say("faulty \(report.faults.count)") }
            say("clean \(try Self.fingerprint(store))")
        } catch {
            say("refused \(error)".split(separator: "\n").joined(separator: " "))
        }
    }

    /// A number that differs when a record does (FNV-1a over row ids and records). A record has a hash of its long
    /// values.
    private static func fingerprint(_ store: Store) throws -> UInt64 {
        try store.read { snapshot in
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for entity in snapshot.schema.entities {
                var rows: [RowID] = []
                try snapshot.scanRows(of: entity) { row in
                    rows.append(row.rowID)
                    return true
                }
                for row in rows {
                    hash = (hash ^ row) &* 0x100_0000_01B3
                    for byte in try snapshot.record(row, of: entity) ?? [] {
                        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
                    }
                }
            }
            return hash
        }
    }
}
