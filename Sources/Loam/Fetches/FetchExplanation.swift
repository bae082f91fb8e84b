@_exported public import struct LoamQuery.AdvisedIndex
@_exported public import struct LoamQuery.Explanation

/// How the store runs a fetch, as a tree of operators, in words and in JSON.
/// ``ModelContext/explanation(of:level:)`` gives it.
public typealias FetchExplanation = Explanation
