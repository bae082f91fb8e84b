import LoamLive
import LoamStorage

/// The results of a ``ResultsObserver`` or a ``FetchedResultsController`` as identifiers: a value that other isolations
/// can be given, and that stays as it is whatever is saved.
///
/// Making and copying one is O(1). Kept for long, one of a large result can come to 8 bytes a row.
public struct ResultsSnapshot<SectionTitle: Hashable> {
    let state: ResultState
    let origin: PersistentIdentifier.Origin
    let reader: SectionTitleReader<SectionTitle>
    /// The positions of the models that changed, ascending.
    let changed: [ResultPosition]

    /// The number of models in all sections. O(1).
    public var numberOfItems: Int { state.count }

    /// The number of sections; 0 for results without sections. O(1).
    public var numberOfSections: Int { state.isSectioned ? state.sectionCount : 0 }

    /// The titles of the sections, in order. O(sections · log n).
    public var sectionIdentifiers: [SectionTitle] {
        state.isSectioned ? state.sections.map { reader.read($0.identifier).title } : []
    }

    /// The identifiers of all models, in order. O(n).
    public var itemIdentifiers: [PersistentIdentifier] { state.rowIDs.map { PersistentIdentifier(origin, row: $0) } }

    /// The identifiers of the models in the section with a title, in order; none where there is no such section.
    /// O(sections), and O(log n) for each model.
    public func itemIdentifiers(inSection identifier: SectionTitle) -> [PersistentIdentifier] {
        sectionIdentifiers.firstIndex(of: identifier).map { itemIdentifiers(inSectionAt: $0) } ?? []
    }

    /// The identifiers of the models in the section at a position, in order; none where there is no such section. O(log
    /// n) for each model.
    public func itemIdentifiers(inSectionAt position: Int) -> [PersistentIdentifier] {
        guard 0..<numberOfSections ~= position else { return [] }
        return state.section(at: position).rows.map { PersistentIdentifier(origin, row: state[$0]) }
    }

    /// The identifiers of the models that were in the results before the change, too, and whose values changed, in
    /// order, whether or not they moved. O(log n) for each.
    public var reloadedItemIdentifiers: [PersistentIdentifier] {
        changed.compactMap { state.index(at: $0) }.map { PersistentIdentifier(origin, row: state[$0]) }
    }
}

/// What changed in a ``ResultsObserver``, and the results that it led to.
public struct ResultsChange<SectionTitle: Hashable> {
    /// What leads from the last change's snapshot to this one's.
    public let difference: ResultsDifference<SectionTitle>
    /// The results behind the change. Their ``ResultsSnapshot/reloadedItemIdentifiers`` are those of the change; none
    /// after a reset.
    public let snapshot: ResultsSnapshot<SectionTitle>

    init(_ step: DifferenceFeed.Step, reader: SectionTitleReader<SectionTitle>) {
        difference = ResultsDifference(step.change, by: step.update, of: step.binding) { reader.read($0).title }
        var changed: [ResultPosition] = []
        if case .difference(let difference) = step.change {
            changed = (difference.moves.map(\.to) + difference.updates.map(\.position)).sorted()
        }
        snapshot = ResultsSnapshot(
            state: step.update.new, origin: step.binding.origin, reader: reader, changed: changed)
    }
}

extension ResultsChange: Sendable where SectionTitle: Sendable {}
extension ResultsSnapshot: Sendable where SectionTitle: Sendable {}
