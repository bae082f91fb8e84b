import LoamStorage

/// The rows of a save's result, from which models that were just inserted take theirs without a search: both come in
/// the order of row ids, entity by entity.
struct SavedRows {
    private struct Group {
        let entity: EntityID
        let records: DetachedRecord.Source
        var rows: Range<Int>
    }

    private let rows: [SaveResult.Row]
    private let catalog: Catalog
    private var isTaken: [Bool]
    private var groups: [Group] = []
    /// The position at which the next group of new rows is looked for.
    private var end = 0

    /// - Parameter catalog: one that is not older than the save.
    init(_ rows: [SaveResult.Row], catalog: Catalog) {
        self.rows = rows
        self.catalog = catalog
        isTaken = Array(repeating: false, count: rows.count)
    }

    func contains(_ index: Int) -> Bool { isTaken[index] }

    /// The record of a new row, if it is the next one of its entity; nil where the row has to be searched for.
    mutating func take(_ row: RowID, of entity: EntityID) throws -> DetachedRecord? {
        guard let group = try group(of: entity), let index = groups[group].rows.first, rows[index].rowID == row,
            let bytes = rows[index].new
        else { return nil }
        groups[group].rows = (index + 1)..<groups[group].rows.upperBound
        let record = try groups[group].records.copy(bytes, rowID: row)
        isTaken[index] = true
        return record
    }

    /// The group of an entity's new rows.
    private mutating func group(of entity: EntityID) throws -> Int? {
        if let known = groups.firstIndex(where: { $0.entity == entity && !$0.rows.isEmpty }) { return known }
        while end < rows.count {
            let start = rows[end...].firstIndex { $0.old == nil } ?? rows.count
            guard start < rows.count else {
                end = start
                return nil
            }
            let found = rows[start].entity
            end = rows[start...].firstIndex { $0.entity != found || $0.old != nil } ?? rows.count
            groups.append(
                Group(entity: found, records: try DetachedRecord.Source(found, in: catalog), rows: start..<end))
            if found == entity { return groups.count - 1 }
        }
        return nil
    }
}
