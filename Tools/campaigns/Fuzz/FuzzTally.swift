import Synchronization

/// What a batch of inputs came to, or all of them.
struct FuzzCounts {
    var inputs = 0
    /// Those that were read without an error.
    var read = 0
    /// Predicates on which plain Swift had an opinion.
    var judgedBySwift = 0
    var faults = 0
}

/// The sum over batches that run at once. Any thread may use it.
final class FuzzTally: Sendable {
    private let counts = Mutex(FuzzCounts())

    var inputs: Int { counts.withLock { $0.inputs } }
    var read: Int { counts.withLock { $0.read } }
    var faults: Int { counts.withLock { $0.faults } }
    var judgedBySwift: Int { counts.withLock { $0.judgedBySwift } }

    func add(_ batch: FuzzCounts) {
        counts.withLock {
            $0.inputs += batch.inputs
            $0.read += batch.read
            $0.judgedBySwift += batch.judgedBySwift
            $0.faults += batch.faults
        }
    }
}
