import LoamViews
import NIOCore
import WorldFaces

/// Views in one page of a browser, and the stream to it: they last as long as its connection.
@MainActor final class Page {
    nonisolated let id: String
    /// What is to be sent. One event at most waits here, as the next is made when the page has the one before.
    nonisolated let events: AsyncStream<ServerSentEvent>
    private nonisolated let continuation: AsyncStream<ServerSentEvent>.Continuation
    private nonisolated let channel: any Channel
    private let mounted: MountedTree
    private var flow: PatchFlow

    /// Mounts a view for a connection.
    init<Root: View>(id: String, over channel: any Channel, root: Root) {
        (self.id, self.channel) = (id, channel)
        (events, continuation) = AsyncStream.makeStream(of: ServerSentEvent.self)
        mounted = MountedTree { root }
        flow = PatchFlow(page: id)
        mounted.onRender = { [weak self] in self?.show($0) }
        show(mounted.tree)
    }

    private func show(_ tree: FaceNode) {
        if let event = flow.show(tree, at: .now) { continuation.yield(event) }
    }

    /// The page has an event.
    func acknowledge(_ number: Int) {
        if let event = flow.acknowledge(number, at: .now) { continuation.yield(event) }
    }

    /// Does what the page asks for; false where the node does not have the action, or the value does not fit.
    func perform(_ request: PageRequest) -> Bool { mounted.perform(request) }

    /// Whether the page has not said within a time that it has its event.
    func isOverdue(_ limit: Duration, at now: ContinuousClock.Instant) -> Bool {
        flow.isOverdue(at: now, limit: limit)
    }

    /// Unmounts the views, and closes the connection, also where it takes nothing any more.
    func close() {
        mounted.unmount()
        continuation.finish()
        channel.close(promise: nil)
    }

    /// Unmounts the views of a connection that has ended.
    func end() {
        mounted.unmount()
        continuation.finish()
    }
}
