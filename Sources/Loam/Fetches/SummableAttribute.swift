public import Foundation

/// A number whose values can be added up by an ``Aggregate``: the integers of the standard library, `Float`, `Double`
/// and `Decimal`.
public protocol SummableAttribute {
    /// The type of a sum: the widest of its kind.
    associatedtype Sum
    /// The type of an average.
    associatedtype Average
}

extension Int: SummableAttribute {
    /// Signed integers add up to an `Int`.
    public typealias Sum = Int
    /// The average of integers is a `Double`.
    public typealias Average = Double
}

extension Int8: SummableAttribute {
    /// Signed integers add up to an `Int`.
    public typealias Sum = Int
    /// The average of integers is a `Double`.
    public typealias Average = Double
}

extension Int16: SummableAttribute {
    /// Signed integers add up to an `Int`.
    public typealias Sum = Int
    /// The average of integers is a `Double`.
    public typealias Average = Double
}

extension Int32: SummableAttribute {
    /// Signed integers add up to an `Int`.
    public typealias Sum = Int
    /// The average of integers is a `Double`.
    public typealias Average = Double
}

extension Int64: SummableAttribute {
    /// Signed integers add up to an `Int`.
    public typealias Sum = Int
    /// The average of integers is a `Double`.
    public typealias Average = Double
}

extension UInt: SummableAttribute {
    /// Unsigned integers add up to a `UInt`.
    public typealias Sum = UInt
    /// The average of integers is a `Double`.
    public typealias Average = Double
}

extension UInt8: SummableAttribute {
    /// Unsigned integers add up to a `UInt`.
    public typealias Sum = UInt
    /// The average of integers is a `Double`.
    public typealias Average = Double
}

extension UInt16: SummableAttribute {
    /// Unsigned integers add up to a `UInt`.
    public typealias Sum = UInt
    /// The average of integers is a `Double`.
    public typealias Average = Double
}

extension UInt32: SummableAttribute {
    /// Unsigned integers add up to a `UInt`.
    public typealias Sum = UInt
    /// The average of integers is a `Double`.
    public typealias Average = Double
}

extension UInt64: SummableAttribute {
    /// Unsigned integers add up to a `UInt`.
    public typealias Sum = UInt
    /// The average of integers is a `Double`.
    public typealias Average = Double
}

extension Float: SummableAttribute {
    /// Floating-point numbers add up to a `Double`.
    public typealias Sum = Double
    /// The average of floating-point numbers is a `Double`.
    public typealias Average = Double
}

extension Double: SummableAttribute {
    /// Floating-point numbers add up to a `Double`.
    public typealias Sum = Double
    /// The average of floating-point numbers is a `Double`.
    public typealias Average = Double
}

extension Decimal: SummableAttribute {
    /// Decimals add up to a `Decimal`.
    public typealias Sum = Decimal
    /// The average of decimals is a `Decimal`.
    public typealias Average = Decimal
}
