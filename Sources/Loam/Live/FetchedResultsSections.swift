import LoamLive

/// The sections of a ``FetchedResultsController`` as of a change. Results without sections are one section.
///
/// A section is made when it is asked for, O(log n); the titles of all sections when the first one is, O(sections).
public struct FetchedResultsSections<Element: PersistentModel, SectionTitle: Hashable & SendableMetatype>:
    RandomAccessCollection
{
    let shown: ShownResult
    let titles: SectionTitles<SectionTitle>
    let controller: FetchedResultsController<Element, SectionTitle>

    /// The first position, which is 0.
    public var startIndex: Int { 0 }
    /// The position behind the last section: the number of sections.
    public var endIndex: Int { shown.state.sectionCount }

    /// The section at a position. Traps where there is none.
    public subscript(position: Int) -> FetchedResultsSectionInfo<Element, SectionTitle> {
        precondition(indices.contains(position), "There is no such section.")
        let rows = SectionRows(shown: shown, range: shown.state.section(at: position).rows)
        return FetchedResultsSectionInfo(
            title: shown.state.isSectioned ? titles.all[position] : nil,
            objects: FetchResultsCollection(rows: rows) { rows.model(at: $0) }, controller: controller)
    }
}

/// A section of a ``FetchedResultsController``.
public struct FetchedResultsSectionInfo<Element: PersistentModel, SectionTitle: Hashable & SendableMetatype> {
    /// What the models of the section have in common; nil for results without sections.
    public let title: SectionTitle?
    /// The models of the section, in order. An object is made when its position is asked for.
    public let objects: FetchResultsCollection<Element>
    let controller: FetchedResultsController<Element, SectionTitle>

    /// The title as text; empty for results without sections.
    public var name: String { title.map { "\($0)" } ?? "" }

    /// The number of models in the section.
    public var numberOfObjects: Int { objects.count }

    /// What stands for the section in an index beside the list
    /// (``FetchedResultsController/sectionIndexTitle(forSectionName:)``).
    public var indexTitle: String? { controller.sectionIndexTitle(forSectionName: name) }
}

/// The rows of a section.
private struct SectionRows: FetchedRows {
    let shown: ShownResult
    let range: Range<Int>

    var owner: ModelContext? { shown.context }
    var count: Int { range.count }
    var identifiers: [PersistentIdentifier] { range.map { shown.identifier(shown.state[$0]) } }

    func model<Model: PersistentModel>(at index: Int) -> Model { shown.model(at: range.lowerBound + index) }

    func expect(_ positions: Range<Int>) { shown.expect(positions.moved(by: range.lowerBound)) }

    func index(of identifier: PersistentIdentifier) -> Int? {
        shown.index(of: identifier).flatMap { range.contains($0) ? $0 - range.lowerBound : nil }
    }
}
