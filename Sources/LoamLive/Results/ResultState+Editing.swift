import LoamQuery
import LoamStorage

extension ResultState {
    /// Takes a held row out. O(log n).
    mutating func remove(_ row: ResultRow) {
        held.remove(at: position(of: row))
        byRowID.remove(at: byRowID.firstPosition { $0.rowID < row.rowID })
        guard let sections = heldSections else { return }
        let position = sections.lastPosition(beginning: row.key)
        var section = sections[position]
        section.count -= 1
        if section.count == 0 {
            heldSections?.remove(at: position)
        } else {
            heldSections?.replace(at: position, with: section)
        }
    }

    /// Puts a row in that is not held yet. O(log n).
    mutating func insert(_ row: ResultRow, sectionCount: Int, identifier: Value) {
        held.insert(row, at: position(of: row))
        byRowID.insert(row, at: byRowID.firstPosition { $0.rowID < row.rowID })
        guard let sections = heldSections else { return }
        let key = Array(row.key.prefix(sectionCount))
        let position = sections.firstPosition { $0.key.order(against: key) < 0 }
        if position < sections.count, sections[position].key == key {
            var section = sections[position]
            section.count += 1
            heldSections?.replace(at: position, with: section)
        } else {
            heldSections?.insert(LiveSection(key: key, identifier: identifier, count: 1), at: position)
        }
    }

    /// What is wrong with the state; empty when nothing is. O(n).
    package func checkInvariants() -> [String] {
        var faults = held.checkInvariants() + byRowID.checkInvariants() + (heldSections?.checkInvariants() ?? [])
        let rows = Array(held)
        if zip(rows, rows.dropFirst()).contains(where: { !order.precedes($0, $1) }) { faults.append("out of order") }
        if rows.sorted(by: { $0.rowID < $1.rowID }) != Array(byRowID) { faults.append("the two trees differ") }
        if let last = rows.last, let bound, order.precedes(bound, last) { faults.append("a row behind the bound") }
        guard let heldSections else { return faults }
        if heldSections.weight != rows.count { faults.append("sections hold \(heldSections.weight) rows") }
        var start = 0
        for section in heldSections {
            if section.count < 1 { faults.append("a section is empty") }
            let end = min(rows.count, start + section.count)
            if rows[start..<end].contains(where: { !$0.key.starts(with: section.key) }) {
                faults.append("a row is in a wrong section")
            }
            start = end
        }
        return faults
    }
}

extension CountedTree<LiveSection> {
    /// The section whose key a row's key begins with; it must be there.
    func lastPosition(beginning key: [UInt8]) -> Int {
        firstPosition { $0.key.order(against: key) <= 0 } - 1
    }
}
