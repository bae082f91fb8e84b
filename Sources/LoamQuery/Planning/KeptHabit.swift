import Synchronization

/// Which choice has been the best one for a shape, each time that all ways were weighed.
///
/// One that was the best ``fewWins`` times in a row is made again without a look at the other ways, as long as it costs
/// about what it has cost then. Every so often all ways are weighed nevertheless (``mostBetween``). So a query costs no
/// more than others of its shape did, though for its constants another way may cost less.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `state` | itself | whoever has planned a query of the shape | the shape is planned anew |
final class KeptHabit: Sendable {
    enum Choice: Equatable, Sendable {
        /// The way at a position.
        case way(Int)
        /// The rows that the narrow ways have in common.
        case intersection
        /// A scan that skips, at a position among these.
        case skip(Int)
    }

    /// A choice that is made without a look at others.
    struct Trusted: Sendable {
        let choice: Choice
        /// Of the rows that it reached, those that passed the tests, when it was weighed last.
        let share: Double
        /// What it may cost.
        let mostCost: Double
        let reads: Reads?
    }

    /// What a plan reads of the rows, and for which tests. An object, so that handing it on copies nothing.
    final class Reads: Sendable {
        let reading: Plan.Reading
        /// The conjuncts that are tested, by position.
        let open: [Int]

        init(_ plan: borrowing Plan, open: [Int]) { (reading, self.open) = (Plan.Reading(plan), open) }
    }

    private struct State {
        var choice: Choice?
        var (limit, offset): (Int?, Int) = (nil, 0)
        var wins = 0
        var uses = 0
        var share = 1.0
        var mostCost = 0.0
        var reads: Reads?
    }

    private let state = Mutex(State())

    private static let fewWins = 16
    /// After so many uses at most all ways are weighed again.
    private static let mostBetween = 64
    /// What a look at all ways costs is not saved for less (``KeptQuery``), and estimates are right to a block or two.
    private static let slack = 500.0
    private static let slackShare = 1.5

    /// Nil where all ways are to be weighed.
    func trusted(limit: Int?, offset: Int) -> Trusted? {
        state.withLock { state in
            guard let choice = state.choice, state.wins >= Self.fewWins, state.limit == limit,
                state.offset == offset
            else { return nil }
            state.uses += 1
            guard state.uses <= min(state.wins, Self.mostBetween) else { return nil }
            return Trusted(
                choice: choice, share: state.share, mostCost: Self.slack + Self.slackShare * state.mostCost,
                reads: state.reads)
        }
    }

    /// Takes down what was the best after all ways were weighed.
    ///
    /// - Parameters:
    ///   - choice: nil for one that is never trusted.
    ///   - open: the conjuncts that the plan tests, by position.
    func note(_ choice: Choice?, _ plan: Plan, open: [Int]) {
        let (limit, offset) = (plan.query.limit, plan.query.offset)
        let (cost, share) = (plan.estimate.cost, plan.estimate.basis?.share ?? 1)
        state.withLock { state in
            if state.choice != choice || state.limit != limit || state.offset != offset {
                state = State(choice: choice, limit: limit, offset: offset)
            }
            state.wins += 1
            state.uses = 0
            (state.share, state.reads) = (share, Reads(plan, open: open))
            state.mostCost = max(state.mostCost, cost)
        }
    }
}
