import LoamStorage

/// A predicate made ready to be tested on many rows: constants converted to the property's type, patterns compiled,
/// and no value built where the record's bytes suffice.
///
/// It agrees with ``TypedPredicate/holds(rowID:_:)``, which says what it means. A ``FilterProgram`` runs it.
indirect enum Filter: Sendable {
    case constant(Bool)
    case all([Filter])
    case any([Filter])
    case not(Filter)
    case isNull(FilterPath)
    case signed(FilterPath, ComparisonOperator, Int64)
    case unsigned(FilterPath, ComparisonOperator, UInt64)
    case floating(FilterPath, ComparisonOperator, Double)
    case text(FilterPath, TextMatcher)
    /// Values in the form of the comparison, without NaN.
    case oneOf(FilterPath, Set<Value>, StringForm)
    /// Evaluated part by part.
    case general(TypedPredicate)
}

extension Value {
    /// The value, a string in the form in which it is compared.
    func inForm(_ form: StringForm) -> Value {
        guard form != .exact, case .string(let text) = self else { return self }
        return .string(text.inForm(form))
    }
}
