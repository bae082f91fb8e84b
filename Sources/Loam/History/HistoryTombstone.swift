import LoamStorage

/// What the history keeps of a deleted model: the values of the attributes that are marked `.preserveValueOnDeletion`.
///
/// ```swift
/// @Attribute(.preserveValueOnDeletion) var code: String
/// ...
/// let code = deletion.tombstone[\.code] as? String
/// ```
///
/// A value is there if the store knew of the mark when the model was deleted. It is read as what the attribute's type
/// is by now.
public struct HistoryTombstone<Model: PersistentModel>: Sequence, Sendable {
    /// A preserved value.
    public typealias Element = Any

    /// By ordinal, in the order of declaration; no nil among them.
    private let stored: [(ordinal: Int, value: Value)]
    private let model: ModelType

    init(_ stored: [(ordinal: Int, value: Value)], of model: ModelType) {
        self.stored = stored.sorted { $0.ordinal < $1.ordinal }
        self.model = model
    }

    /// The value that an attribute had; nil where it was nil, is not preserved, or is none of the attribute's type.
    /// Decodes it.
    public subscript(_ keyPath: PartialKeyPath<Model>) -> (any Sendable)? {
        guard let ordinal = model.ordinal(of: keyPath),
            let found = stored.first(where: { $0.ordinal == ordinal }), let value = value(found)
        else { return nil }
        // Nobody else has the value, which was just made; `Sendable` leaves no trace in an existential. The cast keeps
        // the existential from being opened.
        return unsafeBitCast(value as Any, to: (any Sendable).self)
    }

    private func value(_ field: (ordinal: Int, value: Value)) -> Any? {
        model.properties[field.ordinal].value(of: field.value)
    }

    /// The values that are not nil, in the order in which the attributes are declared.
    public func makeIterator() -> Iterator { Iterator(values: stored.compactMap(value).makeIterator()) }

    /// Goes through the preserved values.
    public struct Iterator: IteratorProtocol {
        fileprivate var values: Array<Any>.Iterator

        /// The next value; nil behind the last one.
        public mutating func next() -> Any? { values.next() }
    }
}
