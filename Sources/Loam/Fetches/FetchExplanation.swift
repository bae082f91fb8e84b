/// How the store runs a fetch, and what that cost. ``ModelContext/explanation(of:)`` gives it.
public struct FetchExplanation: CustomStringConvertible, Hashable, Sendable {
    /// The plan with estimated and actual work, line by line, for people: the form may change.
    public let description: String
}
