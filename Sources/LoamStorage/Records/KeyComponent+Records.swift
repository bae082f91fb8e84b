/// Makes index keys straight from a record's bytes.
///
/// A method of the component: an index's components stay where they lie in their array, and none is copied per row.
extension KeyComponent {
    /// Appends a field of a record as this component of an index key.
    ///
    /// - Parameter slot: of a field of the component's type, or of a narrower type of integers.
    /// - Returns: whether the key holds the whole value; nil for a long value, of which nothing is appended.
    /// - Throws: `damagedRecord` where the bytes are not a value of the type, `missingValue` for nil where the
    ///   component is not optional, `typeMismatch` where the component is of another type.
    func append(_ slot: Int, of view: RecordView, to key: inout KeyBuffer) throws -> Bool? {
        let location = try view.location(slot)
        if view.isNull(location) {
            try appendNull(to: &key)
            return true
        }
        if location.kind.isVariable {
            let field = try view.variable(location)
            guard !field.isExternal else { return nil }
            return try view.bytes.extracting(unchecked: field.range).withUnsafeBytes {
                try append(stored: $0, isPlain: field.isPlain, to: &key)
            }
        }
        if location.kind.isInteger {
            try append(bits: view.signedBits(location), ofWidth: location.width, to: &key)
        } else if location.kind == .bool {
            try append(bits: view.bit(location) ? 1 : 0, ofWidth: 1, to: &key)
        } else {
            _ = try view.bytes.extracting(unchecked: view.wideRange(location)).withUnsafeBytes {
                try append(stored: $0, to: &key)
            }
        }
        return true
    }
}

extension KeyComponent {
    /// Appends a function of a field of a record as this component of an index key. Nothing is taken from the heap
    /// unless the function does so.
    ///
    /// - Parameter slot: of a field of the type that the function takes, or of a narrower type of integers.
    /// - Returns: whether the key holds the whole result; nil for a long value and for one with elements, of which
    ///   nothing is appended.
    /// - Throws: `damagedRecord` where the bytes are not a value of the type, `missingValue` where there is no result
    ///   and the component is not optional, `typeMismatch` where the component is of another type.
    @inline(never)
    func append(
        _ function: TypedFunction, of slot: Int, of view: RecordView, to key: inout KeyBuffer
    ) throws -> Bool? {
        guard let argument = try view.unboxed(slot) else { return nil }
        return try append(function, of: argument, to: &key)
    }

    /// Appends a function of a value where that lies.
    ///
    /// - Returns: whether the key holds the whole result; nil for an argument with elements, of which nothing is appended.
    /// - Throws: as the form that takes a field.
    func append(_ function: TypedFunction, of argument: UnboxedValue, to key: inout KeyBuffer) throws -> Bool? {
        guard argument.kind != .composite else { return nil }
        var used: TextMemory?
        defer { used?.removeAll() }
        let result = try function.result(of: argument) {
            let texts = key.texts
            used = texts
            return texts
        }
        return try append(result, to: &key)
    }
}
