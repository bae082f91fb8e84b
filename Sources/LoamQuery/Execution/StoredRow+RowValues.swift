package import LoamStorage

/// A record's values, straight from its bytes where they lie in it with a fixed width or as text.
extension StoredRow: RowValues {
    /// The value of a property, of a member inside it, or of a function of either.
    ///
    /// - Throws: `StorageError` where the field is damaged, also a long value outside of the record.
    package func value(of path: PropertyPath) throws -> Value {
        if let call = path.call { return call.function.result(of: try value(of: call.argument)) }
        guard !path.members.isEmpty else { return try value(path.position) }
        return try nestedValue(path.position, path: path.members, of: FieldKind(path.type))
    }

    /// The integer where it lies in the record; a member inside a structure by way of its value.
    ///
    /// - Throws: `StorageError` where the field is damaged, or `typeMismatch` where it is of another type.
    package func signed(_ field: FilterField) throws -> Int64? {
        try field.isDirect ? int64(field.position) : value(of: field.path).signed
    }

    /// The integer where it lies in the record; a member inside a structure by way of its value.
    ///
    /// - Throws: `StorageError` where the field is damaged, or `typeMismatch` where it is of another type.
    package func unsigned(_ field: FilterField) throws -> UInt64? {
        try field.isDirect ? uint64(field.position) : value(of: field.path).unsigned
    }

    /// The number where it lies in the record, a Float widened; a member inside a structure by way of its value.
    ///
    /// - Throws: `StorageError` where the field is damaged, or `typeMismatch` where it is of another type.
    package func floating(_ field: FilterField) throws -> Double? {
        guard field.isDirect else { return try value(of: field.path).floating }
        return try field.isFloat ? float(field.position).map(Double.init) : double(field.position)
    }

    /// Whether the field is nil, from its bit; a member inside a structure where it lies in the record.
    ///
    /// - Throws: `StorageError` where the field is damaged.
    package func isNull(_ field: FilterField) throws -> Bool {
        if field.isDirect { return try isNull(field.position) }
        return try unboxed(field.position, path: field.members, of: field.kind)?.isNull
            ?? value(of: field.path).isNull
    }

    /// Tests the string where its bytes lie in the record, or inside a structure there; a long one by way of its value.
    ///
    /// - Throws: `StorageError` where the field is damaged, ``QueryError`` for a MATCHES that takes too much work.
    package func text(_ field: FilterField, matches matcher: Unmanaged<TextMatcher>) throws -> Bool {
        if field.isDirect,
            let isMatch = try text(
                field.position,
                matches: { bytes, isPlain in
                    try matcher._withUnsafeGuaranteedRef { try $0.matches(bytes, isPlain: isPlain) }
                })
        {
            return isMatch
        }
        if !field.isDirect, let value = try unboxed(field.position, path: field.members, of: field.kind) {
            guard value.kind == .string else { return false }
            return try matcher._withUnsafeGuaranteedRef { try $0.matches(value.text, isPlain: value.isPlain) }
        }
        guard case .string(let text) = try value(of: field.path) else { return false }
        return try matcher.takeUnretainedValue().matches(text)
    }

    /// The value where it lies in the record, or inside a structure there; a long one is copied.
    ///
    /// - Throws: `StorageError` where the field is damaged.
    package func unboxed(_ field: FilterField, in run: inout FilterRun) throws -> UnboxedValue {
        if field.isDirect {
            if let value = try unboxed(field.position) { return value }
        } else if let value = try unboxed(field.position, path: field.members, of: field.kind) {
            return value
        }
        return run.keep(try value(of: field.path))
    }

    /// Looks for the element where the array's bytes lie in the record; those of a long one are decoded.
    ///
    /// - Throws: `StorageError` where the field is damaged.
    package func array(
        _ field: FilterField, contains value: UnboxedValue, form: StringForm, in run: inout FilterRun
    ) throws -> Bool {
        let found = try array(field.position, path: field.members) { element in
            try element.isTrue(.equal, value, form: form)
        }
        if let found { return found }
        guard case .array(let elements) = try self.value(of: field.path) else { return false }
        for element in elements where try run.keep(element).isTrue(.equal, value, form: form) { return true }
        return false
    }
}
