/// What was done to keep a result current.
package struct LiveTrace: Hashable, Sendable {
    /// How often the result was looked at after commits that may have touched it.
    package var rounds = 0
    /// The changed rows that were placed one by one.
    package var placed = 0
    /// How often the held rows were searched from end to end, for rows whose old records are not known.
    package var searches = 0
    /// How often the whole result was read again.
    package var reads = 0
}

/// How the rows of a result are kept.
package enum LiveKind: Hashable, Sendable {
    /// As entries of an index: nothing is held of a row.
    case virtual(index: String)
    /// In memory, with what they are ordered by; says why.
    case materialized(reason: String)
}

extension LiveKind: CustomStringConvertible {
    package var description: String {
        switch self {
        case .virtual(let index): "virtual: its rows are entries of the index \(index)"
        case .materialized(let reason): "materialized: \(reason)"
        }
    }
}
