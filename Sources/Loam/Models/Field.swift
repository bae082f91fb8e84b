package import LoamStorage

/// Where a model keeps the value of one persisted property: nothing until it is read from the record or set.
///
/// Part of the surface that generated code calls.
@frozen public struct _Field<Value> {
    /// The value; nil until it was read or set.
    public var value: Value?

    /// A field that is still to be read.
    @inlinable public init() { value = nil }

    /// A field that has its value.
    @inlinable public init(_ value: Value) { self.value = value }
}

/// A set of a model's persisted properties, by their ordinals.
public struct _FieldSet: Sendable {
    package var mask: FieldMask

    package init(_ mask: FieldMask = FieldMask()) { self.mask = mask }

    /// The set that contains every property.
    package static let all = _FieldSet(FieldMask(0..<RecordLayout.maximumFieldCount))

    /// Whether the property with this ordinal is in the set.
    public func contains(_ ordinal: Int) -> Bool { mask.contains(ordinal) }
}
