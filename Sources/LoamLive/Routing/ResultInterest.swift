import LoamStorage

/// Which parts of changes matter to a result.
struct ResultInterest: Hashable, Sendable {
    var entity: EntityID
    /// Entities whose rows the predicate is led to along relationships, each with the positions of the properties that
    /// it reads there.
    var others: [EntityID: Set<Int>]
    /// Relationships kept as links that it goes along, under the ids of both sides.
    var links: Set<PropertyID>
    /// Positions of the properties that decide whether a row is in the result and where.
    var placing: Set<Int>
    /// Positions of the properties that are handed out; nil for all.
    var shown: Set<Int>?
    /// The ids of the properties, by position.
    var properties: [PropertyID]

    /// Whether a row stands where it stood, or is out of the result as it was, when these fields have changed and related
    /// rows are not looked at; false where the fields may be any.
    func keepsPlace(_ fields: FieldMask?) -> Bool {
        guard let fields else { return false }
        return !placing.contains(where: fields.contains)
    }

    var entities: Set<EntityID> { Set(others.keys).union([entity]) }

    /// Whether a change of these fields of a row can concern the result.
    func concerns(_ fields: some Sequence<Int>) -> Bool {
        guard let shown else { return true }
        return fields.contains { placing.contains($0) || shown.contains($0) }
    }
}
