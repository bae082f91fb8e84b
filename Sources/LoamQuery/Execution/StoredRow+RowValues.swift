package import LoamStorage

/// A record's values, straight from its bytes where they lie in it with a fixed width or as text.
extension StoredRow: RowValues {
    package func value(of path: PropertyPath) throws -> Value {
        path.members.isEmpty ? try value(path.position) : try nestedValue(path.position, path: path.members)
    }

    package func signed(_ field: FilterField) throws -> Int64? {
        try field.isDirect ? int64(field.position) : value(of: field.path).signed
    }

    package func unsigned(_ field: FilterField) throws -> UInt64? {
        try field.isDirect ? uint64(field.position) : value(of: field.path).unsigned
    }

    package func floating(_ field: FilterField) throws -> Double? {
        guard field.isDirect else { return try value(of: field.path).floating }
        return try field.isFloat ? float(field.position).map(Double.init) : double(field.position)
    }

    package func isNull(_ field: FilterField) throws -> Bool {
        field.isDirect ? try isNull(field.position) : try value(of: field.path).isNull
    }

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
        guard case .string(let text) = try value(of: field.path) else { return false }
        return try matcher.takeUnretainedValue().matches(text)
    }
}
