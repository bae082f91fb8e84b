/// Fields as predicates compute with them: without a ``Value`` in between, and with nothing taken from the heap. Texts
/// are good as long as the row.
extension StoredRow {
    /// The value of a property.
    ///
    /// - Returns: nil where it has to be asked for by ``value(_:)``: it lies outside the record, or the record was
    ///   written before the property was what it is.
    /// - Throws: `damagedRecord` where the field's bytes are impossible.
    package func unboxed(_ property: Int) throws -> UnboxedValue? {
        guard let slot = slot(property) else { return nil }
        return try view.unboxed(slot)
    }

    /// The value at the end of a path of member names below a structured property; nil members end it with nil.
    ///
    /// - Parameter kind: of the value.
    /// - Returns: nil where it has to be asked for by ``nestedValue(_:path:of:)``.
    /// - Throws: `typeMismatch` where the path leads through a value without members, `damagedRecord` where the
    ///   field's bytes are impossible, or those of a value of another kind.
    package func unboxed(_ property: Int, path: [String], of kind: FieldKind) throws -> UnboxedValue? {
        guard let slot = slot(property) else { return nil }
        if try view.isNull(slot) { return .null }
        guard let composite = try view.composite(slot) else { return nil }
        do {
            guard let range = try CompositeReader.find(path, in: composite) else { return .null }
            let value = try CompositeReader.unboxed(composite.extracting(unchecked: range))
            guard kind.takes(value) else { throw FieldKind.memberOfOtherType }
            return value
        } catch {
            throw view.layout.naming(error, slot: slot)
        }
    }

    /// Whether an array holds an element for which the closure returns true; false where the array is nil.
    ///
    /// - Parameter path: member names below the property, to the array.
    /// - Returns: nil where it has to be asked for by ``nestedValue(_:path:of:)``.
    /// - Throws: `damagedRecord` where the field's bytes are impossible, and what the closure throws.
    package func array(
        _ property: Int, path: [String], contains body: (UnboxedValue) throws -> Bool
    ) throws -> Bool? {
        guard let slot = slot(property) else { return nil }
        if try view.isNull(slot) { return false }
        guard let composite = try view.composite(slot) else { return nil }
        do {
            guard !path.isEmpty else { return try CompositeReader.contains(in: composite, where: body) }
            guard let range = try CompositeReader.find(path, in: composite) else { return false }
            return try CompositeReader.contains(in: composite.extracting(unchecked: range), where: body)
        } catch {
            throw view.layout.naming(error, slot: slot)
        }
    }
}

extension RecordView {
    /// A field's value; nil for a long one.
    func unboxed(_ slot: Int) throws -> UnboxedValue? {
        let location = try location(slot)
        if isNull(location) { return .null }
        switch location.kind {
        case .bool: return .bool(bit(location))
        case .int8, .int16, .int32, .int64: return .int(try signed(location))
        case .uint8, .uint16, .uint32, .uint64: return .uint(try unsigned(location))
        case .float: return .float(Float(bitPattern: bytes.littleEndian(at: Int(location.offset))))
        case .double: return .double(Double(bitPattern: bytes.littleEndian(at: Int(location.offset))))
        case .date: return .date(Double(bitPattern: bytes.littleEndian(at: Int(location.offset))))
        case .uuid:
            return bytes.extracting(unchecked: wideRange(location)).withUnsafeBytes {
                $0.baseAddress.map(UnboxedValue.uuid) ?? .null
            }
        case .decimal, .string, .url, .data, .array, .dictionary, .structure:
            let field = try variable(location)
            guard !field.isExternal else { return nil }
            do {
                return try variable(field, kind: location.kind)
            } catch {
                throw layout.naming(error, slot: slot)
            }
        }
    }

    private func variable(_ field: VariableField, kind: FieldKind) throws -> UnboxedValue {
        let content = bytes.extracting(unchecked: field.range)
        switch kind {
        case .decimal:
            guard let parts = DecimalParts(bytes: content) else { throw CompositeReader.damaged("a decimal is none") }
            return .decimal(parts)
        case .string: return content.withUnsafeBytes { .text(.string, $0, isPlain: field.isPlain) }
        case .url: return content.withUnsafeBytes { .text(.url, $0) }
        case .data: return content.withUnsafeBytes { .text(.data, $0) }
        default:
            try kind.checkTag(of: content)
            return content.withUnsafeBytes { .composite($0) }
        }
    }

    /// The bytes of a composite field that is not nil; nil for a long one.
    @_lifetime(copy self)
    fileprivate func composite(_ slot: Int) throws -> RawSpan? {
        let location = try location(slot)
        guard location.kind.isComposite else {
            let type = layout.fields[slot].type.description
            throw layout.error(.typeMismatch(expected: "structure", found: type), slot: slot)
        }
        let field = try variable(location)
        guard !field.isExternal else { return nil }
        let content = bytes.extracting(unchecked: field.range)
        do {
            try location.kind.checkTag(of: content)
        } catch {
            throw layout.naming(error, slot: slot)
        }
        return content
    }

    /// The value of a composite field's bytes, as an index includes it.
    package static func unboxedComposite(_ bytes: RawSpan) throws -> UnboxedValue {
        try CompositeReader.unboxed(bytes)
    }
}
