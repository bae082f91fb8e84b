import LoamLive
import LoamStorage

/// The results of a fetch with a delegate that hears of each change, in the manner of Core Data's
/// `NSFetchedResultsController`.
///
/// ```swift
/// let controller = FetchedResultsController(
///     fetchDescriptor: FetchDescriptor(sortBy: [SortDescriptor(\City.name)]), modelContext: context,
///     sectionBy: \.country)
/// controller.delegate = list
/// try controller.performFetch()
/// ```
///
/// It stands on a ``ResultsObserver``, and follows as that does: what its context changes, saved or not, and every save of
/// any other context and process, on the isolation
/// that made the controller, never on the thread that saved. One that was made outside of any isolation changes in
/// ``refresh()`` alone. ``FetchedResultsControllerDelegate`` says what is told, and in which order.
///
/// Different from Core Data:
/// - A model that was changed or inserted and shown counts as updated once more when it is saved.
/// - No sort descriptor is required. Sections come in the order of their titles, in the direction of the sort descriptor
///   on the same property, ascending without one; no section is ever split.
/// - A limit of the fetch holds for ever: what a new model pushes out of it is told as a deletion.
/// - An index path that leads nowhere gives nil from ``object(at:)``, where Core Data raises an exception.
/// - Changes are followed with a delegate and without, and there is no cache.
/// - Objects are made when they are asked for, up to 64 at a time with the relationships that the descriptor prefetches:
///   a result of a million models holds the objects of the last batch.
///
/// The controller follows from ``performFetch()`` on until it is let go. It does not keep its delegate.
public final class FetchedResultsController<Element: PersistentModel, SectionTitle: Hashable & SendableMetatype> {
    /// The context that makes the models.
    public let modelContext: ModelContext
    /// What is fetched, from the next ``performFetch()`` on.
    public var fetchDescriptor: FetchDescriptor<Element>
    /// The property whose values are the titles of the sections; nil without sections.
    public let sectionBy: PartialKeyPath<Element>?
    /// Who is told of changes. One that is set while another is being told hears of the next change.
    public weak var delegate: (any FetchedResultsControllerDelegate<Element, SectionTitle>)?

    private weak let isolation: (any Actor)?
    private(set) var observer: ResultsObserver<Element, SectionTitle>?
    /// What was fetched while a change was being told: its results are shown after that.
    private var fetched: ResultsObserver<Element, SectionTitle>?
    /// Whether the delegate has asked to take in what was saved while it was being told of a change.
    private var mustRefresh = false
    /// The change that the delegate is being told of.
    private(set) var told: ToldChange<Element, SectionTitle>?
    /// Models that left the context, and that the delegate is still to be told of.
    private var departed: [RowID: Element] = [:]
    private var mostDeparted = 256

    init(
        _ fetchDescriptor: FetchDescriptor<Element>, section: PartialKeyPath<Element>?, context: ModelContext,
        isolation: (any Actor)?
    ) {
        self.fetchDescriptor = fetchDescriptor
        sectionBy = section
        modelContext = context
        self.isolation = isolation
    }

    /// Fetches, and follows the results from then on. Costs as much as the fetch.
    ///
    /// The delegate is told nothing of it: whoever calls this shows all of ``fetchedObjects`` anew. Only where the
    /// delegate calls this in the midst of a change, the new results are shown after that change, and told as a change
    /// of their own.
    ///
    /// - Throws: ``SwiftDataError`` where the descriptor cannot be run or the store cannot be read. The results stay as
    ///   they were, and go on to be followed.
    public func performFetch() throws {
        let made = try ResultsObserver<Element, SectionTitle>(
            fetchDescriptor, section: sectionBy, context: modelContext, isolation: isolation)
        if told == nil { follow(made) } else { fetched = made }
    }

    /// Takes in, at once, everything that was saved before the call, by other processes too, and tells the delegate.
    /// Where the delegate calls this in the midst of a change, it is told after that change. Where reading fails,
    /// ``fetchError`` says why. Does nothing before ``performFetch()``.
    public func refresh() {
        mustRefresh = told != nil
        if !mustRefresh { observer?.refresh() }
    }

    private func follow(_ made: ResultsObserver<Element, SectionTitle>) {
        observer?.listener = nil
        observer = made
        made.listener = self
        made.shown.store.departures.add(self)
        forgetDeparted()
    }
}

extension FetchedResultsController: ResultsListener {
    func resultsWillChange(by update: LiveUpdate) {
        guard let observer, let delegate else { return }
        let difference = update.wholeDifference()
        guard !difference.isEmpty else { return }
        told = ToldChange(difference, by: update, from: observer, delegate: delegate) { departed[$0] }
        // The objects that go get their last values now, before anybody reads them.
        modelContext.receiveChanges()
        told?.leaveDeleted()
        observer.batch.departed = told?.deleted ?? [:]
        delegate.controllerWillChangeContent(self)
    }

    func resultsDidChange() {
        tell()
        // Each of these shows what was fetched while the one before was being told.
        while let observer, let made = fetched.take() {
            let hasUnsaved = !observer.laid.isPlain || !made.laid.isPlain
            resultsWillChange(
                by: LiveUpdate(resetting: observer.shown.state, to: made.shown.state, hasUnsaved: hasUnsaved))
            follow(made)
            tell()
        }
        forgetDeparted()
        if mustRefresh { refresh() }
    }

    private func tell() {
        told?.isShown = true
        guard let delegate = told?.delegate, let snapshot else { return }
        delegate.controller(self, didChangeContentWith: snapshot)
        delegate.controllerDidChangeContent(self)
        observer?.batch.departed = [:]
        told = nil
    }
}

extension FetchedResultsController: DepartureListener {
    func modelDidLeave(_ model: any PersistentModel, row: RowID) {
        guard delegate != nil, let model = model as? Element else { return }
        departed[row] = model
        if departed.count > mostDeparted { forgetDeparted() }
    }

    /// Lets go of the models that are not shown: nobody is to be told of those any more. Where there are any, O(log n) for
    /// each of virtual results, else O(n).
    private func forgetDeparted() {
        guard !departed.isEmpty, let observer else { return }
        let shown = observer.shown.state.rowIDs(among: Array(departed.keys))
        departed = departed.filter { shown.contains($0.key) }
        mostDeparted = 2 * departed.count + 256
    }
}
