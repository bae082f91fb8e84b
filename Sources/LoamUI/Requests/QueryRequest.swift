public import Loam
import Observation

/// What `@Query` does, without a host: follows a fetch in a context, and is told at each render what is asked for now.
///
/// ```swift
/// let request = QueryRequest<[City]>(FetchDescriptor(sortBy: [SortDescriptor(\.name)]))
/// request.update(in: context)
/// print(request.result.count, request.fetchError as Any)
/// request.descriptor.fetchLimit = 10
/// ```
///
/// It fetches from the first ``update(in:)`` on, and follows until it is let go. What it gives is tracked: who reads within
/// `withObservationTracking` hears of the next change. A result is made once for each change, when it is read.
///
/// A request that asks for the same as the one before keeps its result without a fetch. "The same" is that of the trees
/// that the store would run, and of the captured values; a predicate that the store cannot run is the same as another that
/// it cannot run for the same reason. Another one leads on in one difference, in the same turn.
@MainActor
public final class QueryRequest<Result: QueryResult>: LiveRequest {
    /// The models that are fetched.
    public typealias Model = Result.Model

    /// What is asked for by now: what was given last, or what was set in place since.
    private(set) var asked: Swift.Result<FetchDescriptor<Model>, SwiftDataError>
    private var sectionBy: PartialKeyPath<Model>?
    private var given: GivenRequest<Model>
    /// How often another request was given.
    private(set) var givenCount = 0
    private var givenForm: ComparableRequest?
    private(set) var context: ModelContext?
    private(set) var observer: ResultsObserver<Model, Result.SectionTitle>?
    private var openingError: (any Error)?
    /// Whether what is asked for is not yet what the observer follows.
    private var isBehind = true
    private var kept: (version: Int, result: Result)?
    /// How many results have been made: what was made of one is good while the number is the same.
    private(set) var resultCount = 0
    private let registrar = PartRegistrar()
    /// How often the store has been asked.
    private(set) var fetchCount = 0
    /// How often records of the result have been read, a batch at a time.
    var readCount: Int { observer?.readCount ?? 0 }
    /// How many records of the result have been read: work that campaigns count.
    package var readRecordCount: Int { observer?.readRecordCount ?? 0 }

    /// A request that has not begun to fetch. O(1).
    ///
    /// - Parameters:
    ///   - descriptor: what to fetch.
    ///   - sectionBy: the property whose values are the titles of the sections, for a result with sections.
    public convenience init(
        _ descriptor: FetchDescriptor<Model> = FetchDescriptor(), sectionBy: PartialKeyPath<Model>? = nil
    ) {
        self.init(GivenRequest(.success(descriptor), sectionBy: sectionBy))
    }

    /// Begins with what a wrapper was made with; fetches nothing yet. O(1).
    public init(_ given: GivenRequest<Model>) {
        self.given = given
        (asked, sectionBy) = (given.fetch, given.sectionBy)
    }

    /// Follows the request in a context: begins with the first call, and begins anew with another context. Otherwise O(1).
    public func update(in context: ModelContext) { update(to: given, in: context) }

    /// Follows another request, unless it asks for the same as the last one that was passed: what was set in place stays
    /// then. Costs a walk over the predicate, and the fetch where it is another.
    public func update(
        to descriptor: FetchDescriptor<Model>, sectionBy: PartialKeyPath<Model>? = nil, in context: ModelContext
    ) {
        update(to: GivenRequest(.success(descriptor), sectionBy: sectionBy), in: context)
    }

    /// Follows what a wrapper was made with, unless it asks for the same as the last one: what was set in place stays then.
    public func update(to given: GivenRequest<Model>, in context: ModelContext) {
        let (isElsewhere, isRemade) = (context !== self.context, given !== self.given)
        guard isElsewhere || isRemade else { return }
        // What was given before is compared as it read when it was given, where that was in the same store.
        let former = isElsewhere ? ComparableRequest(self.given, in: context) : givenForm
        let form = isRemade ? ComparableRequest(given, in: context) : former
        (self.given, givenForm) = (given, form)
        if form != former {
            (asked, sectionBy) = (given.fetch, given.sectionBy)
            givenCount += 1
        }
        guard isElsewhere || form != former else { return }
        isBehind = true
        if isElsewhere { registrar.withMutation(of: \.results) { move(to: context) } }
        catchUp()
    }

