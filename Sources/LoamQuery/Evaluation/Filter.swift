import LoamStorage

/// A predicate made ready to be tested on many rows: constants converted to the property's type, patterns compiled,
/// and no value built where the record's bytes suffice.
///
/// It agrees with ``TypedPredicate/holds(rowID:_:)``, which says what it means.
indirect enum Filter: Sendable {
    case constant(Bool)
    case all([Filter])
    case any([Filter])
    case not(Filter)
    case isNull(FilterField)
    case signed(FilterField, ComparisonOperator, Int64)
    case unsigned(FilterField, ComparisonOperator, UInt64)
    case floating(FilterField, ComparisonOperator, Double)
    case text(FilterField, TextMatcher)
    /// Values in the form of the comparison, without NaN.
    case oneOf(FilterField, Set<Value>, StringForm)
    /// Evaluated part by part.
    case general(TypedPredicate)

    func matches<Row: RowValues & ~Escapable>(_ row: borrowing Row) throws -> Bool {
        switch self {
        case .constant(let value): return value
        case .all(let parts):
            for part in parts where try !part.matches(row) { return false }
            return true
        case .any(let parts):
            for part in parts where try part.matches(row) { return true }
            return false
        case .not(let part): return try !part.matches(row)
        case .isNull(let field): return try row.isNull(field)
        case .signed(let field, let comparison, let constant):
            return Self.test(try row.signed(field), comparison, constant)
        case .unsigned(let field, let comparison, let constant):
            return Self.test(try row.unsigned(field), comparison, constant)
        case .floating(let field, let comparison, let constant):
            return Self.test(try row.floating(field), comparison, constant)
        case .text(let field, let matcher): return try row.text(field, matches: matcher)
        case .oneOf(let field, let values, let form): return values.contains(try row.value(of: field.path).inForm(form))
        case .general(let predicate): return try predicate.holds(row)
        }
    }

    @inline(__always)
    private static func test<Number: Comparable>(
        _ value: Number?, _ comparison: ComparisonOperator, _ constant: Number
    ) -> Bool {
        guard let value else { return comparison == .notEqual }
        switch comparison {
        case .equal: return value == constant
        case .notEqual: return value != constant
        case .less: return value < constant
        case .lessOrEqual: return value <= constant
        case .greater: return value > constant
        case .greaterOrEqual: return value >= constant
        }
    }
}

extension Value {
    /// The value, a string in the form in which it is compared.
    func inForm(_ form: StringForm) -> Value {
        guard form != .exact, case .string(let text) = self else { return self }
        return .string(text.inForm(form))
    }
}
