public import Foundation

// Captured code is run when the predicate is made, wherever it stands in it. What Swift would stop at is nil instead,
// and `#Predicate` puts a forced unwrap around it: it matters only where it is reached.

extension PredicateExpressions {
    /// What the macro writes for `collection[index]`: nil where there is no such index.
    public static func capture_subscript<Base: RandomAccessCollection>(
        _ collection: Base, _ index: Base.Index, _ read: (Base, Base.Index) -> Base.Element
    ) -> Base.Element? {
        index >= collection.startIndex && index < collection.endIndex ? read(collection, index) : nil
    }

    /// What the macro writes for any other subscript, such as a dictionary's: it is read as it stands.
    @_disfavoredOverload
    public static func capture_subscript<Base, Index, Element>(
        _ base: Base, _ index: Index, _ read: (Base, Index) -> Element
    ) -> Element? {
        read(base, index)
    }

    /// What the macro writes for `/` and `%`: nil where integers are divided by zero, or the result does not fit.
    public static func capture_quotient<Number: FixedWidthInteger>(
        _ number: Number, _ divisor: Number, _ divide: (Number, Number) -> Number
    ) -> Number? {
        number.dividedReportingOverflow(by: divisor).overflow ? nil : divide(number, divisor)
    }

    /// What the macro writes for `/` and `%` of other values.
    @_disfavoredOverload
    public static func capture_quotient<Number, Divisor, Result>(
        _ number: Number, _ divisor: Divisor, _ divide: (Number, Divisor) -> Result
    ) -> Result? {
        divide(number, divisor)
    }
}
