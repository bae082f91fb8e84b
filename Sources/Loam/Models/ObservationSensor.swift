import Observation
import Synchronization

/// Tells whether property accesses are being tracked on this thread, without an object having a registrar for it.
///
/// Making an `ObservationRegistrar` costs as much as making the object; most objects are read and never observed. The
/// Observation library does not say whether `withObservationTracking` is running, but it hashes the key path of an
/// access exactly when it is. So a registrar that all objects share is asked for a key path whose only argument notices
/// that it is hashed. A thread that notices another one's tracking takes the long way, which is never wrong.
enum ObservationSensor {
    private static let argument = HashedArgument()
    private static let registrar = ObservationRegistrar()
    /// Key paths are immutable, and its argument is safe to use from any thread.
    nonisolated(unsafe) private static let keyPath: KeyPath<Sensor, Bool> = \Sensor[argument]
    /// Whether the library does hash key paths of tracked accesses. Where it does not, every access counts as tracked.
    private static let works: Bool = {
        let before = argument.count
        withObservationTracking {
            registrar.access(Sensor(), keyPath: keyPath)
        } onChange: {
        }
        return argument.count != before
    }()

    /// About 20 ns.
    static var isTracking: Bool {
        guard works else { return true }
        let before = argument.count
        registrar.access(Sensor(), keyPath: keyPath)
        return argument.count != before
    }
}

private struct Sensor: Observable {
    subscript(argument: HashedArgument) -> Bool { false }
}

/// Counts how often it is hashed.
private final class HashedArgument: Hashable, Sendable {
    private let hashed = Atomic<Int>(0)

    var count: Int { hashed.load(ordering: .relaxed) }

    static func == (left: HashedArgument, right: HashedArgument) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hashed.add(1, ordering: .relaxed) }
}
