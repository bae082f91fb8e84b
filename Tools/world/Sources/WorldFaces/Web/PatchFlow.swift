/// What a page has been sent and what it has said that it has: one message is on its way at most, and the next is made
/// from the last one sent, however often the tree has changed in between. Memory: two trees.
public struct PatchFlow: Sendable {
    private let page: String
    /// The tree that the page has, or will have with the message on its way.
    private var sent: FaceNode?
    private var newest: FaceNode?
    /// The number of the message on its way, and since when.
    private var inFlight: (number: Int, since: ContinuousClock.Instant)?
    /// The number of the last message.
    public private(set) var number = 0

    /// The flow to a page that has nothing.
    public init(page: String) { self.page = page }

    /// Takes in what is shown now, and says what to send; nil where the page waits for an answer, or has it all.
    public mutating func show(_ tree: FaceNode, at now: ContinuousClock.Instant) -> ServerSentEvent? {
        newest = tree
        return next(at: now)
    }

    /// The page has a message. Says what to send next.
    ///
    /// - Returns: nil where there is nothing to send. A number that is not on its way changes nothing.
    public mutating func acknowledge(_ number: Int, at now: ContinuousClock.Instant) -> ServerSentEvent? {
        guard inFlight?.number == number else { return nil }
        inFlight = nil
        return next(at: now)
    }

    private mutating func next(at now: ContinuousClock.Instant) -> ServerSentEvent? {
        guard inFlight == nil, let newest else { return nil }
        let message: PageMessage
        if let sent {
            let patch = TreePatch(from: sent, to: newest)
            guard !patch.isEmpty else { return nil }
            message = .patch(patch)
        } else {
            message = .tree(page: page, newest)
        }
        sent = newest
        number += 1
        inFlight = (number, now)
        return ServerSentEvent(number: number, message: message)
    }

    /// Whether a message has been on its way for longer than a page that reads needs.
    public func isOverdue(at now: ContinuousClock.Instant, limit: Duration) -> Bool {
        inFlight.map { $0.since.duration(to: now) > limit } ?? false
    }
}
