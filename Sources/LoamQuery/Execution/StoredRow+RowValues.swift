package import LoamStorage

/// A record's values, straight from its bytes where they lie in it with a fixed width or as text.
extension StoredRow: RowValues {
    package func value(of path: PropertyPath) throws -> Value {
        path.members.isEmpty ? try value(path.position) : try nestedValue(path.position, path: path.members)
    }

    package func signed(_ path: PropertyPath) throws -> Int64? {
        guard path.members.isEmpty, let slot = slot(path.position) else { return try value(of: path).signed }
        return try view.isNull(slot) ? nil : view.int64(slot)
    }

    package func unsigned(_ path: PropertyPath) throws -> UInt64? {
        guard path.members.isEmpty, let slot = slot(path.position) else { return try value(of: path).unsigned }
        return try view.isNull(slot) ? nil : view.uint64(slot)
    }

    package func floating(_ path: PropertyPath) throws -> Double? {
        guard path.members.isEmpty, let slot = slot(path.position) else { return try value(of: path).floating }
        if try view.isNull(slot) { return nil }
        return path.type == .float ? Double(try view.float(slot)) : try view.double(slot)
    }

    package func isNull(_ path: PropertyPath) throws -> Bool {
        path.members.isEmpty ? try isNull(path.position) : try value(of: path).isNull
    }

    package func text(_ path: PropertyPath, matches matcher: TextMatcher) throws -> Bool {
        if path.members.isEmpty, let slot = slot(path.position) {
            switch try view.field(slot) {
            case .null: return false
            case .inline(let bytes, let isPlain):
                return try bytes.withUnsafeBytes { try matcher.matches($0, isPlain: isPlain) }
            case .external, .fixed: break
            }
        }
        guard case .string(let text) = try value(of: path) else { return false }
        return matcher.matches(text)
    }
}