    private func move(to context: ModelContext) { (self.context, observer, kept) = (context, nil, nil) }

    /// What is fetched. Setting it is shown in the same turn, with one fetch for all that is set until the result is read
    /// or the turn ends; it stays until ``update(to:sectionBy:in:)`` passes another request. An empty descriptor where
    /// what was asked for could not be read.
    public var descriptor: FetchDescriptor<Model> {
        get {
            registrar.access(\.fetchDescriptor)
            return (try? asked.get()) ?? FetchDescriptor()
        }
        set { ask(.success(newValue)) }
    }

    /// The result of the last fetch, followed since; an empty one before the first. What that costs, ``QueryResult`` says.
    public var result: Result {
        catchUp()
        registrar.access(\.results)
        guard let observer else { return Result(results: .empty, sections: .empty) }
        let (results, sections) = (observer.results, observer.sections ?? .empty)
        if let kept, kept.version == observer.version { return kept.result }
        let result = Result(results: results, sections: sections)
        kept = (observer.version, result)
        resultCount += 1
        return result
    }

    /// Has who asks told when the result is another, and reads no model. O(1).
    func track() {
        registrar.access(\.results)
        _ = observer?.results
    }

    /// Why the result is not what is asked for; nil where it is. The last good result is kept. O(1).
    public var fetchError: (any Error)? {
        catchUp()
        registrar.access(\.fetchError)
        if case .failure(let error) = asked { return error }
        return openingError ?? observer?.fetchError
    }

    /// The sections of the result; none without sections. O(1).
    public var sections: SectionedResults<Model, Result.SectionTitle> {
        catchUp()
        registrar.access(\.results)
        return observer?.sections ?? .empty
    }

    /// A sequence of what changes from now on; an empty one before the first fetch. It ends with the request, or where the
    /// request goes to another context. As `ResultsObserver.makeDifferences()`.
    public func makeDifferences() -> ResultsStream<ResultsDifference<Result.SectionTitle>> {
        catchUp()
        return observer?.makeDifferences() ?? .ended
    }

    /// What changes of the result are shown with, where nothing else is in force.
    private var transaction: Transaction? { given.transaction }

    /// Asks for something else, in place.
    func ask(_ fetch: Swift.Result<FetchDescriptor<Model>, SwiftDataError>) {
        registrar.withMutation(of: \.fetchDescriptor) { asked = fetch }
        isBehind = true
        registrar.withMutation(of: \.results) {}
        registrar.withMutation(of: \.fetchError) {}
        // Where nobody reads the result, those who wait for differences get them all the same.
        Task { [weak self] in self?.catchUp() }
    }

    /// Follows what is asked for.
    private func catchUp() {
        guard isBehind, let context else { return }
        isBehind = false
        guard case .success(let descriptor) = asked else { return }
        fetchCount += 1
        if let observer { observer.follow(descriptor, sectionBy: sectionBy) } else { open(descriptor, in: context) }
    }

    /// The same as ``result``.
    public var value: Result { result }

    /// The same as ``descriptor``.
    public var settings: FetchDescriptor<Model> {
        get { descriptor }
        set { descriptor = newValue }
    }

    /// Shows nothing, for want of a context.
    public func stop(because error: any Error) {
        guard context != nil || openingError == nil else { return }
        isBehind = true
        registrar.withMutation(of: \.results) { (context, observer, kept) = (nil, nil, nil) }
        registrar.withMutation(of: \.fetchError) { openingError = error }
    }

    /// Runs a change of the result within the transaction in force, else within the request's own.
    private func run(_ change: () -> Void) {
        if Transaction.inherited == nil, let transaction { Transaction.run(transaction, change) } else { change() }
    }

    private func open(_ descriptor: FetchDescriptor<Model>, in context: ModelContext) {
        openingError = nil
        do {
            observer = try ResultsObserver(following: descriptor, sectionBy: sectionBy, in: context)
            observer?.change = { [weak self] change in
                MainActor.assumeIsolated { if let self { self.run(change) } else { change() } }
            }
        } catch {
            openingError = error
        }
    }
}
