import LoamStorage

/// What the parent knows the store to hold, from the steps that were acknowledged.
struct CrashModel {
    private let workloads: [Workload]
    private(set) var partitions: [Partition]
    /// The next step of each thread: it is under way, or not yet begun.
    private(set) var next: [Int]
    private(set) var acknowledged = 0
    private var seenRowIDs: Set<RowID> = []
    private var rowIDs: [RowName: RowID] = [:]
    /// Whether an interrupted process may have left an index unfinished, which a later one has not taken away.
    private var mayHaveUnfinishedIndexes = false

    init(seed: UInt64, threads: Int) {
        workloads = (0..<threads).map { Workload(seed: seed, thread: $0) }
        partitions = Array(repeating: Partition(), count: threads)
        next = Array(repeating: 0, count: threads)
    }

    /// Takes in a line of the worker's.
    mutating func read(_ line: String) throws {
        let words = line.split(separator: " ")
        switch words.first {
        case "ready":
            break
        case "done":
            guard words.count == 3, let thread = Int(words[1]), let number = Int(words[2]),
                partitions.indices.contains(thread), number == next[thread]
            else { throw CampaignError("The worker acknowledged '\(line)', expected was another step: \(next)") }
            // A process that changes the schema, or loads, first takes away what was left.
            if step(thread).changesSchema { mayHaveUnfinishedIndexes = false }
            partitions[thread] = after(thread)
            next[thread] += 1
            acknowledged += 1
        default:
            throw CampaignError("The worker \(line)")
        }
    }

    /// Compares the model with the store, and learns which of the steps under way have happened: each whole or not at
    /// all.
    mutating func compare(_ snapshot: Snapshot) throws {
        let stored = try StoredRows(snapshot)
        let isBuilding = partitions.indices.contains { step($0).buildsIndexes }
        mayHaveUnfinishedIndexes = mayHaveUnfinishedIndexes || isBuilding
        for thread in partitions.indices {
            let rows = stored.rows(ofThread: thread)
            if rows == partitions[thread].rows { continue }
            let after = after(thread)
            guard rows == after.rows else { throw difference(rows, thread) }
            partitions[thread] = after
            next[thread] += 1
        }
        try compareIndexes(snapshot)
        try compareRowIDs(stored.rowIDs)
    }

    /// Checks that rows keep their ids, and that new rows have ids that no row ever had.
    private mutating func compareRowIDs(_ found: [RowName: RowID]) throws {
        let known = Dictionary(rowIDs.map { ($0.value, $0.key) }, uniquingKeysWith: { $1 })
        for (name, id) in found where known[id] != name {
            guard seenRowIDs.insert(id).inserted else { throw CampaignError("Row id \(id) was used twice.") }
        }
        rowIDs = found
    }

    private mutating func compareIndexes(_ snapshot: Snapshot) throws {
        let extra = WorkEntity.extraIndex.name
        let state = try snapshot.state(ofItemIndex: extra)
        let isToggling: Bool =
            switch step(0) {
            case .addIndex, .dropIndex: true
            default: false
            }
        let expected = partitions[0].hasExtraIndex
        switch state {
        case .building where mayHaveUnfinishedIndexes:
            partitions[0].hasExtraIndex = false
        case .ready where expected || isToggling:
            partitions[0].hasExtraIndex = true
        case nil where !expected || isToggling:
            partitions[0].hasExtraIndex = false
        default:
            throw CampaignError("Index \(extra) is \(state?.rawValue ?? "absent"), acknowledged otherwise.")
        }
        for entity in snapshot.schema.entities where !mayHaveUnfinishedIndexes {
            for index in entity.indexes where index.state != .ready {
                throw CampaignError("Index \(index.name) of \(entity.name) is \(index.state.rawValue).")
            }
        }
    }

    private func step(_ thread: Int) -> WorkStep {
        workloads[thread].step(next[thread], after: partitions[thread])
    }

    private func after(_ thread: Int) -> Partition { partitions[thread].applying(step(thread)) }

    private func difference(_ rows: [RowName: [Value]], _ thread: Int) -> CampaignError {
        let expected = partitions[thread].rows
        let names = Set(rows.keys).union(expected.keys).filter { rows[$0] != expected[$0] }.sorted()
        let sample = names.prefix(5).map { name in
            let fate = rows[name] == nil ? "missing" : expected[name] == nil ? "not acknowledged" : "with other values"
            return "\(name.entity.rawValue) \(name.slot) is \(fate)"
        }
        return CampaignError(
            "Thread \(thread), step \(next[thread]) (\(kind(step(thread)))) under way: \(names.count) rows differ: "
                + sample.joined(separator: ", "))
    }

    private func kind(_ step: WorkStep) -> String {
        String("\(step)".prefix { $0 != "(" })
    }
}
