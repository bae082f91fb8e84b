import LoamLive
import Synchronization

/// Takes deliveries in on the isolation that they were made for.
protocol DeliveryTarget: AnyObject {
    func takeDeliveries()
}

/// Deliveries on their way from the thread that made them to an observer's isolation.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `waiting` | its mutex | the live result's thread; emptied on the observer's isolation | the observer goes |
/// | `target` | the observer's isolation | `init`, before the first delivery | the observer goes |
final class DeliveryInbox: @unchecked Sendable {
    private struct Waiting {
        var deliveries: [Result<LiveUpdate, any Error>] = []
        var isScheduled = false
    }

    private let waiting = Mutex(Waiting())
    private let isolation: (any Actor)?
    private weak var target: (any DeliveryTarget)?

    /// - Parameter isolation: where the target is called; nil for nowhere: it asks by itself.
    init(isolation: (any Actor)?, target: any DeliveryTarget) {
        self.isolation = isolation
        self.target = target
    }

    func append(_ delivery: Result<LiveUpdate, any Error>) {
        let isFirst = waiting.withLock { waiting in
            waiting.deliveries.append(delivery)
            defer { waiting.isScheduled = true }
            return !waiting.isScheduled
        }
        guard isFirst, let isolation else { return }
        Task { await notify(on: isolation) }
    }

    /// All that came since the last call, in order.
    func take() -> [Result<LiveUpdate, any Error>] {
        waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return waiting.deliveries
        }
    }

    private func notify(on isolation: isolated any Actor) {
        target?.takeDeliveries()
    }
}
