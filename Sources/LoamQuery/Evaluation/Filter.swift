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
    case oneOf(FilterPath, ValueLookup)
    /// The row's id is one of them.
    case identifier(ValueLookup)
    /// Evaluated part by part.
    case general(TypedPredicate)
}
