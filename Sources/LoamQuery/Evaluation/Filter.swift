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
    case isNull(PropertyPath)
    case signed(PropertyPath, ComparisonOperator, Int64)
    case unsigned(PropertyPath, ComparisonOperator, UInt64)
    case floating(PropertyPath, ComparisonOperator, Double)
    case text(PropertyPath, TextMatcher)
    /// Values in the form of the comparison, without NaN.
    case oneOf(PropertyPath, Set<Value>, StringForm)
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
        case .isNull(let path): return try row.isNull(path)
        case .signed(let path, let comparison, let constant):
            return Self.test(try row.signed(path), comparison, constant)
        case .unsigned(let path, let comparison, let constant):
            return Self.test(try row.unsigned(path), comparison, constant)
        case .floating(let path, let comparison, let constant):
            return Self.test(try row.floating(path), comparison, constant)
        case .text(let path, let matcher): return try row.text(path, matches: matcher)
        case .oneOf(let path, let values, let form): return values.contains(try row.value(of: path).inForm(form))
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
