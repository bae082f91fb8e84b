import LoamStorage

/// The rows of a save's result, from which models that were just inserted take theirs without a search: both come in
/// the order of row ids, entity by entity.
struct SavedRows {
    private struct Run {
        let entity: EntityID
        let records: DetachedRecord.Source
        var rows: Range<Int>
    }

    private let rows: [SaveResult.Row]
    private let catalog: Catalog
    private var isTaken: [Bool]
    private var runs: [Run] = []
    /// The position at which the next run of new rows is looked for.
    private var end = 0

    /// - Parameter catalog: one that is not older than the save.
    init(_ rows: [SaveResult.Row], catalog: Catalog) {
        self.rows = rows
        self.catalog = catalog
        isTaken = Array(repeating: false, count: rows.count)
    }

    func contains(_ place: Int) -> Bool { isTaken[place] }

    /// The record of a new row, if it is the next one of its entity; nil where the row has to be searched for.
    mutating func take(_ row: RowID, of entity: EntityID) throws -> DetachedRecord? {
        guard let run = try run(of: entity), let place = runs[run].rows.first, rows[place].rowID == row,
            let bytes = rows[place].new
        else { return nil }
        runs[run].rows = (place + 1)..<runs[run].rows.upperBound
        let record = try runs[run].records.copy(bytes, rowID: row)
        isTaken[place] = true
        return record
    }

    /// The run of an entity's new rows.
    private mutating func run(of entity: EntityID) throws -> Int? {
        if let known = runs.firstIndex(where: { $0.entity == entity && !$0.rows.isEmpty }) { return known }
        while end < rows.count {
            let start = rows[end...].firstIndex { $0.old == nil } ?? rows.count
            guard start < rows.count else {
                end = start
                return nil
            }
            let found = rows[start].entity
            end = rows[start...].firstIndex { $0.entity != found || $0.old != nil } ?? rows.count
            runs.append(
                Run(entity: found, records: try DetachedRecord.Source(found, in: catalog), rows: start..<end))
            if found == entity { return runs.count - 1 }
        }
        return nil
    }
}
