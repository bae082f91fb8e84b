import LoamStorage

/// An element of an array, as the row of a predicate about it, where it lies.
struct ElementRow: RowValues {
    let element: UnboxedValue

    var rowID: RowID { 0 }

    func value(of path: PropertyPath) throws -> Value {
        if let call = path.call { return call.function.result(of: try value(of: call.argument)) }
        guard path.related == nil else { return .null }
        return try element.member(at: path.members).boxed()
    }

    func unboxed(_ field: FilterField, in run: inout FilterRun) throws -> UnboxedValue { try value(of: field) }

    func signed(_ field: FilterField) throws -> Int64? {
        let value = try value(of: field)
        return value.kind == .int ? value.int : nil
    }

    func unsigned(_ field: FilterField) throws -> UInt64? {
        let value = try value(of: field)
        return value.kind == .uint ? value.uint : nil
    }

    func floating(_ field: FilterField) throws -> Double? {
        let value = try value(of: field)
        return value.kind == .double || value.kind == .float || value.kind == .date ? value.floating : nil
    }

    func isNull(_ field: FilterField) throws -> Bool { try value(of: field).isNull }

    func text(_ field: FilterField, matches matcher: Unmanaged<TextMatcher>) throws -> Bool {
        let value = try value(of: field)
        guard value.kind == .string else { return false }
        return try matcher._withUnsafeGuaranteedRef { try $0.matches(value.text, isPlain: value.isPlain) }
    }

    func array(
        _ field: FilterField, contains value: UnboxedValue, form: StringForm, in run: inout FilterRun
    ) throws -> Bool {
        var isFound = false
        try self.value(of: field).forEachElement {
            isFound = try $0.isTrue(.equal, value, form: form)
            return !isFound
        }
        return isFound
    }

    private func value(of field: FilterField) throws -> UnboxedValue {
        field.isDirect ? element : try element.member(at: field.members)
    }
}
