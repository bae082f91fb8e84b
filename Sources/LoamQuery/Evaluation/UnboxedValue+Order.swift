import LoamStorage

extension UnboxedValue {
    /// Whether a comparison holds, as ``TypedPredicate/compare(_:comparison:right:form:)`` has it: nil equals nil and
    /// nothing else, and has no order.
    ///
    /// - Throws: `StorageError.damagedRecord` for a string that is not UTF-8.
    func isTrue(_ comparison: ComparisonOperator, _ other: UnboxedValue, form: StringForm) throws -> Bool {
        if isNull || other.isNull {
            switch comparison {
            case .equal: return isNull && other.isNull
            case .notEqual: return isNull != other.isNull
            default: return false
            }
        }
        return try ValueOrder.of(self, other, form: form).satisfies(comparison)
    }
}

extension ValueOrder {
    /// The order of two values that are not nil, as of two ``Value``s. Composite values are equal or have none. Nothing is
    /// allocated, but what bringing strings into the form takes.
    static func of(_ left: UnboxedValue, _ right: UnboxedValue, form: StringForm) throws -> ValueOrder {
        switch (left.kind, right.kind) {
        case (.int, .int): of(left.int, right.int)
        case (.double, .double), (.double, .float), (.float, .double), (.float, .float), (.date, .date):
            of(left.floating, right.floating)
        case (.bool, .bool): of(left.uint, right.uint)
        case (.string, .string): of(try StringForms.compare(left, right, form: form), 0)
        case (.uuid, .uuid):
            left.halves.high == right.halves.high
                ? of(left.halves.low, right.halves.low) : of(left.halves.high, right.halves.high)
        case (.url, .url), (.data, .data): of(StringForms.compare(left.text, right.text), 0)
        case (.composite, .composite), (.pair, _), (_, .pair):
            try haveEqualParts(left, right) ? .equal : .unordered
        case (.decimal, _), (_, .decimal): UnboxedValue.decimalOrder(left, right).map { of($0, 0) } ?? .unordered
        default: of(integers: left, right)
        }
    }

    private static func haveEqualParts(_ left: UnboxedValue, _ right: UnboxedValue) throws -> Bool {
        try UnboxedValue.haveEqualParts(left, right) { try $0.isTrue(.equal, $1, form: .exact) }
    }

    /// The order of two numbers of which one is an integer; anything else has none.
    private static func of(integers left: UnboxedValue, _ right: UnboxedValue) -> ValueOrder {
        guard let number = left.integer else {
            guard right.integer != nil else { return .unordered }
            return of(integers: right, left).reversed
        }
        if let other = right.integer { return of(number, other) }
        return right.kind == .double || right.kind == .float ? of(number, right.floating) : .unordered
    }
}
