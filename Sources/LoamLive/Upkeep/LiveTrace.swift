/// What was done to keep a result current.
package struct LiveTrace: Hashable, Sendable {
    /// How often the result was looked at after commits that may have touched it.
    package var rounds: Int
    /// The changed rows that were placed one by one.
    package var placed: Int
    /// How often the held rows were searched from end to end, for rows whose old records are not known.
    package var searches: Int
    /// How often the whole result was read again.
    package var reads: Int

    package init(rounds: Int = 0, placed: Int = 0, searches: Int = 0, reads: Int = 0) {
        (self.rounds, self.placed, self.searches, self.reads) = (rounds, placed, searches, reads)
    }

    /// The figures by the names under which they are printed.
    package var figures: [(name: String, number: Int)] {
        [("rounds", rounds), ("placed", placed), ("searches", searches), ("reads", reads)]
    }

    /// What was done since an earlier trace of the same result.
    package func since(_ earlier: LiveTrace) -> LiveTrace {
        var trace = self
        trace.rounds -= earlier.rounds
        trace.placed -= earlier.placed
        trace.searches -= earlier.searches
        trace.reads -= earlier.reads
        return trace
    }
}

extension LiveTrace: CustomStringConvertible {
    package var description: String { figures.map { "\($0.name) \($0.number)" }.joined(separator: ", ") }
}
