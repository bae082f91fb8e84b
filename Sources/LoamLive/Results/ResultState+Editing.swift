import LoamQuery
import LoamStorage

extension ResultState {
    /// Takes a row out that is held. O(log n).
    mutating func remove(_ row: ResultRow) {
        held.remove(at: position(of: row))
        takeFromSection(row)
    }

    /// Counts a row of a section less. O(log n).
    mutating func takeFromSection(_ row: ResultRow) {
        guard let sections = heldSections, sections.count > 0 else { return }
        let position = sections.lastPosition(beginning: row.key)
        // In a damaged index there may be none.
        guard position >= 0 else { return }
        var section = sections[position]
        section.count -= 1
        if section.count == 0 {
            heldSections?.remove(at: position)
        } else {
            heldSections?.replace(at: position, with: section)
        }
    }

    /// Puts a row in that is not held yet. O(log n).
    mutating func insert(_ rowID: RowID, at place: PlacementRule.Placement) {
        let row = ResultRow(rowID: rowID, key: place.key)
        held.insert(row, at: position(of: row))
        addToSection(place)
    }

    /// Counts a row more in the section of a place. O(log n).
    mutating func addToSection(_ place: PlacementRule.Placement) {
        if isSectioned { addToSection(place.sectionKey, identifier: place.section) }
    }

    /// Puts a row back that another state has. O(log n).
    mutating func restore(_ row: ResultRow, from other: ResultState) {
        if virtual == nil { held.insert(row, at: position(of: row)) }
        guard let sections = other.heldSections, sections.count > 0 else { return }
        let position = sections.lastPosition(beginning: row.key)
        // In a damaged index there may be none.
        guard position >= 0 else { return }
        addToSection(sections[position].key, identifier: sections[position].identifier)
    }

    private mutating func addToSection(_ key: [UInt8], identifier: Value) {
        guard let sections = heldSections else { return }
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
        var faults = held.checkInvariants() + (heldSections?.checkInvariants() ?? [])
        if virtual != nil { return faults + checkVirtualRows() }
        let rows = Array(held)
        if zip(rows, rows.dropFirst()).contains(where: { !order.precedes($0, $1) }) { faults.append("out of order") }
        if Set(rows.map(\.rowID)).count != rows.count { faults.append("a row is held twice") }
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

    private func checkVirtualRows() -> [String] {
        var faults: [String] = []
        let rowIDs = rowIDs
        if Set(rowIDs).count != count { faults.append("a row is there twice, or not at all") }
        if let heldSections, heldSections.weight != virtual?.count {
            faults.append("sections hold \(heldSections.weight) rows")
        }
        if heldSections?.contains(where: { $0.count < 1 }) == true { faults.append("a section is empty") }
        for index in [0, count / 2, count - 1] where 0..<count ~= index {
            if self[index] != rowIDs[index] { faults.append("another row stands at \(index)") }
            if self.index(of: rowIDs[index]) != index { faults.append("the row at \(index) is found elsewhere") }
        }
        return faults
    }
}

extension SectionTree {
    /// The section whose key a row's key begins with; it must be there.
    func lastPosition(beginning key: [UInt8]) -> Int {
        firstPosition { $0.key.order(against: key) <= 0 } - 1
    }
}

extension PlacementRule.Placement {
    /// The bytes that the keys of the section's rows begin with, without zeros at the end.
    var sectionKey: [UInt8] { Array(key.prefix(sectionCount)).withoutZerosAtItsEnd }
}
