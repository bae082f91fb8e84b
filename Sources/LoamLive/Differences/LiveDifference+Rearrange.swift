import LoamStorage

extension LiveDifference {
    /// What leads from one state to another one that may have other rows, another order and other sections. As many rows
    /// as can be stay where they are among the others. O(n log n).
    ///
    /// - Parameter touched: rows whose values differ, or may differ.
    init(rearranging old: ResultState, to new: ResultState, touched: Set<RowID>) {
        let (before, after) = (SectionedRows(old).sections, SectionedRows(new).sections)
        let sections = KeptSections(from: before, to: after, isSectioned: old.isSectioned || new.isSectioned)
        deletedSections = sections.deleted
        insertedSections = sections.inserted.map { SectionInsertion(section: $0, identifier: after[$0].identifier) }
        var places: [RowID: ResultPosition] = [:]
        // Rows that cannot be read have one id together. They go as they came, each by its place.
        var unreadable: [ResultPosition] = []
        for (number, section) in before.enumerated() {
            for (item, rowID) in section.rows.enumerated() {
                let other = places.updateValue(ResultPosition(section: number, item: item), forKey: rowID)
                if let other { unreadable.append(other) }
            }
        }
        var candidates: [(from: ResultPosition, to: ResultPosition, rowID: RowID)] = []
        for (number, section) in after.enumerated() {
            for (item, rowID) in section.rows.enumerated() {
                let position = ResultPosition(section: number, item: item)
                guard let place = places.removeValue(forKey: rowID) else {
                    insertions.append(Insertion(position: position, rowID: rowID))
                    continue
                }
                if sections.former[number] == place.section {
                    candidates.append((place, position, rowID))
                } else {
                    moves.append(Move(from: place, to: position, rowID: rowID))
                }
            }
        }
        deletions = (places.values + unreadable).sorted()
        let kept = Set(candidates.map(\.from).longestAscent)
        for (number, row) in candidates.enumerated() {
            if !kept.contains(number) {
                moves.append(Move(from: row.from, to: row.to, rowID: row.rowID))
            } else if touched.contains(row.rowID) {
                updates.append(Update(position: row.to, rowID: row.rowID))
            }
        }
        moves.sort { $0.to < $1.to }
    }
}

/// The sections that are there before and after, and stay in their order.
private struct KeptSections {
    /// For each new section its number before; nil where it is new.
    private(set) var former: [Int?]
    private(set) var deleted: [Int] = []
    private(set) var inserted: [Int] = []

    init(from old: [SectionedRows.Section], to new: [SectionedRows.Section], isSectioned: Bool) {
        former = Array(repeating: nil, count: new.count)
        guard isSectioned else {
            former = new.indices.map { _ in 0 }
            return
        }
        var numbers: [Value: [Int]] = [:]
        for (number, section) in old.enumerated().reversed() { numbers[section.identifier, default: []].append(number) }
        let known = new.indices.compactMap { number in
            numbers[new[number].identifier]?.popLast().map { (new: number, old: $0) }
        }
        for number in known.map(\.old).longestAscent { former[known[number].new] = known[number].old }
        let kept = Set(former.compactMap(\.self))
        deleted = old.indices.filter { !kept.contains($0) }
        inserted = new.indices.filter { former[$0] == nil }
    }
}

extension Array where Element: Comparable {
    /// The positions of a longest ascending run of elements, others left out. O(n log n).
    fileprivate var longestAscent: [Int] {
        var ends: [Int] = []
        var previous: [Int] = Array<Int>(repeating: -1, count: count)
        for index in indices {
            let length = ends.indices.partitionPoint { self[ends[$0]] < self[index] }
            if length > 0 { previous[index] = ends[length - 1] }
            if length == ends.count { ends.append(index) } else { ends[length] = index }
        }
        var run: [Int] = []
        var next = ends.last ?? -1
        while next >= 0 {
            run.append(next)
            next = previous[next]
        }
        return run.reversed()
    }
}
