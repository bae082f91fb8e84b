import LoamQuery

/// Descriptors print as what they fetch. (Foundation's description of a predicate stops the process where it meets a
/// node that is not its own.)
extension FetchDescriptor: CustomStringConvertible, CustomDebugStringConvertible {
    /// What is fetched, in words: the entity, the condition as a format string, the order, offset and limit.
    public var description: String {
        var text = Schema.entityName(for: T.self)
        if let predicate {
            let lowered = try? PredicateLowering.lower(predicate)
            text += " where " + (lowered?.description ?? "(a predicate that cannot be fetched)")
        }
        let model = ModelType.of(T.self)
        let keys = sortBy.map { key in
            (key.keyPath.flatMap { keyPath in
                model.isIdentifier(keyPath)
                    ? "persistentModelID"
                    : model.sortPath(of: keyPath)
                        ?? model.comparedPath(of: keyPath).map { $0.path + " (\($0.comparator))" }
            } ?? "(a key that cannot be sorted by)")
                + (key.order == .forward ? "" : " descending")
        }
        if !keys.isEmpty { text += " by " + keys.joined(separator: ", ") }
        if let fetchOffset { text += " from \(fetchOffset)" }
        if let fetchLimit { text += " limit \(fetchLimit)" }
        return text
    }

    /// The type, and what ``description`` says.
    public var debugDescription: String { "FetchDescriptor(\(description))" }
}
