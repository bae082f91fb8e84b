import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What `watch` waits for: news of the result, somebody who asks it to end, a reader who goes away.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `state` | its mutex | the threads of ``Signals``; ``begin()`` | the process ends |
final class WatchEvents: Sendable {
    private enum End {
        case asked, closedOutput
    }

    private struct State {
        var end: End?
        var hasBegun = false
    }

    private let arrival = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    /// Takes signals over from now on, and watches the output. Called on the main thread, before there are others that
    /// could hear a signal.
    func followSignals() {
        Signals.whenAsked { [self] in note(.asked) }
        Signals.whenOutputCloses { [self] in note(.closedOutput) }
    }

    private func note(_ end: End) {
        state.withLock { state in
            // However long the first reading takes: nothing is printed yet.
            if end == .asked, !state.hasBegun { _exit(0) }
            if state.end == nil { state.end = end }
        }
        arrival.signal()
    }

    /// Notes that output is written from now on, which a signal must not cut off.
    func begin() { state.withLock { $0.hasBegun = true } }

    /// Called by the result.
    func noteNews() { arrival.signal() }

    /// Whether the process goes on: it was not asked to end.
    /// - Throws: ``OutputError`` where nobody can read the output any more.
    func goesOn() throws -> Bool {
        switch state.withLock(\.end) {
        case nil: return true
        case .asked: return false
        case .closedOutput: throw OutputError(OutputDescriptor.standard.path, code: EPIPE)
        }
    }

    /// Waits; returns whether the process goes on, as ``goesOn()`` does. There may be no news.
    func wait() throws -> Bool {
        arrival.wait()
        return try goesOn()
    }
}
