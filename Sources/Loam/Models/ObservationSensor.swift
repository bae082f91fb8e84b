import Observation
import Synchronization

/// Tells whether property accesses are being tracked on this thread, without an object having a registrar for it.
///
/// Making an `ObservationRegistrar` costs as much as making the object; most objects are read and never observed. The
/// Observation library does not say whether `withObservationTracking` is running, but it hashes the key path of an
/// access exactly when it is. So a registrar that all objects share is asked for a key path whose only argument notices
/// that it is hashed. A thread that notices another one's tracking takes the long way, which is never wrong.
enum ObservationSensor {
    /// What is asked. The objects are never given back, so that asking counts no references.
    private struct Probe: @unchecked Sendable {
        private let argument = Unmanaged.passRetained(HashedArgument())
        private let registrar = UnsafeMutablePointer<Asked>.allocate(capacity: 1)
        private let keyPath: Unmanaged<KeyPath<Sensor, Bool>>
        /// Whether the library does hash key paths of tracked accesses. Where it does not, every access counts as
        /// tracked.
        private(set) var works = false

        init() {
            registrar.initialize(to: Asked())
            keyPath = .passRetained(\Sensor[argument.takeUnretainedValue()])
            works = withObservationTracking {
                notices
            } onChange: {
            }
        }

        /// Whether the key path is hashed when the registrar is asked for it.
        @inline(__always)
        var notices: Bool {
            argument._withUnsafeGuaranteedRef { argument in
                let before = argument.count
                keyPath._withUnsafeGuaranteedRef { registrar.pointee.access($0) }
                return argument.count != before
            }
        }
    }

    private static let probe = Probe()

    /// About 10 ns.
    static var isTracking: Bool {
        let probe = probe
        return probe.works ? probe.notices : true
    }
}

/// A registrar that is asked where it lies: one that may be copied is, for each access.
private struct Asked: ~Copyable {
    private let registrar = ObservationRegistrar()

    @inline(__always)
    borrowing func access(_ keyPath: KeyPath<Sensor, Bool>) { registrar.access(Sensor(), keyPath: keyPath) }
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
