import LMDB
import LoamStorage

/// Writes to a store until it refuses, and checks that everything acknowledged is there.
struct Filling {
    let seed: UInt64
    /// The reason that a refusal must give.
    let reason: LMDBError.Kind
    private(set) var saves = 0
    private(set) var partitions: [Partition] = []
    private var performers: [StepPerformer] = []
    private var next: [Int] = []

    init(seed: UInt64, reason: LMDBError.Kind) {
        self.seed = seed
        self.reason = reason
    }

    /// Whether an error is the typed refusal that must come.
    func isDue(_ error: any Error) -> Bool { (error as? LMDBError)?.kind == reason }

    /// Writes steps of two threads in turn until so many have been refused: large ones first, then small ones too.
    ///
    /// - Returns: false where the disk or the map has no room even for the entities.
    mutating func fill(_ store: Store, mostSteps: Int = 1_000, mostRefusals: Int = 40) throws -> Bool {
        do {
            try WorkEntity.create(in: store)
            performers = try (0..<2).map { try StepPerformer(store: store, thread: $0) }
        } catch let error where isDue(error) {
            return false
        }
        next = [0, 0]
        var refusals = 0
        for number in 0..<mostSteps {
            let thread = number % 2
            let step = Workload(seed: seed, thread: thread).step(next[thread], after: performers[thread].partition)
            next[thread] += 1
            do {
                try performers[thread].perform(step)
                saves += 1
            } catch let error where isDue(error) {
                refusals += 1
                partitions = performers.map(\.partition)
                if refusals % 10 == 1 { try verify(store, "after a refusal") }
                if refusals == mostRefusals { return true }
            }
        }
        guard refusals > 0 else { throw CampaignError("\(mostSteps) steps found room") }
        return true
    }

    /// Checks that everything acknowledged is there and nothing else, and that the check finds no faults.
    func verify(_ store: Store, _ moment: String) throws {
        try store.read { snapshot in
            let stored = try StoredRows(snapshot)
            for (thread, partition) in partitions.enumerated() where stored.rows(ofThread: thread) != partition.rows {
                throw CampaignError("\(moment): the rows are not the acknowledged ones")
            }
        }
        let faults = try store.check().faults
        guard faults.isEmpty else {
            throw CampaignError("\(moment): the check found \(faults.prefix(3).map(\.description))")
        }
    }

    /// Deletes all rows, some at a time. Returns the number of saves.
    mutating func deleteAll(_ store: Store) throws -> Int {
        var deletes = 0
        let stored = try store.read { try StoredRows($0) }
        let schema = try store.catalog().schema
        var names = stored.rowIDs.keys.sorted()[...]
        while !names.isEmpty {
            var batch = WriteBatch(author: "deletes")
            let some = names.prefix(3)
            names = names.dropFirst(3)
            for name in some {
                guard let row = stored.rowIDs[name], let entity = schema.entity(named: name.entity.rawValue) else {
                    throw CampaignError("\(name) has no row id")
                }
                batch.delete(row, of: entity.id)
            }
            do {
                try store.save(batch)
            } catch {
                throw CampaignError("delete \(deletes) failed: \(error)")
            }
            deletes += 1
            for name in some { partitions[name.slot / Partition.slots].rows[name] = nil }
            if deletes % 16 == 0 { try verify(store, "after \(deletes) deletes") }
        }
        try verify(store, "after all deletes")
        return deletes
    }

    /// Makes a small save, which must find room.
    mutating func saveOne(_ store: Store, _ moment: String) throws {
        let name = RowName(entity: .entry, slot: 2 * Partition.slots - 1)
        do {
            let catalog = try store.catalog()
            guard let entity = catalog.schema.entity(named: name.entity.rawValue) else {
                throw CampaignError("no entity")
            }
            let values: [Value] = [
                .int(Int64(name.slot)), .int(0), .int(-1), .string("after"), .bool(true),
            ]
            var batch = WriteBatch(author: "after")
            batch.insert(
                try catalog.encode(values, as: entity.id), into: entity.id, rowID: try store.makeRowID())
            try store.save(batch)
            partitions[1].rows[name] = values
        } catch {
            throw CampaignError("\(moment): a small save failed: \(error)")
        }
    }
}
