import Synchronization

/// Holds the result that a job hands to the thread that waits for it.
final class Box<Content: Sendable>: Sendable {
    private let content = Mutex<Content?>(nil)

    var value: Content? {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}
