import LoamLive
import LoamStorage

/// The sections of a live result as it stood at a delivery.
///
/// Sections come in the order of the stored values that are their titles, in the direction of the sort key on the
/// same property. Each stored value has one section, however the models are sorted. The titles of all sections are made
/// when the first section is asked for, O(sections); from then on a section is found in O(1).
public struct SectionedResults<Element: PersistentModel, SectionTitle: Hashable & SendableMetatype>:
    RandomAccessCollection, Equatable
{
    /// Nil where there is no result.
    let shown: ShownResult?
    let titles: SectionTitles<SectionTitle>?

    init(shown: ShownResult?, titles: SectionTitles<SectionTitle>?) {
        (self.shown, self.titles) = (shown, titles)
        endIndex = if let state = shown?.state, state.isSectioned { state.sectionCount } else { 0 }
    }

    /// No sections, of no context.
    package static var empty: SectionedResults { SectionedResults(shown: nil, titles: nil) }

    /// The first position, which is 0.
    public var startIndex: Int { 0 }
    /// The position behind the last section: the number of sections.
    public let endIndex: Int

    /// The section at a position. Traps where there is none.
    public subscript(position: Int) -> ResultsSection<Element, SectionTitle> {
        guard let shown, let titles, 0..<endIndex ~= position else {
            preconditionFailure("There is no such section.")
        }
        return ResultsSection(
            title: titles.title(at: position), unreadable: titles.unreadable(at: position),
            rows: titles.rows(at: position), shown: shown)
    }

    /// The titles in the order of the sections. One that cannot be read may come twice
    /// (``ResultsSection/unreadableTitle``). O(sections) the first time.
    public var sectionTitles: [SectionTitle] { titles?.all ?? [] }

    /// Whether there is a section with this title. O(sections) the first time, then O(1).
    public func contains(sectionTitle: SectionTitle) -> Bool { index(ofSectionTitled: sectionTitle) != nil }

    /// The place of the section with a title; nil where there is none. O(sections) the first time, then O(1).
    public func index(ofSectionTitled title: SectionTitle) -> Int? { titles?.positions[title] }

    /// The section with a title; nil where there is none.
    public subscript(sectionTitle title: SectionTitle) -> ResultsSection<Element, SectionTitle>? {
        index(ofSectionTitled: title).map { self[$0] }
    }

    /// Whether both have the same models in the same order, of the same context.
    public static func == (left: Self, right: Self) -> Bool {
        guard let (first, second) = left.shown.flatMap({ first in right.shown.map { (first, $0) } }) else {
            return left.shown == nil && right.shown == nil
        }
        return first.hasSameRows(as: second) && first.state.sections == second.state.sections
    }
}

/// The models of a section, in order.
public struct ResultsSection<Element: PersistentModel, SectionTitle: Hashable>: RandomAccessCollection, Identifiable,
    Equatable
{
    /// The value that the models of the section have in common. Where ``unreadableTitle`` is not nil it is what the
    /// property reads in its models, which another section can have for its title too.
    public let title: SectionTitle
    /// What the models of the section have in common in the store, where the title's type has no such value: a case of
    /// an enum that a newer version of the program added.
    public var unreadableTitle: UnreadableValue? { unreadable?.value }
    private let unreadable: UnreadableTitle?
    let rows: Range<Int>
    let shown: ShownResult

    init(title: SectionTitle, unreadable: UnreadableTitle?, rows: Range<Int>, shown: ShownResult) {
        (self.title, self.unreadable, self.rows, self.shown) = (title, unreadable, rows, shown)
    }

    /// The title. Sections of which one has an ``unreadableTitle`` may share it.
    public var id: SectionTitle { title }
    /// The first position, which is 0.
    public var startIndex: Int { 0 }
    /// The position behind the last model: the number of models.
    public var endIndex: Int { rows.count }

    /// The model at a position, whose object is made where the context has none. Traps where there is no such position.
    public subscript(position: Int) -> Element {
        precondition(indices.contains(position), "There is no such position in the section.")
        return shown.model(at: rows.lowerBound + position)
    }

    /// Says which positions are about to be asked for: what is read of one is read of 64 together.
    package func expect(_ positions: Range<Int>) { shown.expect(positions.moved(by: rows.lowerBound)) }

    /// The place of a model in the section; nil where it is not there. O(log n).
    public func index(of identifier: PersistentIdentifier) -> Int? {
        guard let index = shown.index(of: identifier), rows.contains(index) else { return nil }
        return index - rows.lowerBound
    }

    /// Whether both have the same models in the same order, of the same context.
    public static func == (left: Self, right: Self) -> Bool {
        left.title == right.title && left.shown.context === right.shown.context
            && left.rows.map { left.shown.state[$0] } == right.rows.map { right.shown.state[$0] }
    }
}

extension Range<Int> {
    /// The range that begins so many further on.
    func moved(by offset: Int) -> Range<Int> { lowerBound + offset..<upperBound + offset }
}
