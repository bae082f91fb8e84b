import Foundation
import LoamLive
import LoamStorage

/// A change that the delegate of a controller is being told of.
struct ToldChange<Element: PersistentModel, SectionTitle: Hashable & SendableMetatype> {
    /// Who is told, to the end, whoever else is set meanwhile.
    let delegate: any FetchedResultsControllerDelegate<Element, SectionTitle>
    let difference: LiveDifference
    let update: LiveUpdate
    /// What was shown before.
    let old: ShownResult
    let oldTitles: SectionTitles<SectionTitle>
    /// The objects that the results lost.
    let deleted: [RowID: Element]
    /// Whether the controller shows what the change leads to.
    var isShown = false

    /// - Parameter departed: finds an object that left the context.
    init(
        _ difference: LiveDifference, by update: LiveUpdate, from observer: ResultsObserver<Element, SectionTitle>,
        delegate: any FetchedResultsControllerDelegate<Element, SectionTitle>, departed: (RowID) -> Element?
    ) {
        (self.difference, self.update) = (difference, update)
        self.delegate = delegate
        let old = observer.shown
        (self.old, oldTitles) = (old, observer.titles)
        var deleted: [RowID: Element] = [:]
        for index in difference.deletions.compactMap({ old.state.index(at: $0) }) {
            // Made before the context takes in what was saved, which then leaves the object its last values.
            deleted[old.state[index]] = departed(old.state[index]) ?? old.object(old.state[index])
        }
        self.deleted = deleted
    }
}

extension ToldChange {
    /// Gives the models their last values that the context has heard of as gone before there was an object of them.
    func leaveDeleted() {
        let store = old.store
        for (rowID, model) in deleted {
            guard let bytes = update.lastRecord(of: rowID), let backing = model._$backing, backing.state == .stored,
                backing.record == nil
            else { continue }
            do {
                let records = try DetachedRecord.Source(old.binding.entity.id, in: store.store.catalog())
                store.leave(model, old: try records.copy(bytes, rowID: rowID))
            } catch {
                store.keep(error)
            }
        }
    }
}

extension LiveUpdate {
    /// The difference between both states. After a reset they are compared, O(n · log n), and all rows that stayed count
    /// as updated, unless nothing was saved or changed between the two.
    func wholeDifference() -> LiveDifference {
        if case .difference(let difference) = change() { return difference }
        let isSameSave = old.save == new.save && !hasUnsaved
        return LiveDifference(from: old, to: new, changed: isSameSave ? [] : Set(new.rowIDs))
    }
}

extension FetchedResultsController {
    /// The positions of the models that the change changed which is being told.
    var toldPositions: [ResultPosition] {
        guard let told, told.isShown else { return [] }
        return (told.difference.moves.map(\.to) + told.difference.updates.map(\.position)).sorted()
    }

    /// The change that is being told.
    var toldDifference: ResultsDifference<SectionTitle>? {
        guard let observer, let told, told.isShown else { return nil }
        let reader = observer.titleReader.reader
        return ResultsDifference(.difference(told.difference), by: told.update, of: observer.shown.binding) {
            reader.read($0).title
        }
    }

    /// Tells the change section by section, then object by object.
    func tellEach(to delegate: some FetchedResultsControllerDelegate<Element, SectionTitle>) {
        guard let observer, let sections, let told, told.isShown else { return }
        let (shown, difference) = (observer.shown, told.difference)
        let oldSections = FetchedResultsSections(shown: told.old, titles: told.oldTitles, controller: self)
        for section in difference.deletedSections.reversed() {
            delegate.controller(self, didChange: oldSections[section], atSectionIndex: section, for: .delete)
        }
        for section in difference.insertedSections.map(\.section) {
            delegate.controller(self, didChange: sections[section], atSectionIndex: section, for: .insert)
        }
        for change in ObjectChange.all(in: difference, from: told.old.state, to: shown.state) {
            delegate.controller(
                self, didChange: told.deleted[change.rowID] ?? shown.object(change.rowID),
                at: change.from.map(IndexPath.init), for: change.type, newIndexPath: change.to.map(IndexPath.init))
        }
    }
}
