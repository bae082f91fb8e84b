import LoamStorage
import SeededRandom

/// A step that the writing process takes and acknowledges.
enum WorkStep {
    /// - Parameter isRefused: its last operation breaks a unique index, so none of it may happen.
    case batch([WorkOperation], MergePolicy, isRefused: Bool)
    /// Adds rows to `Item`.
    case load([RowName: [Value]])
    /// Makes the entity `Bulk`.
    case loadEntity([RowName: [Value]])
    case removeEntity
    case addIndex
    case dropIndex
    case rebuildIndex

    /// Whether the step makes an index. Where it is interrupted, it may leave one unfinished.
    var buildsIndexes: Bool {
        switch self {
        case .addIndex, .rebuildIndex, .load, .loadEntity: true
        case .batch, .removeEntity, .dropIndex: false
        }
    }
}

extension WorkStep {
    var changesSchema: Bool {
        if case .batch = self { false } else { true }
    }
}

enum WorkOperation {
    case insert(RowName, [Value])
    /// - Parameter hasBase: whether the record as read goes with it.
    case update(RowName, [Int: Value], hasBase: Bool)
    case delete(RowName)
}

/// The steps of one thread: a function of seed, thread, number, and of what the steps before have made.
struct Workload {
    let seed: UInt64
    let thread: Int
    var values = WorkValues()

    private var firstSlot: Int { thread * Partition.slots }

    func step(_ number: Int, after partition: Partition) -> WorkStep {
        var random = SeededGenerator(seed: seed, stream: UInt64(thread), UInt64(number))
        if thread == 0, random.percent(8) { return rareStep(number, partition, &random) }
        let count = random.percent(5) ? Int.random(in: 40...90, using: &random) : .random(in: 1...9, using: &random)
        var operations: [WorkOperation] = []
        var seen: Set<RowName> = []
        for position in 0..<count {
            var name = RowName(
                entity: random.percent(60) ? .item : .entry,
                slot: firstSlot + .random(in: 0..<Partition.batchSlots, using: &random))
            if random.percent(15) { name = loadedRow(partition, &random) ?? name }
            guard seen.insert(name).inserted else { continue }
            operations.append(operation(on: name, unique: "\(thread)-\(number)-\(position)", partition, &random))
        }
        let policy = MergePolicy.allCases.randomElement(using: &random) ?? .propertyByProperty
        if random.percent(10), let broken = violation(partition, seen, &random) {
            return .batch(operations + [broken], policy, isRefused: true)
        }
        return .batch(operations + swap(partition, seen, &random), policy, isRefused: false)
    }

    private func operation(
        on name: RowName, unique: String, _ partition: Partition, _ random: inout SeededGenerator
    ) -> WorkOperation {
        guard partition.rows[name] != nil else {
            return .insert(name, values.row(name, unique: unique, &random))
        }
        if random.percent(25) { return .delete(name) }
        var changes: [Int: Value] = [:]
        for position in 1..<name.entity.definition.properties.count where random.percent(40) {
            changes[position] = values.value(position, of: name, unique: unique, &random)
        }
        return .update(name, changes, hasBase: random.percent(50))
    }

    /// A row that a bulk load made, if a random slot has one.
    private func loadedRow(_ partition: Partition, _ random: inout SeededGenerator) -> RowName? {
        let slot = firstSlot + .random(in: Partition.batchSlots..<Partition.slots, using: &random)
        let name = RowName(entity: .item, slot: slot)
        return partition.rows[name] == nil ? nil : name
    }

    /// Exchanges the unique codes of two items.
    private func swap(
        _ partition: Partition, _ seen: Set<RowName>, _ random: inout SeededGenerator
    ) -> [WorkOperation] {
        let items = otherItems(partition, seen)
        guard random.percent(20), let first = items.randomElement(using: &random),
            let second = items.randomElement(using: &random), first != second,
            let firstCode = partition.rows[first]?[1], let secondCode = partition.rows[second]?[1]
        else { return [] }
        return [
            .update(first, [1: secondCode], hasBase: false), .update(second, [1: firstCode], hasBase: false),
        ]
    }

    /// Gives an item the code of another one.
    private func violation(
        _ partition: Partition, _ seen: Set<RowName>, _ random: inout SeededGenerator
    ) -> WorkOperation? {
        let coded = otherItems(partition, seen).filter { partition.rows[$0]?[1].isNull == false }
        guard let owner = coded.randomElement(using: &random), let taker = coded.randomElement(using: &random),
            owner != taker, let code = partition.rows[owner]?[1]
        else { return nil }
        return .update(taker, [1: code], hasBase: false)
    }

    private func otherItems(_ partition: Partition, _ seen: Set<RowName>) -> [RowName] {
        partition.rows.keys.filter { $0.entity == .item && !seen.contains($0) }.sorted()
    }

    private func rareStep(_ number: Int, _ partition: Partition, _ random: inout SeededGenerator) -> WorkStep {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return partition.hasExtraIndex ? .dropIndex : .addIndex
        case 1: return .rebuildIndex
        case 2:
            if partition.rows.keys.contains(where: { $0.entity == .bulk }) { return .removeEntity }
            let count = Int.random(in: 1...400, using: &random)
            return .loadEntity(newRows(.bulk, 0..<count, number, partition, &random))
        default:
            let first = firstSlot + Int.random(in: Partition.batchSlots..<Partition.slots - 50, using: &random)
            return .load(newRows(.item, first..<first + 50, number, partition, &random))
        }
    }

    private func newRows(
        _ entity: WorkEntity, _ slots: Range<Int>, _ number: Int, _ partition: Partition,
        _ random: inout SeededGenerator
    ) -> [RowName: [Value]] {
        var rows: [RowName: [Value]] = [:]
        for slot in slots {
            let name = RowName(entity: entity, slot: slot)
            guard partition.rows[name] == nil else { continue }
            rows[name] = values.row(name, unique: "\(thread)-\(number)-\(slot)", &random)
        }
        return rows
    }
}

extension Partition {
    /// The partition after a step.
    func applying(_ step: WorkStep) -> Partition {
        var result = self
        switch step {
        case .batch(_, _, isRefused: true), .rebuildIndex: break
        case .batch(let operations, _, isRefused: false): for operation in operations { result.apply(operation) }
        case .load(let rows), .loadEntity(let rows): result.rows.merge(rows) { _, new in new }
        case .removeEntity: result.rows = rows.filter { $0.key.entity != .bulk }
        case .addIndex: result.hasExtraIndex = true
        case .dropIndex: result.hasExtraIndex = false
        }
        return result
    }

    private mutating func apply(_ operation: WorkOperation) {
        switch operation {
        case .insert(let name, let values): rows[name] = values
        case .update(let name, let changes, _):
            for (position, value) in changes { rows[name]?[position] = value }
        case .delete(let name): rows[name] = nil
        }
    }
}
