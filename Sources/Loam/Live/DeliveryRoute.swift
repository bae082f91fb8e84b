/// Takes deliveries in on the isolation that they were made for.
protocol DeliveryTarget: AnyObject {
    func takeDeliveries()
}

/// The way from the thread that made a delivery to an observer's isolation.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `isolation` | nobody | `init` | the actor goes, which may own the observer and is not kept |
/// | `target` | the observer's isolation | `init`, before the first delivery | the observer goes |
final class DeliveryRoute: UnsavedListener, @unchecked Sendable {
    private weak let isolation: (any Actor)?
    private weak var target: (any DeliveryTarget)?

    /// - Parameter isolation: where the target is called. With nil it is never called, and asks by itself.
    init(isolation: (any Actor)?, target: any DeliveryTarget) {
        self.isolation = isolation
        self.target = target
    }

    /// There is something to take.
    func notify() {
        guard let isolation else { return }
        // Begun here, the task goes straight to the isolation: no thread of the pool has to wake before. It is nowhere
        // near the target until it is there.
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            Task.immediate { await notify(on: isolation) }
        } else {
            Task { await notify(on: isolation) }
        }
    }

    private func notify(on isolation: isolated any Actor) {
        target?.takeDeliveries()
    }
}
