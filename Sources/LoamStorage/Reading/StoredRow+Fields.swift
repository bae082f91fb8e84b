import Foundation

/// Fields without a ``Value`` in between, by position in `entity.properties`; nil where the property is nil. Each is
/// one call for the other layers. A type that is not the property's throws `typeMismatch`; only where the record was
/// written before the property was what it is, it gives nil.
extension StoredRow {
    /// The value of a Bool property.
    ///
    /// - Throws: `typeMismatch` for a property of another type.
    package func bool(_ property: Int) throws -> Bool? {
        guard let slot = slot(property) else {
            guard case .bool(let value) = try olderValue(property) else { return nil }
            return value
        }
        return try view.optionalBool(slot)
    }

    /// A signed integer of any width.
    ///
    /// - Throws: `typeMismatch` for a property of another type, `damagedRecord` where the field's bytes are
    ///   impossible.
    package func int64(_ property: Int) throws -> Int64? {
        guard let slot = slot(property) else {
            guard case .int(let value) = try olderValue(property) else { return nil }
            return value
        }
        return try view.optionalInt64(slot)
    }

    /// An unsigned integer of any width.
    ///
    /// - Throws: `typeMismatch` for a property of another type, `damagedRecord` where the field's bytes are
    ///   impossible.
    package func uint64(_ property: Int) throws -> UInt64? {
        guard let slot = slot(property) else {
            guard case .uint(let value) = try olderValue(property) else { return nil }
            return value
        }
        return try view.optionalUInt64(slot)
    }

    /// The value of a Float property.
    ///
    /// - Throws: `typeMismatch` for a property of another type.
    package func float(_ property: Int) throws -> Float? {
        guard let slot = slot(property) else {
            guard case .float(let value) = try olderValue(property) else { return nil }
            return value
        }
        return try view.isNull(slot) ? nil : view.float(slot)
    }

    /// A Double, or a Date as its seconds.
    ///
    /// - Throws: `typeMismatch` for a property of another type.
    package func double(_ property: Int) throws -> Double? {
        guard let slot = slot(property) else {
            switch try olderValue(property) {
            case .double(let value): return value
            case .date(let value): return value.seconds
            default: return nil
            }
        }
        return try view.optionalDouble(slot)
    }

    /// A string, or a URL as one. Bytes that are not UTF-8 are replaced: only in a record whose checksum is wrong.
    ///
    /// - Throws: `typeMismatch` for a property of another type, `damagedRecord` where the field's bytes are
    ///   impossible, `damagedLongValue` where a long one is.
    package func string(_ property: Int) throws -> String? {
        if let slot = slot(property), let bytes = try view.inlineText(slot) {
            return bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
        switch try value(property) {
        case .string(let value): return value
        case .url(let value): return value.absoluteString
        default: return nil
        }
    }

    /// Tests a string's bytes where they lie in the record; `isPlain` says that they are ASCII without CR.
    ///
    /// - Returns: what the closure returns; false where the property is nil; nil where the string has to be asked for
    ///   by ``value(_:)``, because it lies outside the record or the record was written before the property was what it
    ///   is.
    /// - Throws: `damagedRecord` where the field's bytes are impossible, and what the closure throws.
    package func text(
        _ property: Int, matches body: (_ text: UnsafeRawBufferPointer, _ isPlain: Bool) throws -> Bool
    ) throws -> Bool? {
        guard let slot = slot(property) else { return nil }
        return try view.text(slot, matches: body)
    }
}
