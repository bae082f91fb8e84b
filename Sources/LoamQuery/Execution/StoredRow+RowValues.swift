package import LoamStorage

/// A record's values, straight from its bytes where they lie in it with a fixed width or as text.
extension StoredRow: RowValues {
    package func value(of path: PropertyPath) throws -> Value {
        path.members.isEmpty ? try value(path.position) : try nestedValue(path.position, path: path.members)
    }

    package func signed(_ field: FilterField) throws -> Int64? {
        guard field.isDirect, let slot = slot(field.position) else { return try value(of: field.path).signed }
        return try view.isNull(slot) ? nil : view.int64(slot)
    }

    package func unsigned(_ field: FilterField) throws -> UInt64? {
        guard field.isDirect, let slot = slot(field.position) else { return try value(of: field.path).unsigned }
        return try view.isNull(slot) ? nil : view.uint64(slot)
    }

    package func floating(_ field: FilterField) throws -> Double? {
        guard field.isDirect, let slot = slot(field.position) else { return try value(of: field.path).floating }
        if try view.isNull(slot) { return nil }
        return field.isFloat ? Double(try view.float(slot)) : try view.double(slot)
    }

    package func isNull(_ field: FilterField) throws -> Bool {
        field.isDirect ? try isNull(field.position) : try value(of: field.path).isNull
    }

    package func text(_ field: FilterField, matches matcher: TextMatcher) throws -> Bool {
        if field.isDirect, let slot = slot(field.position) {
            switch try view.field(slot) {
            case .null: return false
            case .inline(let bytes, let isPlain):
                return try bytes.withUnsafeBytes { try matcher.matches($0, isPlain: isPlain) }
            case .external, .fixed: break
            }
        }
        guard case .string(let text) = try value(of: field.path) else { return false }
        return matcher.matches(text)
    }
}
