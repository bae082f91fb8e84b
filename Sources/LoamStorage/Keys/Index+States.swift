/// What this process may do with an index. One that it would make other entries for is read and maintained by others
/// alone; its first write to the entity marks it stale (``StaleIndexes``).
extension Index {
    /// Whether this process makes the same entries: also the versions of forms and functions are its own.
    package var isCurrent: Bool {
        isUnderstood && (formVersion.map { $0 == Self.formVersion(of: kind) } ?? (kind != .trigrams))
            && (!hasFunctions || components.allSatisfy { $0.functionVersion == $0.function?.version })
    }

    /// The version of the forms that this process makes, and for trigrams of the rule that makes entries of them.
    static func formVersion(of kind: IndexKind) -> String {
        kind == .trigrams ? TrigramSet.formVersion : StringForms.formVersion
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
