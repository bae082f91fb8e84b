package import LoamStorage

/// Sections of the window: those of the held rows that have a row in it, the first and the last one cut to it.
extension ResultState {
    /// A section of the result.
    package struct Section: Hashable, Sendable {
        package var identifier: Value
        /// The places of its rows in the result.
        package var rows: Range<Int>
    }

    /// The held sections that have a row in the window.
    var visibleSections: Range<Int> {
        guard let heldSections, !window.isEmpty else { return 0..<0 }
        // No section is without rows.
        if offset == 0, limit == nil { return 0..<heldSections.count }
        let first = heldSections.position(ofWeight: window.lowerBound).position
        let last = heldSections.position(ofWeight: window.upperBound - 1).position
        return first..<last + 1
    }

    /// The number of sections; 1 for a result without a section key path.
    package var sectionCount: Int { isSectioned ? visibleSections.count : 1 }

    /// The section with a number, in the window. O(log n).
    package func section(at index: Int) -> Section {
        guard let heldSections else { return Section(identifier: .null, rows: 0..<count) }
        return section(visibleSections.lowerBound + index, of: heldSections)
    }

    private func section(_ position: Int, of sections: SectionTree) -> Section {
        let start = sections.weight(before: position)
        let section = sections[position]
        let rows = (start..<start + section.count).clamped(to: window)
        return Section(
            identifier: section.identifier,
            rows: rows.lowerBound - window.lowerBound..<rows.upperBound - window.lowerBound)
    }

    /// All sections of the result, in order. O(sections).
    package var sections: [Section] {
        var sections: [Section] = []
        sections.reserveCapacity(sectionCount)
        forEachSection { sections.append(Section(identifier: $0, rows: $1)) }
        return sections
    }

    /// Calls `body` with the identifier of each section of the result, in order, and with the places of its rows in the
    /// result. O(sections).
    package func forEachSection(_ body: (_ identifier: Value, _ rows: Range<Int>) -> Void) {
        guard let heldSections else { return body(.null, 0..<count) }
        let (visible, window) = (visibleSections, window)
        var start = heldSections.weight(before: visible.lowerBound)
        heldSections.forEach(in: visible) { section in
            let rows = (start..<start + section.count).clamped(to: window)
            body(section.identifier, rows.lowerBound - window.lowerBound..<rows.upperBound - window.lowerBound)
            start += section.count
        }
    }

    /// The section and item of a place in the result. O(log n).
    package func position(at index: Int) -> ResultPosition {
        guard let heldSections else { return ResultPosition(section: 0, item: index) }
        let position = heldSections.position(ofWeight: window.lowerBound + index).position
        let start = max(heldSections.weight(before: position), window.lowerBound) - window.lowerBound
        return ResultPosition(section: position - visibleSections.lowerBound, item: index - start)
    }

    /// The place in the result of a section and item; nil where there is none. O(log n).
    package func index(at position: ResultPosition) -> Int? {
        guard 0..<sectionCount ~= position.section else { return nil }
        let rows = section(at: position.section).rows
        return 0..<rows.count ~= position.item ? rows.lowerBound + position.item : nil
    }

    /// The section with an identifier's key, in the window; nil where there is none. O(log n).
    func visibleSection(withKey key: [UInt8]) -> Int? {
        guard let heldSections else { return nil }
        let position = heldSections.firstPosition { $0.key.order(against: key) < 0 }
        guard visibleSections.contains(position), heldSections[position].key == key else { return nil }
        return position - visibleSections.lowerBound
    }

    /// The bytes of a section in the window.
    func sectionKey(at index: Int) -> [UInt8] {
        heldSections?[visibleSections.lowerBound + index].key ?? []
    }
}
