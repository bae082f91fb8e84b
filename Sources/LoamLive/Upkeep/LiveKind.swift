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
