import LoamLive
import LoamQuery
import LoamStorage
public import Observation

/// A fetch whose result stays current: after every save of any context in the process, without asking again. On Linux
/// saves of other processes are seen as they are made, while the file is written to at most once a second; elsewhere
/// with the next save of this one, or by ``refresh()``.
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
/// alone. An actor may own its observer, which does not keep it. Unsaved changes are not part of the results.
/// Sections come in the order of the stored values that are their titles, in the direction of the sort descriptor on
/// the same property, ascending without one. Title types are any that can be stored and compared. Use `Never` for
/// results without sections.
///
/// The observer follows until it is let go.
public final class ResultsObserver<Element: PersistentModel, SectionTitle: Hashable & SendableMetatype>: Observable {
    /// The context that makes the models.
    public let modelContext: ModelContext

    let registrar = ObservationRegistrar()
    private weak let isolation: (any Actor)?
    var sectionKeyPath: PartialKeyPath<Element>?
    /// Makes the titles, also for sequences of differences that are read elsewhere.
    let titleReader: TitleSource<SectionTitle>
    var descriptor: FetchDescriptor<Element>
    var shown: ShownResult
    var titles: SectionTitles<SectionTitle>
    /// Why the live result is not current.
    var readError: (any Error)?
    /// Why ``descriptor`` is not what the live result follows.
    var descriptorError: (any Error)?
    var feeds: [WeakFeed] = []
    /// Who is told of every change beside the feeds.
    weak var listener: (any ResultsListener)?
    /// Whether deliveries are being taken in: what code that hears of one asks for is taken in after it.
    var isTaking = false
    private(set) var live: LiveResult?

    init(
        _ descriptor: FetchDescriptor<Element>, section: PartialKeyPath<Element>?, context: ModelContext,
        isolation: (any Actor)?
    ) throws {
        modelContext = context
        self.isolation = isolation
        self.descriptor = descriptor
        sectionKeyPath = section
        let reader = SectionTitleReader<SectionTitle>(Element.self, section: section)
        titleReader = TitleSource(reader)
        do {
            let store = try context.store(of: Element.self)
            let binding = try store.containerStore.binding(for: ModelType.of(Element.self), in: store.store.catalog())
            shown = ShownResult(state: ResultState(), binding: binding, store: store)
            titles = SectionTitles(shown.state, reader: reader)
            try follow(descriptor, section: section)
        } catch {
            throw SwiftDataError(error)
        }
    }

    deinit {
        live?.cancel()
        for feed in feeds { feed.feed?.finish() }
    }

    /// Begins to follow a descriptor, in the place of the one before: what leads there is in the next delivery.
    func follow(_ descriptor: FetchDescriptor<Element>, section: PartialKeyPath<Element>?) throws {
        let query = try query(descriptor, section: section)
        if let live {
            try live.change(to: query)
        } else {
            let route = DeliveryRoute(isolation: isolation, target: self)
            let live = try LiveResult(query, in: shown.store.store) { _ in route.notify() }
            self.live = live
            show(live.start())
        }
    }

    private func query(_ descriptor: FetchDescriptor<Element>, section: PartialKeyPath<Element>?) throws -> Query {
        var query = try descriptor.query(in: shown.binding.storeID)
        if let sectionKeyPath = section {
            let model = ModelType.of(Element.self)
            guard let name = model.name(of: sectionKeyPath) ?? model.functionPath(of: sectionKeyPath) else {
                throw SwiftDataError(
                    .unsupportedKeyPath,
                    detail: "\(sectionKeyPath) is no stored property of \(query.entity), and no function of one.")
            }
            query.section = name
            if sectionKeyPath is KeyPath<Element, String?> { query.sectionOfNil = .string("") }
        }
        return query
    }

    func show(_ state: ResultState) {
        shown = ShownResult(state: state, binding: shown.binding, store: shown.store, finder: live?.finder)
        titles = SectionTitles(state, reader: titleReader.reader)
    }
}
