import Foundation

/// Takes rows that are made faster than their reader takes them.
protocol PacedOutput: AnyObject {
    /// Takes bytes over without waiting for the reader.
    func send(_ bytes: [UInt8]) throws
    /// Whether there is room for more, at once or before the deadline.
    func hasRoom(until deadline: ContinuousClock.Instant) throws -> Bool
    /// Returns when the reader has taken everything, however long that is.
    func waitUntilTaken() throws
}

/// Standard output written by a thread of its own, so that the one that reads the store waits for nobody.
///
/// | State | Guarded by | Written by | Until |
/// |---|---|---|---|
/// | `waiting`, `isWriting`, `failure` | `condition` | both threads | the process ends |
/// | `mayBeFull` | used by the thread that sends, alone | it | the process ends |
final class WriterThread: PacedOutput, @unchecked Sendable {
    /// The most bytes that wait for the reader: so much of a result is of one state, however slow the reader is.
    static let room = 4 << 20

    private let descriptor: OutputDescriptor
    private let condition = NSCondition()
    private var waiting: [UInt8] = []
    private var isWriting = false
    private var failure: (any Error)?
    /// Whether there was too much when bytes came in last. No other thread adds any.
    private var mayBeFull = false

    init(_ descriptor: OutputDescriptor) {
        self.descriptor = descriptor
        Thread.detachNewThread { [self] in writeAlways() }
    }

    func send(_ bytes: [UInt8]) throws {
        try condition.withLock {
            waiting += bytes
            mayBeFull = waiting.count > Self.room
            condition.broadcast()
            if let failure { throw failure }
        }
    }

    func hasRoom(until deadline: ContinuousClock.Instant) throws -> Bool {
        guard mayBeFull else { return true }
        return try condition.withLock {
            while failure == nil, waiting.count > Self.room {
                let left = ContinuousClock.now.duration(to: deadline) / .seconds(1)
                guard left > 0 else { return false }
                _ = condition.wait(until: Date(timeIntervalSinceNow: left))
            }
            if let failure { throw failure }
            mayBeFull = false
            return true
        }
    }

    func waitUntilTaken() throws {
        try condition.withLock {
            while failure == nil, !waiting.isEmpty || isWriting { condition.wait() }
            if let failure { throw failure }
        }
    }

    private func writeAlways() {
        while true {
            let bytes = condition.withLock {
                while waiting.isEmpty || failure != nil { condition.wait() }
                defer { waiting = [] }
                isWriting = true
                return waiting
            }
            let result = Result { try descriptor.write(bytes) }
            condition.withLock {
                isWriting = false
                if case .failure(let error) = result { failure = error }
                condition.broadcast()
            }
        }
    }
}
