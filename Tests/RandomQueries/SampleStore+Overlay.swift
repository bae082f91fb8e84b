package import LoamQuery
package import LoamStorage
package import SeededRandom

extension SampleStore {
    /// Random changes, insertions and deletions, and the rows that they make of the stored ones.
    package func overlay(
        of entity: Entity, _ generator: inout SeededGenerator
    ) -> (Overlay, [(rowID: RowID, values: [Value])]) {
        var merged: [(rowID: RowID, values: [Value])] = []
        var masked: Set<RowID> = []
        var pending: [PlainRow] = []
        let share = ValuePool.pick([0, 20, 3], &generator)
        for row in rows {
            switch share == 0 ? 2 : Int.random(in: 0..<share, using: &generator) {
            case 0: masked.insert(row.rowID)
            case 1:
                var values = row.values
                for _ in 0...3 {
                    let position = Int.random(in: values.indices, using: &generator)
                    values[position] = randomValue(of: entity.properties[position], &generator)
                }
                masked.insert(row.rowID)
                pending.append(PlainRow(rowID: row.rowID, values: values))
                merged.append((row.rowID, values))
            default: merged.append(row)
            }
        }
        let last = rows[rows.count - 1].rowID
        for number in 0..<UInt64.random(in: 0...8, using: &generator) {
            let values = entity.properties.map { randomValue(of: $0, &generator) }
            pending.append(PlainRow(rowID: last + 1 + number, values: values))
            merged.append((last + 1 + number, values))
        }
        pending.shuffle(using: &generator)
        let overlay = Overlay()
        for row in masked.shuffled(using: &generator) { overlay.mask(row, of: entity.id) }
        // Look-ups that are asked for before rows come are kept. A row that is set again replaces what was set before.
        for row in pending where Bool.random(using: &generator) {
            let before = PlainRow(rowID: row.rowID, values: entity.properties.map { randomValue(of: $0, &generator) })
            overlay.set(before, isStored: masked.contains(row.rowID), of: entity.id)
            for property in entity.properties where !property.isHidden {
                guard let path = try? PropertyPath([property.name], in: entity) else { continue }
                _ = overlay.entities[entity.id]?.values(at: path)
            }
        }
        for row in pending { overlay.set(row, isStored: masked.contains(row.rowID), of: entity.id) }
        return (overlay, merged)
    }
}
