import LMDB
import Synchronization

/// The sums of indexes as some snapshot last had them, and what commits have changed since: the next snapshot takes
/// them over, and reads only the runs that changed.
///
/// Commits are known by the numbers of their transactions, which count up by one. Where one between two snapshots is
/// not among those that were noted (another process made it, or it did more than save rows), the sums are read as a
/// whole.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `sums` | its mutex | whoever has read newer ones | the store is closed |
/// | `commits` | its mutex | the writer after a commit | ``mostRuns`` or ``mostCommits`` came behind it |
///
/// The mutex is held for look-ups only, never while the file is read.
final class KeptSums: Sendable {
    fileprivate struct State {
        var sums: [IndexID: (transaction: Int, sums: IndexSums)] = [:]
        /// The last commits, each a transaction after the one before.
        var commits: [Commit] = []
        /// Runs that all of them have changed.
        var runCount = 0
    }

    fileprivate struct Commit {
        let transaction: Int
        let runs: [IndexID: [[UInt8]]]

        var runCount: Int { runs.reduce(0) { $0 + $1.value.count } }
    }

    private let state = Mutex(State())
    private static let mostCommits = 256
    private static let mostRuns = 4_096

    /// Notes a commit that changed these runs of blocks and no others, each by its separator; it may be gone.
    func note(_ runs: [IndexID: [[UInt8]]], transaction: Int) {
        let commit = Commit(transaction: transaction, runs: runs)
        state.withLock { state in
            if let last = state.commits.last, last.transaction + 1 != transaction {
                state.commits.removeAll()
                state.runCount = 0
            }
            state.commits.append(commit)
            state.runCount += commit.runCount
            while state.commits.count > Self.mostCommits || state.runCount > Self.mostRuns {
                state.runCount -= state.commits.removeFirst().runCount
            }
        }
    }

    /// The sums of an index in a transaction. O(runs that changed since they were last read x log n), else O(runs).
    ///
    /// - Parameter runsRead: counts the runs whose sums are read.
    func sums(
        of index: IndexID, in transaction: borrowing ReadTransaction, databases: IndexDatabases, runsRead: inout Int
    ) throws -> IndexSums {
        let number = transaction.id
        let known = state.withLock { state in
            let known = state.known(index, in: number)
            // Those that have not changed are kept for this state too: the next one has fewer saves to look through.
            if let known, known.changed.isEmpty { state.keep(known.sums, of: index, transaction: number) }
            return known
        }
        if let known, known.changed.isEmpty { return known.sums }
        let sums: IndexSums
        if let known {
            runsRead += known.changed.count
            sums = try known.sums.reading(known.changed, of: index, in: transaction, databases: databases)
        } else {
            sums = try IndexSums.read(index, in: transaction, databases: databases)
            runsRead += sums.runCount
        }
        state.withLock { $0.keep(sums, of: index, transaction: number) }
        return sums
    }
}

extension KeptSums.State {
    /// Sums of an index, with the runs that changed between them and a transaction; nil where that is not known.
    fileprivate func known(_ index: IndexID, in transaction: Int) -> (sums: IndexSums, changed: Set<[UInt8]>)? {
        guard let (old, sums) = sums[index], old <= transaction else { return nil }
        if old == transaction { return (sums, []) }
        guard let first = commits.first?.transaction, let last = commits.last?.transaction,
            first <= old + 1, transaction <= last
        else { return nil }
        var changed: Set<[UInt8]> = []
        for commit in commits[(old + 1 - first)...(transaction - first)] { changed.formUnion(commit.runs[index] ?? []) }
        // Many changes are read as fast one after the other.
        return changed.count <= max(8, sums.runCount / 2) ? (sums, changed) : nil
    }

    fileprivate mutating func keep(_ new: IndexSums, of index: IndexID, transaction: Int) {
        if let (old, _) = sums[index], old > transaction { return }
        sums[index] = (transaction, new)
    }
}
