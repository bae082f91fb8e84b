import Foundation
import Synchronization

/// Tells a thread that waits when something came to a reader elsewhere.
final class Arrival: Sendable {
    private let last = Mutex(0.0)
    private let signal = DispatchSemaphore(value: 0)

    /// Something has come.
    func arrive() {
        let now = WorkClock.elapsed.now
        last.withLock { $0 = now }
        signal.signal()
    }

    /// Waits until something has come this many times.
    ///
    /// - Returns: when it came the last time.
    /// - Throws: where it has not come after a minute.
    func wait(for count: Int = 1) throws -> Double {
        for _ in 0..<count {
            guard signal.wait(timeout: .now() + 60) == .success else {
                throw BenchmarkError(description: "A change did not arrive within a minute.")
            }
        }
        return last.withLock { $0 }
    }
}
