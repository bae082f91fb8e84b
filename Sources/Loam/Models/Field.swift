package import LoamStorage

/// Where a model keeps the value of one persisted property: nothing until it is read from the record or set.
///
/// Part of the surface that generated code calls.
@frozen public struct _Field<Value> {
    public var value: Value?

    @inlinable public init() { value = nil }

    @inlinable public init(_ value: Value) { self.value = value }
}

/// A set of a model's persisted properties, by their ordinals.
public struct _FieldSet: Sendable {
    package var mask: FieldMask

    package init(_ mask: FieldMask = FieldMask()) { self.mask = mask }

    /// The set that contains every property.
    package static let all = _FieldSet(FieldMask(0..<RecordLayout.maximumFieldCount))

    public func contains(_ ordinal: Int) -> Bool { mask.contains(ordinal) }
}
