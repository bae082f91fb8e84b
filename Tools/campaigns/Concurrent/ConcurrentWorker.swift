import ArgumentParser
import Foundation
import LoamStorage
import SeededRandom

/// One of the writing processes. At its end it prints what was acknowledged: `wrote WRITER ROW NUMBER`, `counted WRITER
/// ROW TIMES`, `retried WRITER TIMES`; or `failed TEXT`.
struct ConcurrentWorker: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "concurrent-worker", shouldDisplay: false)

    @Argument var store: String
    @Option var seed: UInt64
    @Option var firstWriter: Int
    @Option var threads: Int
    @Option var seconds: Double
    @Option var durability: WorkDurability

    func run() throws {
        let store = try durability.open(store)
        let deadline = ContinuousClock.now + .seconds(seconds)
        let group = DispatchGroup()
        for writer in firstWriter..<firstWriter + threads {
            let seed = seed
            group.enter()
            // Each writer has a thread of its own, so that all of them wait for the store at once.
            Thread.detachNewThread {
                defer { group.leave() }
                do {
                    var thread = try ConcurrentWriter(writer, store: store, seed: seed)
                    while ContinuousClock.now < deadline { try thread.step() }
                    thread.report()
                } catch {
                    say("failed writer \(writer): \(error)")
                }
            }
        }
        group.wait()
    }
}

/// One thread's writes.
struct ConcurrentWriter {
    private let writer: Int
    private let store: Store
    private let entity: Entity
    private let rows: [RowID]
    private let field: Int
    private let counter: Int
    private var random: SeededGenerator
    private var writes = 0
    private var written: [Int: Int] = [:]
    private var counted: [Int: Int] = [:]
    private var retries = 0

    init(_ writer: Int, store: Store, seed: UInt64) throws {
        self.writer = writer
        self.store = store
        random = SeededGenerator(seed: seed, stream: UInt64(writer))
        entity = try SharedRows.entity(in: try store.catalog())
        rows = try SharedRows.rowIDs(in: store)
        guard let field = entity.position(of: SharedRows.field(writer)),
            let counter = entity.position(of: "counter")
        else { throw CampaignError("Writer \(writer) has no field.") }
        (self.field, self.counter) = (field, counter)
    }

    mutating func step() throws {
        let row = Int.random(in: 0..<rows.count, using: &random)
        try random.percent(30) ? increment(row) : write(row)
    }

    /// Writes the writer's own field. The base is the record as it was read, so that the changes of others stay.
    private mutating func write(_ row: Int) throws {
        let (base, stored) = try read(row, field)
        let expected = written[row].map { SharedRows.value(writer, $0) } ?? .null
        guard stored == expected else {
            throw CampaignError("row \(row) reads \(stored), acknowledged was \(expected)")
        }
        writes += 1
        try save(row, base: base, field, SharedRows.value(writer, writes), .propertyByProperty)
        written[row] = writes
    }

    private mutating func increment(_ row: Int) throws {
        while true {
            let (base, stored) = try read(row, counter)
            guard case .int(let count) = stored else { throw CampaignError("row \(row) has no counter") }
            do {
                try save(row, base: base, counter, .int(count + 1), .error)
                counted[row, default: 0] += 1
                return
            } catch let error as StorageError {
                guard error.kind == .conflict(fields: ["counter"]) else { throw error }
                retries += 1
            }
        }
    }

    /// A row's record and one of its values, from the same state.
    private func read(_ row: Int, _ position: Int) throws -> (record: [UInt8], value: Value) {
        try store.read { snapshot in
            guard let record = try snapshot.record(rows[row], of: entity),
                let value = try snapshot.withRow(rows[row], of: entity, { try $0.value(position) })
            else { throw CampaignError("row \(row) is gone") }
            return (record, value)
        }
    }

    private func save(_ row: Int, base: [UInt8], _ position: Int, _ value: Value, _ policy: MergePolicy) throws {
        var batch = WriteBatch(author: "writer \(writer)", policy: policy)
        batch.update(rows[row], of: entity.id, base: base, changes: [entity.properties[position].id: value])
        try store.save(batch)
    }

    func report() {
        for (row, number) in written { say("wrote \(writer) \(row) \(number)") }
        for (row, times) in counted { say("counted \(writer) \(row) \(times)") }
        say("retried \(writer) \(retries)")
        say("saved \(writer) \(writes + counted.values.reduce(0, +))")
    }
}
