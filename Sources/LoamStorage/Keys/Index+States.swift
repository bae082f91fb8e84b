/// What this process may do with an index. One that it would make other entries for is read and maintained by others
/// alone; its first write to the entity marks it stale (``StaleIndexes``).
extension Index {
    /// Whether this process makes the same entries: also the versions of forms and functions are its own.
    package var isCurrent: Bool {
        isUnderstood && (formVersion == nil || formVersion == StringForms.formVersion)
            && (!hasFunctions || components.allSatisfy { $0.functionVersion == $0.function?.version })
    }

    /// Whether a save keeps the index up.
    package var isMaintained: Bool { state != .stale && isCurrent }

    /// Whether a query may use the index: it is complete, and its entries are those that this process makes.
    package var isReadable: Bool { state == .ready && isCurrent }

    /// The state for this process: to it, an index is stale that it would make other entries for.
    package var currentState: IndexState { isCurrent ? state : .stale }

    /// Throws where this version of Loam cannot make the index, saying why.
    func requireUnderstood(in entity: String) throws {
        guard !isUnderstood else { return }
        var reason: StorageError.Kind = .foreignIndex
        if case .unknown(let kind) = kind {
            reason = .unknownIndexKind(kind)
        } else if let function = components.lazy.compactMap(\.function).first(where: { $0.known == nil }) {
            reason =
                if function.named != nil, let zone = function.timeZone {
                    .unknownTimeZone(zone)
                } else {
                    .unknownFunction(function.name)
                }
        }
        throw StorageError(reason, entity: entity, index: name)
    }
}
