import Synchronization

/// What a round of queries has done, or all of them.
struct QueryCounts {
    var queries = 0
    var plans = 0
    var kept = 0
    var faults = 0
}

/// The sum over rounds that run at once. Any thread may use it.
final class QueryTally: Sendable {
    private let counts = Mutex(QueryCounts())

    var queryCount: Int { counts.withLock { $0.queries } }
    var planCount: Int { counts.withLock { $0.plans } }
    var keptCount: Int { counts.withLock { $0.kept } }
    var faultCount: Int { counts.withLock { $0.faults } }

    func add(_ round: QueryCounts) {
        counts.withLock {
            $0.queries += round.queries
            $0.plans += round.plans
            $0.kept += round.kept
            $0.faults += round.faults
        }
    }
}
