import LoamStorage
import SeededRandom

/// The towns that results show, and reports: long rows that no result shows, so that the file has some size.
struct SoakRows {
    let towns: LiveRows
    let report: Entity

    var store: Store { towns.store }

    static var options: StoreOptions {
        var options = LiveRows.options
        // Full early in the run, so that what the file holds beside the data does not hide in a growing history.
        options.historyBytes = 2 << 20
        return options
    }

    init(_ store: Store) throws {
        towns = try LiveRows(store)
        report = try store.read { try $0.entity(named: "Report") }
    }

    static func create(in store: Store) throws {
        try LiveRows.create(in: store)
        try store.apply(.addEntity(EntityDefinition("Report", properties: [.init("text", type: .string)])))
    }

    /// The text of a report: half a page of the store on average, at times more than one.
    static func text(_ random: inout SeededGenerator) -> String {
        let letter = "abcdefghij".randomElement(using: &random) ?? "a"
        return String(repeating: letter, count: .random(in: 100..<(random.percent(5) ? 12_000 : 4_000), using: &random))
    }
}

/// Rows that one thread of one process changes: so many of them that come and go.
struct SoakWriter {
    private let rows: SoakRows
    private let townCount: Int
    private var random: SeededGenerator
    private var towns: [RowID] = []
    private var reports: [RowID] = []

    init(_ rows: SoakRows, towns: Int, random: SeededGenerator) {
        (self.rows, townCount, self.random) = (rows, towns, random)
    }

    /// Makes all rows.
    mutating func fill(reports count: Int) throws {
        while reports.count < count || towns.count < townCount {
            var batch = WriteBatch(author: "soak")
            for _ in 0..<200 where reports.count < count { try insertReport(into: &batch) }
            for _ in 0..<200 where towns.count < townCount { try insertTown(into: &batch) }
            try rows.store.save(batch)
        }
    }

    /// Deletes all rows.
    mutating func clear() throws {
        var batch = WriteBatch(author: "soak")
        for town in towns { batch.delete(town, of: rows.towns.entity.id) }
        for report in reports { batch.delete(report, of: rows.report.id) }
        try rows.store.save(batch)
        (towns, reports) = ([], [])
    }

    /// Saves some changes. Returns of how many rows.
    mutating func save() throws -> Int {
        var batch = WriteBatch(author: "soak", policy: .storeWins)
        var changed: Set<RowID> = []
        for _ in 0..<Int.random(in: 1...16, using: &random) { try change(&changed, in: &batch) }
        try rows.store.save(batch)
        return batch.rows.count
    }

    /// How long nobody saves until the next save, in seconds: at times not at all.
    mutating func pause() -> Double { random.percent(20) ? 0 : .random(in: 0.01..<0.2, using: &random) }

    private mutating func change(_ changed: inout Set<RowID>, in batch: inout WriteBatch) throws {
        let entity = rows.towns.entity
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1:
            // Their number stays near the one that there are to be.
            if towns.count < Int.random(in: 0..<2 * townCount, using: &random) {
                changed.insert(try insertTown(into: &batch))
                return
            }
            let place = Int.random(in: towns.indices, using: &random)
            guard changed.insert(towns[place]).inserted else { return }
            batch.delete(towns.remove(at: place), of: entity.id)
        case 2 where !reports.isEmpty:
            let place = Int.random(in: reports.indices, using: &random)
            guard changed.insert(reports[place]).inserted else { return }
            batch.delete(reports.remove(at: place), of: rows.report.id)
            changed.insert(try insertReport(into: &batch))
        case 3 where !reports.isEmpty:
            let place = Int.random(in: reports.indices, using: &random)
            guard changed.insert(reports[place]).inserted else { return }
            let text = Value.string(SoakRows.text(&random))
            batch.update(
                reports[place], of: rows.report.id, base: nil, changes: [rows.report.properties[0].id: text])
        default:
            guard let town = towns.randomElement(using: &random), changed.insert(town).inserted else { return }
            let position = Int.random(in: entity.properties.indices, using: &random)
            let value = rows.towns.values(&random)[position]
            batch.update(town, of: entity.id, base: nil, changes: [entity.properties[position].id: value])
        }
    }

    @discardableResult
    private mutating func insertTown(into batch: inout WriteBatch) throws -> RowID {
        let entity = rows.towns.entity.id
        towns.append(try rows.store.makeRowID())
        let record = try rows.store.catalog().encode(rows.towns.values(&random), as: entity)
        batch.insert(record, into: entity, rowID: towns[towns.count - 1])
        return towns[towns.count - 1]
    }

    @discardableResult
    private mutating func insertReport(into batch: inout WriteBatch) throws -> RowID {
        reports.append(try rows.store.makeRowID())
        let record = try rows.store.catalog().encode([.string(SoakRows.text(&random))], as: rows.report.id)
        batch.insert(record, into: rows.report.id, rowID: reports[reports.count - 1])
        return reports[reports.count - 1]
    }
}
