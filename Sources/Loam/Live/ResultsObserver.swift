import LoamLive
import LoamQuery
import LoamStorage
public import Observation

/// A fetch whose result stays current: with every change of its context, saved or not, and after every save of any other
/// context in the process, without asking again. On Linux
/// saves of other processes are seen as they are made, while the file is written to at most once a second; where the file
/// cannot be watched, within a second. What they change of the schema is seen in the same way.
///
/// ```swift
/// let observer = try ResultsObserver(sortBy: [SortDescriptor(\City.name)], sectionBy: \.country, modelContext: context)
/// for await difference in observer.makeDifferences() {
///     print(observer.sections?.sectionTitles ?? [], difference.insertions)
/// }
/// ```
///
/// Results, sections and differences change on the isolation that made the observer, never on the thread that saved;
/// an observer that was made outside of any isolation, or in the initializer of an actor, changes in ``refresh()``
/// alone. An actor may own its observer, which does not keep it.
///
/// Unsaved changes of the observer's context are part of the results, as they are of a fetch, in one difference for all
/// that are made until the isolation is free: inserted models, changed ones at their new places, none that is to be
/// deleted, and those that stand elsewhere because a related model has changed. A save then shows the same, and counts
/// the models as updated; a rollback takes them back. This costs O(log² n) for each row that
/// has changed since the last difference, and O(unsaved changes · log n) where the store has changed or related rows
/// decide; as much as the fetch for a limit or an offset. ``FetchDescriptor/includePendingChanges`` turns it off.
///
/// Sections come in the order of the stored values that are their titles, in the direction of the sort descriptor on
/// the same property, ascending without one. Title types are any that can be stored and compared, of a property of the
/// models, of a model that to-one relationships lead to (`\.country?.name`), or of a function of either
/// (`\.name.count`). Use `Never` for results without sections.
///
/// The observer follows until it is let go.
public final class ResultsObserver<Element: PersistentModel, SectionTitle: Hashable & SendableMetatype>: Observable {
    /// The context that makes the models.
    public let modelContext: ModelContext

    let registrar = PartRegistrar()
    private weak let isolation: (any Actor)?
    var sectionKeyPath: PartialKeyPath<Element>?
    /// Makes the titles, also for sequences of differences that are read elsewhere.
    let titleReader: TitleSource<SectionTitle>
    var descriptor: FetchDescriptor<Element>
    /// The models that are read together.
    let batch = ResultBatch()
    var shown: ShownResult
    /// How many results have been shown: what was made of the results is good while the number is the same.
    package private(set) var version = 0
    /// How often records of the results have been read, a batch at a time.
    package var readCount: Int { batch.reads }
    /// How many records of results have been read.
    package var readRecordCount: Int { batch.recordCount }
    var titles: SectionTitles<SectionTitle>
    /// What is shown: the result as it is saved, and the unsaved changes over it.
    var laid = LaidState(ResultState())
    /// What was unsaved when it was looked at last.
    var seen: UnsavedWatch.Version?
    /// How far the unsaved changes were that are laid over the result; nil where none are.
    var seenOverlay: OverlayVersion?
    /// Why the live result is not current.
    var readError: (any Error)?
    /// Why unsaved changes are not shown.
    var overlayError: (any Error)?
    /// Why ``descriptor`` is not what the live result follows.
    var descriptorError: (any Error)?
    var feeds: [WeakFeed] = []
    /// Who is told of every change beside the feeds.
    weak var listener: (any ResultsListener)?
    /// Runs each change of the results, with what goes with it.
    package var change: ((() -> Void) -> Void)?
    /// Whether deliveries are being taken in: what code that hears of one asks for is taken in after it.
    var isTaking = false
    var isAskedAgain = false
    private(set) var live: LiveResult?
    private var route: DeliveryRoute?

    /// The paths whose values are shown; nil for models, which show all.
    private let columns: [String]?

    /// Observes a descriptor on the main actor, in sections or not.
    ///
    /// - Throws: ``SwiftDataError`` where the descriptor cannot be run or the store cannot be read.
    @MainActor package convenience init(
        following descriptor: FetchDescriptor<Element>, sectionBy: PartialKeyPath<Element>?, in context: ModelContext
    ) throws {
        try self.init(descriptor, section: sectionBy, context: context, isolation: MainActor.shared)
    }

    init(
        _ descriptor: FetchDescriptor<Element>, section: PartialKeyPath<Element>?, context: ModelContext,
        isolation: (any Actor)?, columns: [String]? = nil
    ) throws {
        self.columns = columns
        modelContext = context
        self.isolation = isolation
        self.descriptor = descriptor
        sectionKeyPath = section
        let reader = SectionTitleReader<SectionTitle>(Element.self, section: section)
        titleReader = TitleSource(reader)
        do {
            let store = try context.store(of: Element.self)
            let binding = try store.containerStore.binding(for: ModelType.of(Element.self), in: store.store.catalog())
            shown = ShownResult(state: ResultState(), binding: binding, store: store, batch: batch)
            titles = SectionTitles(shown.state, reader: reader)
            try follow(descriptor, section: section)
        } catch {
            throw SwiftDataError(error)
        }
    }

    deinit {
        for feed in feeds { feed.feed?.finish() }
        // What is shown goes before its result, at whose end the rows are written out for those who still show them.
        shown = ShownResult(state: ResultState(), binding: shown.binding, store: shown.store, batch: batch)
        titles = SectionTitles(shown.state, reader: titleReader.reader)
        laid = LaidState(ResultState())
        live = nil
    }

    /// Begins to follow a descriptor, in the place of the one before: what leads there is in the next delivery.
    func follow(_ descriptor: FetchDescriptor<Element>, section: PartialKeyPath<Element>?) throws {
        let query = try query(descriptor, section: section)
        try shown.store.relationships.check(descriptor.relationshipKeyPathsForPrefetching, binding: shown.binding)
        if let live {
            try live.change(to: query)
            seen = nil
        } else {
            let route = DeliveryRoute(isolation: isolation, target: self)
            let live = try LiveResult(
                query, in: shown.store.store, isPlacedWhereTold: isolation != nil
            ) { _ in route.notify() }
            (self.live, self.route) = (live, route)
            shown.store.unsaved.add(route)
            // As before each fetch.
            modelContext.receiveChanges()
            laid = lay(over: live.start(), finder: live.finder)
            show(laid.state, finder: live.finder)
        }
        batch.prefetching = descriptor.relationshipKeyPathsForPrefetching
    }

    private func query(_ descriptor: FetchDescriptor<Element>, section: PartialKeyPath<Element>?) throws -> Query {
        var query = try descriptor.query(in: shown.binding.storeID)
        query.columns = columns
        if let sectionKeyPath = section {
            query.section = try ModelType.of(Element.self).sectionPath(of: sectionKeyPath)
            if sectionKeyPath is KeyPath<Element, String?> { query.sectionOfNil = .string("") }
        }
        return query
    }

    func show(_ state: ResultState, finder: RowFinder?) {
        version += 1
        shown = ShownResult(
            state: state, binding: shown.binding, store: shown.store, batch: batch, finder: finder)
        titles = SectionTitles(state, reader: titleReader.reader)
    }
}
