import Foundation
import LMDB
import LoamStorage
import SeededRandom

/// Spoils every entry of a small store at every byte, one at a time, and looks whether the check says so.
///
/// ```swift
/// let outcome = try DamageCampaign(path: path, seed: 1, stride: 97).run()
/// precondition(outcome.misses.isEmpty)
/// ```
package struct DamageCampaign {
    /// The result of a campaign.
    package struct Outcome: Sendable {
        /// The number of damages, by database.
        package fileprivate(set) var damages: [String: Int] = [:]
        /// The damages that the check did not report.
        package fileprivate(set) var misses: [String] = []
    }

    private let path: String
    private let seed: UInt64
    private let stride: Int
    private let steps: Int

    /// - Parameters:
    ///   - path: where the store is made.
    ///   - stride: every so many-th byte is spoilt. In values over 4,096 bytes 16 times as many are left out,
    ///     but for the first and last 64.
    ///   - steps: batches that the store is made of, twice.
    package init(path: String, seed: UInt64, stride: Int = 1, steps: Int = 6) {
        self.path = path
        self.seed = seed
        self.stride = max(1, stride)
        self.steps = steps
    }

    /// - Parameter progress: is called with the next database and the number of its entries.
    /// - Throws: when the sound store has faults.
    package func run(progress: (String, Int) -> Void = { _, _ in }) throws -> Outcome {
        let store = try WorkDurability.unsynced.open(path)
        try SmallStore.fill(store, seed: seed, steps: steps)
        try store.analyze(store.read { $0.schema }.entities.flatMap(\.indexes))
        try requireClean(store)
        let raw = try RawStore(path: path)
        var random = SeededGenerator(seed: seed, stream: .max)
        var outcome = Outcome()
        for database in try raw.databases() {
            let entries = try raw.entries(of: database)
            progress(database.name, entries.count)
            for entry in entries {
                // A history without its oldest save is one that was trimmed, and an index without statistics is one
                // without analysis.
                let mayBeRemoved =
                    database.name != "statistics" && (database.name != "history" || entry != entries.first)
                for damage in damages(of: entry, mayBeRemoved: mayBeRemoved, &random) {
                    guard let isReported = try report(damage, entry, database, raw, store) else { continue }
                    outcome.damages[database.name, default: 0] += 1
                    if !isReported {
                        let key = entry.key.prefix(24).map { String(format: "%02x", $0) }.joined()
                        outcome.misses.append("\(database.name), key \(key), \(damage)")
                    }
                }
            }
        }
        try requireClean(store)
        return outcome
    }

    private func requireClean(_ store: Store) throws {
        let faults = try store.check().faults
        guard faults.isEmpty else { throw CampaignError("The sound store has faults: \(faults.prefix(5))") }
    }

    /// Whether the check reports the damage; nil where the damage would hit another entry.
    private func report(
        _ damage: Damage, _ entry: RawEntry, _ database: Database, _ raw: RawStore, _ store: Store
    ) throws -> Bool? {
        let spoilt = damage.applied(to: entry)
        if let spoilt, spoilt.key != entry.key, try raw.entries(of: database).contains(where: { $0.key == spoilt.key })
        {
            return nil
        }
        try raw.replace(entry, by: spoilt, in: database)
        defer { try? raw.replace(spoilt, by: entry, in: database) }
        do {
            return try !store.check().isClean
        } catch is StorageError {
            return true
        }
    }

    private func damages(
        of entry: RawEntry, mayBeRemoved: Bool, _ random: inout SeededGenerator
    ) -> [Damage] {
        var damages: [Damage] = []
        var offset = Int.random(in: 0..<stride, using: &random)
        while offset < entry.value.count {
            damages.append(.value(offset: offset, bits: .random(in: 1...255, using: &random)))
            let isInside = entry.value.count > 4_096 && offset >= 64 && offset < entry.value.count - 64
            offset += isInside ? stride * 16 : stride
        }
        for offset in entry.key.indices where offset % stride == 0 {
            damages.append(.key(offset: offset, bits: .random(in: 1...255, using: &random)))
        }
        damages.append(.lengthened)
        if !entry.value.isEmpty { damages.append(.shortened) }
        if mayBeRemoved { damages.append(.removed) }
        return damages
    }
}

/// A store of a few pages with something in every database.
enum SmallStore {
    static func fill(_ store: Store, seed: UInt64, steps: Int) throws {
        try WorkEntity.create(in: store)
        for thread in 0..<2 {
            var performer = try StepPerformer(store: store, thread: thread)
            let workload = Workload(seed: seed, thread: thread, values: WorkValues(mostBytes: 18_000))
            for number in 0..<steps { try performer.perform(workload.step(number, after: performer.partition)) }
        }
    }
}
