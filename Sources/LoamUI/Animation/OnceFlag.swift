import Synchronization

/// A flag that is set once and stays. Any thread may set and read it.
final class OnceFlag: Sendable {
    private let value = Atomic(false)

    func load() -> Bool { value.load(ordering: .acquiring) }

    func set() { value.store(true, ordering: .releasing) }
}
