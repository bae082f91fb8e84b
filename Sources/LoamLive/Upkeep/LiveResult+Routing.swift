package import LoamStorage
import Synchronization

extension LiveResult {
    /// How many results of the file a commit may have touched: what the engine tells before it looks at any of them, and
    /// what a commit costs that touches none. O(results that look at all rows of its entities + changed rows · log of the
    /// results that read ranges).
    ///
    /// - Parameter snapshot: one that has the commit.
    package func countOfTouchedResults(by set: ChangeSet, in snapshot: Snapshot) -> Int {
        engine.members.withLock(\.routes).route(set, in: snapshot).due.count
    }
}
