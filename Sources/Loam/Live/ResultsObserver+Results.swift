public import Foundation
import LoamLive
import LoamStorage
import Observation

extension ResultsObserver {
    /// The models as of the last delivery, in order. O(1); an object is made when its position is asked for, and its
    /// record is read with those around it, 64 at most, whose objects are kept until others are read.
    ///
    /// Code that tracks this (`withObservationTracking`) is told where a model comes, goes or moves, and not where one
    /// changes in its place: each model tells of the values that were read of it.
    public var results: FetchResultsCollection<Element> {
        registrar.access(\.results)
        return FetchResultsCollection(shown: shown)
    }

    /// The sections as of the last delivery; nil without ``sectionBy``. Tracked as ``results`` are.
    public var sections: SectionedResults<Element, SectionTitle>? {
        registrar.access(\.sections)
        guard shown.state.isSectioned else { return nil }
        return SectionedResults(shown: shown, titles: titles)
    }

    /// Why the results could not be brought up to date; nil where they were, the last time.
    ///
    /// After an error the results stay as they were; where only the unsaved changes cannot be read, as a value that
    /// cannot be encoded, they show what is saved. The next save of this process that concerns any observer of the
    /// file tries again, and so does ``refresh()``.
    public var fetchError: (any Error)? {
        registrar.access(\.fetchError)
        return descriptorError ?? readError ?? overlayError
    }

    /// The model at a section and item; at an item alone where there are no sections. Nil where there is none. O(log
    /// n).
    public func element(at position: IndexPath) -> Element? {
        let indices = position.count == 1 ? [0] + Array(position) : Array(position)
        guard indices.count == 2,
            let index = shown.state.index(at: ResultPosition(section: indices[0], item: indices[1]))
        else { return nil }
        return results[index]
    }

    /// The section and item of a model; nil where it is not among the results. A look at the stored model and O(log n)
    /// where the results are as the store is; a search of all results, O(n), where the model has been saved with another
    /// place since, or is not among them.
    public func indexPath(for model: Element) -> IndexPath? {
        results.index(of: model.persistentModelID).map { IndexPath(shown.state.position(at: $0)) }
    }

    /// Makes a sequence of what changes from now on; it ends with the observer. Every call makes one of its own.
    ///
    /// A difference leads from the results at the last one to the newest: where several deliveries come before the next
    /// difference is taken, it is one for all of them, so that what nobody takes does not pile up. When a difference is
    /// handed out, the results are at least as new. After a reset (``ResultsDifference/isReset``) start over from
    /// ``results``, and differences go on from there: those that are no reset begin where the last one ended.
    public func makeDifferences() -> ResultsStream<ResultsDifference<SectionTitle>> {
        let (feed, reader) = (DifferenceFeed(), titleReader)
        feeds.append(WeakFeed(feed))
        return ResultsStream(feed) { step in
            ResultsDifference(step.change, by: step.update, of: step.binding) { reader.reader.read($0).title }
        }
    }

    /// A sequence of what changes from now on, each with the results that it leads to, as identifiers: for a reader on
    /// another isolation, which cannot look at ``results``. It is as ``makeDifferences()`` otherwise. Every use makes a
    /// sequence of its own.
    ///
    /// A change that is a reset needs nothing read anew: its snapshot is what to start over from.
    public var changes: ResultsStream<ResultsChange<SectionTitle>> {
        let (feed, reader) = (DifferenceFeed(), titleReader)
        feeds.append(WeakFeed(feed))
        return ResultsStream(feed) { ResultsChange($0, reader: reader.reader) }
    }

    /// The results as of the last delivery, as identifiers, for any isolation. O(1).
    public var snapshot: ResultsSnapshot<SectionTitle> {
        registrar.access(\.results)
        return ResultsSnapshot(
            state: shown.state, origin: shown.binding.origin, reader: titleReader.reader, changed: [])
    }

    /// Takes in, at once, everything that was saved before the call, by other processes too, and what is unsaved. Waits
    /// until the results are read. Where that fails, ``fetchError`` says why.
    public func refresh() {
        live?.refresh()
        live?.settle()
        takeDeliveries()
    }
}
