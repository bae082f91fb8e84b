import LoamStorage

/// A predicate made ready to be compiled: constants converted to the property's type, patterns compiled, and the tests
/// told apart that are made straight from a record's bytes.
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
    /// The row's id is one of them.
    case identifier(ValueLookup)

    // Of computed values.
    case comparison(TypedExpression, ComparisonOperator, TypedExpression, StringForm)
    case between(TypedExpression, TypedExpression, TypedExpression, StringForm)
    case computedText(TypedExpression, TextMatcher)
    /// A text operator whose right side is no constant.
    case texts(TypedExpression, TextOperator, TypedExpression, StringForm)
    case isOne(TypedExpression, ValueLookup)
    /// Equal to one of elements that are not all constant.
    case isAny(TypedExpression, ElementList, StringForm)
    case hasElement(FilterPath, TypedExpression, StringForm)
    case exists([RelationHop], TypedPredicate)
    case existsElement(TypedExpression, TypedPredicate)
    /// Depends on the rows that this reference leads to, and on nothing else: many rows have the same.
    case remembered(FilterPath, Filter)
    /// Evaluated part by part, as it is written.
    case general(TypedPredicate)
}
