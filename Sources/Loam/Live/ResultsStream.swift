/// What changes in a ``ResultsObserver``, one element at a time: what ``ResultsObserver/makeDifferences()`` and
/// ``ResultsObserver/changes`` give.
///
/// ```swift
/// for await difference in observer.makeDifferences() {
///     print(difference.insertions)
/// }
/// ```
///
/// An element is made where it is asked for: a reader on the observer's isolation takes it there, with no other thread
/// between. One that tells of more than a thousand rows is made off the reader's isolation. An element is one for all
/// that has changed since the last: nothing piles up where nobody reads.
///
/// The sequence ends with its observer, and where the task that waits is cancelled. Two readers of one sequence share its
/// elements: each goes to one of them.
public struct ResultsStream<Element>: AsyncSequence, Sendable {
    /// Nothing is thrown: what cannot be read is the observer's ``ResultsObserver/fetchError``.
    public typealias Failure = Never

    /// Where the elements come from, and what makes them, on any isolation.
    fileprivate struct Source: Sendable {
        let feed: DifferenceFeed
        let make: @Sendable (DifferenceFeed.Step) -> sending Element
    }

    /// Nil where there is nothing to come.
    private let source: Source?

    /// - Parameter make: makes the element of a step, on any isolation.
    init(_ feed: DifferenceFeed, _ make: @escaping @Sendable (DifferenceFeed.Step) -> sending Element) {
        source = Source(feed: feed, make: make)
    }

    private init() { source = nil }

    /// A sequence without elements.
    package static var ended: ResultsStream { ResultsStream() }

    /// An iterator; those of one sequence share its elements.
    public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

    /// Takes the elements of a ``ResultsStream``.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate let source: Source?

        /// As ``next(isolation:)``; the element is made on no actor.
        public mutating func next() async -> Element? { await next(isolation: nil) }

        /// The next element; waits until there is one. Nil once the observer is gone, or the task is cancelled.
        ///
        /// - Parameter actor: the reader's isolation, where the task stays.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
            guard let source else { return nil }
            return await source.feed.next(isolation: actor, as: source.make)
        }
    }
}
