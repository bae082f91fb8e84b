import ArgumentParser
import Foundation
import LoamStorage
import SeededRandom
import Synchronization

/// The process that builds an index, while a thread of its own changes rows and another one reads.
///
/// Its lines: `begun ROW VALUE` before a save and `saved ROW VALUE` after it; `building` when the build begins; `built
/// in SECONDS s` behind it; `quiet: …` and `beside the build: …`, how long saves and reads took; `failed TEXT`.
struct BuildingWorker: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "building-worker", shouldDisplay: false)

    @Argument var path: String
    @Option var index: Int
    @Option var rows: Int
    @Option var seed: UInt64
    /// Whether saves are measured before the build too.
    @Option var measures: String

    func run() throws {
        do {
            guard BuildingCampaign.definitions.indices.contains(index) else { throw CampaignError("no such index") }
            let store = try Store.open(path: path, options: StoreOptions())
            let work = try BuildingWork(store: store, rowCount: rows, seed: seed)
            work.start()
            if measures == "true" {
                work.waitForSaves(200)
                say("quiet: \(work.takeWaits())")
            }
            say("building")
            let start = ContinuousClock.now
            try store.apply(.addIndex(BuildingCampaign.definitions[index], to: "Quake"))
            let seconds = start.duration(to: .now) / .seconds(1)
            say("built in \(String(format: "%.2f", seconds)) s")
            say("beside the build: \(work.takeWaits())")
            work.stop()
        } catch {
            say("failed \(error)")
            throw ExitCode.failure
        }
    }
}

/// Threads that save and read until they are told to stop, and how long each took.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `waits` | its mutex | the two threads | they are taken |
private final class BuildingWork: Sendable {
    private struct Waits {
        var saves: [Double] = []
        var reads: [Double] = []
        var isStopped = false
    }

    private let store: Store
    private let rowIDs: [RowID]
    private let seed: UInt64
    private let waits = Mutex(Waits())
    private let saved = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    init(store: Store, rowCount: Int, seed: UInt64) throws {
        (self.store, self.seed) = (store, seed)
        rowIDs = try store.read { snapshot in
            var rowIDs: [RowID] = []
            try snapshot.scanRows(of: snapshot.entity(named: "Quake")) { row in
                rowIDs.append(row.rowID)
                return rowIDs.count < 1_000
            }
            return rowIDs
        }
    }

    func start() {
        for body in [save, read] {
            Thread.detachNewThread {
                do {
                    while !self.waits.withLock({ $0.isStopped }) { try body() }
                } catch {
                    say("failed \(error)")
                    Foundation.exit(EXIT_FAILURE)
                }
                self.ended.signal()
            }
        }
    }

    func stop() {
        waits.withLock { $0.isStopped = true }
        for _ in 0..<2 { ended.wait() }
    }

    func waitForSaves(_ count: Int) {
        for _ in 0..<count { saved.wait() }
    }

    /// How long what has been done since the last call took.
    func takeWaits() -> String {
        let (saves, reads) = waits.withLock { waits in
            defer { (waits.saves, waits.reads) = ([], []) }
            return (waits.saves, waits.reads)
        }
        return "saves \(WaitSummary(seconds: saves)); reads \(WaitSummary(seconds: reads))"
    }

    /// One row gets another value.
    private func save() throws {
        let number = waits.withLock { $0.saves.count }
        var random = SeededGenerator(seed: seed, stream: UInt64(number), DispatchTime.now().uptimeNanoseconds)
        guard let row = rowIDs.randomElement(using: &random) else { throw CampaignError("There are no rows.") }
        let value = Int64.random(in: 1...1_000_000_000, using: &random)
        let entity = try store.read { try $0.entity(named: "Quake") }
        guard let felt = entity.position(of: "felt") else { throw CampaignError("There is no felt.") }
        var batch = WriteBatch(author: "campaign")
        batch.update(row, of: entity.id, base: nil, changes: [entity.properties[felt].id: .int(value)])
        say("begun \(row) \(value)")
        let start = ContinuousClock.now
        try store.save(batch)
        let seconds = start.duration(to: .now) / .seconds(1)
        say("saved \(row) \(value)")
        waits.withLock { $0.saves.append(seconds) }
        saved.signal()
    }

    /// Fifty rows are read.
    private func read() throws {
        let start = ContinuousClock.now
        try store.read { snapshot in
            var left = 50
            try snapshot.scanRows(of: snapshot.entity(named: "Quake")) { row in
                _ = try row.values()
                left -= 1
                return left > 0
            }
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        waits.withLock { $0.reads.append(seconds) }
        Thread.sleep(forTimeInterval: 0.001)
    }
}
