import Dispatch
import Foundation
import LMDB
import Synchronization

/// One piece of work for the store's writer. Jobs that wait together share a transaction, each with its own outcome.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `outcome` | `outcome`'s mutex | the writer, once, after the commit; whoever waits | for ever |
final class WriterJob: Sendable {
    typealias Body = @Sendable (inout WriteTransaction, WriterState) throws -> Void

    /// Runs inside the transaction, again after an abort that another job caused. It throws before its first change
    /// (`state.hasWritten` is false) where it can.
    let body: Body
    /// Whether it deletes and writes nothing else, so that it may use the reserve of a full map.
    let isDeletion: Bool
    /// Whether the commit must be on the disk whatever the store's durability.
    let mustBeDurable: Bool
    /// Whether it wants a transaction to itself.
    let isExclusive: Bool
    /// Whether it changes blocks of indexes by ``WriterState/apply(_:to:in:)`` alone, if at all.
    let isSave: Bool
    private let outcome = Mutex(Outcome())

    private struct Outcome {
        var result: Result<Void, any Error>?
        /// Of a task that is suspended until then.
        var waiter: CheckedContinuation<Void, any Error>?
        /// Whether a thread blocks for the job, or is about to.
        var blocks = false
        /// What it blocks on.
        var arrival: DispatchSemaphore?
        /// Whether that thread is to run what waits.
        var leads = false
    }

    init(
        isDeletion: Bool = false, mustBeDurable: Bool = false, isExclusive: Bool = false, isSave: Bool = false,
        body: @escaping Body
    ) {
        self.isSave = isSave
        self.body = body
        self.isDeletion = isDeletion
        self.mustBeDurable = mustBeDurable
        self.isExclusive = isExclusive
    }

    /// The outcome, or nil while the job waits or runs.
    var result: Result<Void, any Error>? { outcome.withLock { $0.result } }

    func finish(_ result: Result<Void, any Error>) {
        let (waiter, arrival) = outcome.withLock { state in
            state.result = result
            return (state.waiter, state.arrival)
        }
        waiter?.resume(with: result)
        arrival?.signal()
    }

    /// Says that the caller's thread is going to block for the job; before the job is given to the writer.
    func willBlock() { outcome.withLock { $0.blocks = true } }

    /// Blocks until the job is finished, or the thread is to run what waits. Returns whether it is to.
    func blockForTurn() -> Bool {
        let arrival = outcome.withLock { state -> DispatchSemaphore? in
            guard state.result == nil, !state.leads else { return nil }
            let arrival = DispatchSemaphore(value: 0)
            state.arrival = arrival
            return arrival
        }
        arrival?.wait()
        return outcome.withLock { $0.leads && $0.result == nil }
    }

    /// Makes the thread that blocks for the job run what waits; false where none does.
    func lead() -> Bool {
        let (blocks, arrival) = outcome.withLock { state in
            state.leads = state.blocks
            return (state.blocks, state.arrival)
        }
        arrival?.signal()
        return blocks
    }

    /// Suspends until the job is finished; one waiter at the most.
    func wait() async throws {
        try await withCheckedThrowingContinuation { continuation in
            let result = outcome.withLock { state in
                if state.result == nil { state.waiter = continuation }
                return state.result
            }
            if let result { continuation.resume(with: result) }
        }
    }
}
