package import LoamStorage

/// A result written out: what a difference can be applied to.
package struct SectionedRows: Hashable, Sendable {
    package struct Section: Hashable, Sendable {
        package var identifier: Value
        package var rows: [RowID]

        package init(identifier: Value, rows: [RowID]) {
            self.identifier = identifier
            self.rows = rows
        }
    }

    package var sections: [Section]

    package init(sections: [Section]) {
        self.sections = sections
    }

    /// Writes a state out: its sections, with the row ids of each. O(n).
    package init(_ state: ResultState) {
        let rowIDs = state.rowIDs
        sections = state.sections.map { Section(identifier: $0.identifier, rows: Array(rowIDs[$0.rows])) }
    }

    /// The rows after a difference from the state that they show. O(n), and O(rows of its section) for each row that
    /// goes, comes or moves. Traps where the difference begins at another state.
    package func applying(_ difference: LiveDifference) -> SectionedRows {
        var sections = sections
        let left = (difference.deletions + difference.moves.map(\.from)).sorted()
        for position in left.reversed() { sections[position.section].rows.remove(at: position.item) }
        for section in difference.deletedSections.reversed() { sections.remove(at: section) }
        for inserted in difference.insertedSections {
            sections.insert(Section(identifier: inserted.identifier, rows: []), at: inserted.section)
        }
        let moved = difference.moves.map { LiveDifference.Insertion(position: $0.to, rowID: $0.rowID) }
        for row in (difference.insertions + moved).sorted(by: { $0.position < $1.position }) {
            sections[row.position.section].rows.insert(row.rowID, at: row.position.item)
        }
        return SectionedRows(sections: sections)
    }
}
