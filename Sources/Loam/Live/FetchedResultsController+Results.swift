public import Foundation
import LoamLive

extension FetchedResultsController {
    /// The models as of the last change, in order; nil before ``performFetch()``. O(1); an object is made when its
    /// position is asked for.
    public var fetchedObjects: FetchResultsCollection<Element>? { observer?.results }

    /// The sections as of the last change; nil before ``performFetch()``. One section with all models where there is
    /// no ``sectionBy``. O(1).
    public var sections: FetchedResultsSections<Element, SectionTitle>? {
        guard let observer else { return nil }
        return FetchedResultsSections(shown: observer.shown, titles: observer.titles, controller: self)
    }

    /// The results as identifiers, for any isolation; nil before ``performFetch()``. Of a change that is being told, it
    /// says which models changed, and sorts their places: O(changed · log changed). O(1) otherwise.
    public var snapshot: ResultsSnapshot<SectionTitle>? {
        guard let observer else { return nil }
        let shown = observer.shown
        return ResultsSnapshot(
            state: shown.state, origin: shown.binding.origin, reader: observer.titleReader.reader,
            changed: toldPositions)
    }

    /// Why the results could not be brought up to date; nil where they were, the last time, and before
    /// ``performFetch()``, which throws instead. The results stay as they were, and the next save that concerns them
    /// tries again.
    public var fetchError: (any Error)? { observer?.fetchError }

    /// The model at a section and item, or at an item alone, which is of the first section. Nil where there is none,
    /// and before ``performFetch()``: Core Data raises an exception there. O(log n).
    public func object(at indexPath: IndexPath) -> Element? { observer?.element(at: indexPath) }

    /// The section and item of a model; nil where it is not among the results. A look at the stored model and O(log n),
    /// or O(n) where it has been saved with another place since, or is not among the results.
    public func indexPath(forObject object: Element) -> IndexPath? { observer?.indexPath(for: object) }
}

extension FetchedResultsController {
    /// The titles of an index beside the list, each once, in the order of the sections. Sections without an index title
    /// have none here. O(sections).
    public var sectionIndexTitles: [String] {
        var known: Set<String> = []
        return sections?.compactMap(\.indexTitle).filter { known.insert($0).inserted } ?? []
    }

    /// The title that stands for a section in an index beside the list: what the delegate says, which without more is
    /// the first letter of the name, as a capital. Nil for an empty name.
    public func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        guard let delegate else { return Self.indexTitle(of: sectionName) }
        return delegate.controller(self, sectionIndexTitleForSectionName: sectionName)
    }

    /// The first section that an index title stands for. O(sections).
    ///
    /// - Parameters:
    ///   - title: one of ``sectionIndexTitles``.
    ///   - sectionIndex: its place among them.
    /// - Returns: nil where there is no such title at this place: Core Data raises an exception there.
    public func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int? {
        let titles = sectionIndexTitles
        guard titles.indices.contains(sectionIndex), titles[sectionIndex] == title else { return nil }
        return sections?.firstIndex { $0.indexTitle == title }
    }

    static func indexTitle(of sectionName: String) -> String? { sectionName.first.map { $0.uppercased() } }
}
