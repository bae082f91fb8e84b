/// How records of one layout become records of another (or of the same): per new slot, where its bytes come from.
///
/// Made once per pair of layouts; O(1) per field afterwards.
package struct RecordMapping: Sendable {
    private enum Source {
        /// The old layout has the field with the same type: its bytes are copied.
        case copy(Int)
        /// The old layout has the field with another type, or as an optional one: its value is decoded and checked.
        case convert(Int, replacement: Value?)
        /// The old layout lacks the field: it gets this value.
        case initial(Value)
        /// The old layout lacks the field, which is not optional and has no initial value.
        case missing
    }

    package let old: RecordLayout
    package let new: RecordLayout
    private let sources: [Source]

    /// The mapping by property id. Properties that the old layout lacks take their initial value, else nil where they
    /// are optional. O(fields).
    package init(from old: RecordLayout, to new: RecordLayout, initialValues: [PropertyID: Value] = [:]) {
        self.old = old
        self.new = new
        sources = new.fields.map { field in
            guard let slot = old.slot(of: field.property) else {
                if let value = initialValues[field.property] { return .initial(value) }
                return field.isOptional ? .initial(.null) : .missing
            }
            let before = old.fields[slot]
            guard before.type == field.type, field.isOptional || !before.isOptional else {
                return .convert(slot, replacement: initialValues[field.property])
            }
            return .copy(slot)
        }
    }

    /// Brings one field of an old record into the record that the writer has begun. Throws `missingValue` or
    /// `typeMismatch` where the old value is none of the new type (integers that fit are), and `longValueNotLoaded`
    /// when a long value would have to be converted.
    func carry(_ slot: Int, from old: borrowing RecordView, into writer: inout RecordWriter) throws {
        switch sources[slot] {
        case .copy(let source): try writer.copy(slot, from: old, otherSlot: source)
        case .convert(let source, let replacement):
            let value = try old.value(source)
            try writer.set(value: value.isNull ? (replacement ?? value) : value, at: slot)
        case .initial(let value): try writer.set(value: value, at: slot)
        case .missing: throw new.error(.missingValue, slot: slot)
        }
    }
}
