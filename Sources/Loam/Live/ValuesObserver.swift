import LoamStorage
public import Observation

/// A fetch of values whose result stays current: aggregates, groups, values of properties, or identifiers. It follows
/// what a ``ResultsObserver`` follows, unsaved changes of its context included, and makes no object.
///
/// ```swift
/// let figures = try ValuesObserver(.count, .sum(\City.population), where: large, modelContext: context)
/// for await (count, people) in figures.changes { print(count, people) }
/// ```
///
/// What a save changed is taken from the records that it wrote and replaced, with no look at the store: numbers of
/// models, sums and averages of integers and decimals, and all of that by groups, O(1) for each changed model, whatever the
/// number of models. Memory is kept for each group. Otherwise:
///
/// | what | when | cost |
/// |---|---|---|
/// | sums and averages of `Float` and `Double` | a value of one of their models changes | as the fetch: they are rounded after each addition, in the order of identifiers, so that nothing can be taken back out of them |
/// | a least or greatest value | its model goes, or has another value | a look-up where an index serves the group and the order, else a pass over the models |
/// | whatever reads related models | one of these, or a model of the result, changes | as the fetch |
/// | all aggregates and groups | another process saves a change of the models; a value that counts is so long that it lies outside of its record; the schema changes | as the fetch |
/// | values of properties | always | a look-up for each changed model; each combination once, as the fetch |
/// | unsaved changes | always | O(unsaved changes), and as the fetch where they take a least or greatest value away, or change a sum of floating-point numbers |
///
/// Making ``values`` costs O(values), and sorting for groups. They change on the isolation that made the observer, never
/// on the thread that saved; an observer that was made outside of any isolation changes in ``refresh()`` alone. It
/// follows until it is let go.
public final class ValuesObserver<Values>: Observable {
    /// The context whose unsaved changes count.
    public let modelContext: ModelContext

    let registrar = PartRegistrar()
    let source: any ValuesSource
    private let make: ([ValuesRow]) throws -> Values
    private var last: Values
    /// Whether ``last`` is not what the source has.
    private var isStale = false
    private var feeds: [Feed] = []

    /// A sequence of changes.
    struct Feed {
        /// Hands the values on; returns whether somebody still waits for them.
        let tell: (ValuesObserver) -> Bool
        let finish: () -> Void
    }

    init(_ source: any ValuesSource, context: ModelContext, make: @escaping ([ValuesRow]) throws -> Values) throws {
        (modelContext, self.source, self.make) = (context, source, make)
        last = try make(source.rows)
        source.listener = self
    }

    deinit { for feed in feeds { feed.finish() } }

    /// The values as of the last change, as a fetch gives them. Made when they are asked for, once for each change.
    public var values: Values {
        registrar.access(\.values)
        // What was made of the same columns before can be made again.
        if isStale, let new = try? make(source.rows) { last = new }
        isStale = false
        return last
    }

    /// Why the values could not be brought up to date; nil where they were, the last time. They stay as they were: where
    /// the store could not be read, until the next save that concerns them, and where a sum does not fit into its type,
    /// until it does.
    public var fetchError: (any Error)? {
        registrar.access(\.fetchError)
        return source.error.map { SwiftDataError($0) }
    }

    /// Takes in, at once, everything that was saved before the call, by other processes too, and what is unsaved. Where
    /// that fails, ``fetchError`` says why.
    public func refresh() { source.refresh() }

    func add(_ feed: Feed) { feeds.append(feed) }
}

extension ValuesObserver where Values: Sendable {
    /// A sequence of the values after each change from now on; it ends with the observer. Several changes that nobody
    /// has taken are one: the newest values. Every use makes a sequence of its own.
    public var changes: AsyncStream<Values> {
        let (stream, continuation) = AsyncStream.makeStream(of: Values.self, bufferingPolicy: .bufferingNewest(1))
        add(
            Feed {
                if case .terminated = continuation.yield($0.values) { false } else { true }
            } finish: {
                continuation.finish()
            })
        return stream
    }
}

extension ValuesObserver: ValuesListener {
    func rowsDidChange() {
        registrar.withMutation(of: \.values) { isStale = true }
        feeds.removeAll { !$0.tell(self) }
    }

    func errorDidChange() { registrar.withMutation(of: \.fetchError) {} }
}
