import Foundation
import LMDB
import Synchronization

/// One piece of work for the store's writer. Jobs that wait together share a transaction, each with its own outcome.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `outcome` | `outcome`'s mutex | the writer, once, after the commit | for ever |
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
    private let outcome = Mutex<(result: Result<Void, any Error>?, waiter: CheckedContinuation<Void, any Error>?)>(
        (nil, nil))

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
        let waiter = outcome.withLock { state in
            state.result = result
            return state.waiter
        }
        waiter?.resume(with: result)
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
