import LoamStorage

/// Which operator of a plan does something.
enum OperatorID {
    /// Who takes the rows of the result.
    case result
    case sort, refetch, pending, filter, fetch
    /// A union, an intersection or a join.
    case combination
    /// The look-ups of a skip scan.
    case skips
    /// The n-th scan of the access path: ranges of an index, or records.
    case scan(Int)

    fileprivate var position: Int {
        switch self {
        case .result: 0
        case .sort: 1
        case .refetch: 2
        case .pending: 3
        case .filter: 4
        case .fetch: 5
        case .combination: 6
        case .skips: 7
        case .scan(let number): 8 + number
        }
    }
}

/// The work and the time of each operator in an execution, where somebody asks for them.
///
/// An execution tells where one operator hands over to another. What its ``Work`` has grown by since, and the time that
/// has passed, are those of the operator that was at it: so the operators' work is the execution's, whatever they do.
final class Measurement {
    struct Part {
        var work = Work()
        var time = Duration.zero
        /// Rows that were tested or combined, and those of them that were passed on.
        var rowsIn = 0
        var rowsOut = 0

        fileprivate mutating func add(_ other: Part) {
            work.add(other.work)
            time += other.time
            rowsIn += other.rowsIn
            rowsOut += other.rowsOut
        }
    }

    /// The plan that was executed.
    private(set) var plan: Plan?
    /// Whether changes that are not saved yet were laid over the stored rows.
    private(set) var isOverlaid = false
    /// The operators at work, each having called the next one.
    private var running = [OperatorID.result]
    private var parts: [Part] = []
    /// The work up to which all was noted.
    private var noted = Work()
    private var since = ContinuousClock.now
    private var isFinished = false
    /// The execution that this one was left for.
    private(set) var successor: Measurement?
    /// That of a join's target: of all executions together, where there are several passes over the rows.
    private(set) var target: Measurement?

    subscript(_ operator: OperatorID) -> Part {
        parts.indices.contains(`operator`.position) ? parts[`operator`.position] : Part()
    }

    /// The operator at work.
    var current: OperatorID { running[running.count - 1] }

    /// An execution of a plan begins, or another pass of it over the rows.
    ///
    /// - Parameter work: what it begins with.
    func begin(_ plan: Plan, isOverlaid: Bool, at work: Work) {
        if self.plan == nil { (noted, since) = (work, .now) }
        (self.plan, self.isOverlaid) = (plan, isOverlaid)
    }

    /// An operator begins; the one before it waits for it. O(1).
    func enter(_ operator: OperatorID, at work: Work) {
        note(work)
        running.append(`operator`)
    }

    /// The operator that has begun last ends, for now. O(1).
    func leave(_ work: Work) {
        note(work)
        if running.count > 1 { running.removeLast() }
    }

    /// A row is about to be tested. O(1).
    func beginTest() { noteTime() }

    /// A row was tested. O(1).
    func endTest(_ matches: Bool) {
        let now = ContinuousClock.now
        update(.filter) {
            $0.time += now - since
            $0.rowsIn += 1
            if matches { $0.rowsOut += 1 }
        }
        since = now
    }

    /// So many rows come out of an operator. O(1).
    func note(rows: Int, from operator: OperatorID) { update(`operator`) { $0.rowsOut += rows } }

    /// The execution of a join's target is about to begin. Its work and its time are noted apart.
    func measureTarget() -> Measurement {
        noteTime()
        return Measurement()
    }

    /// The execution of a join's target is over; its work is about to be added to this one's.
    func leaveOut(_ part: Work, of execution: Measurement) {
        execution.finish(part)
        noted.add(part)
        since = .now
        if let target { target.add(execution) } else { target = execution }
    }

    /// Adds what another execution of the same plan did, in the same state of the store.
    private func add(_ other: Measurement) {
        for (position, part) in other.parts.enumerated() { update(at: position) { $0.add(part) } }
        if let added = other.target {
            if let target { target.add(added) } else { target = added }
        }
        if let added = other.successor {
            if let successor { successor.add(added) } else { successor = added }
        }
    }

    /// The execution is over. Nothing is noted any more.
    func finish(_ work: Work) {
        if let successor { return successor.finish(work) }
        guard !isFinished else { return }
        note(work)
        isFinished = true
    }

    /// The execution ends, and another one goes on.
    func following(_ work: Work) -> Measurement {
        finish(work)
        let next = Measurement()
        successor = next
        return next
    }

    private func note(_ work: Work) {
        guard !isFinished else { return }
        let grown = work.growth(since: noted)
        noted = work
        noteTime()
        if let grown { update(current) { $0.work.add(grown) } }
    }

    private func noteTime() {
        let now = ContinuousClock.now
        update(current) { $0.time += now - since }
        since = now
    }

    private func update(_ operator: OperatorID, _ body: (inout Part) -> Void) {
        update(at: `operator`.position, body)
    }

    private func update(at position: Int, _ body: (inout Part) -> Void) {
        while parts.count <= position { parts.append(Part()) }
        body(&parts[position])
    }
}

extension Work {
    /// What was done since; nil where that is nothing but handing rows out.
    fileprivate func growth(since before: Work) -> Work? {
        guard self != before else { return nil }
        var work = self
        work.ranges -= before.ranges
        work.blocks -= before.blocks
        work.entries -= before.entries
        work.records -= before.records
        work.sorted -= before.sorted
        work.spilledRuns -= before.spilledRuns
        work.spilledRows -= before.spilledRows
        work.spilledBytes -= before.spilledBytes
        work.mergedRows -= before.mergedRows
        work.sums -= before.sums
        work.pending -= before.pending
        (work.abandoned, work.returned) = (0, 0)
        return work
    }
}

/// The test of a row in an execution, counted where somebody asks for that.
struct RowTest {
    let filter: FilterProgram
    let related: SnapshotRelations?
    let measurement: Measurement?

    @inline(__always)
    func matches<Row: RowValues & ~Escapable>(
        _ row: borrowing Row, behind sieve: FilterProgram.Sieve? = nil
    ) throws -> Bool {
        guard let measurement else { return try filter.matches(row, related: related, behind: sieve) }
        measurement.beginTest()
        let matches = try filter.matches(row, related: related)
        measurement.endTest(matches)
        return matches
    }
}
