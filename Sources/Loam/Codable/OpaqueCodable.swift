/// A `Codable` type that is stored as one value, and never decoded from values that were made up.
///
/// Loam finds the members of other `Codable` types by decoding each type once from empty values, when a container with a
/// model that has them is opened. A type whose `init(from:)` relies on what it decodes, as by reading the first element of
/// an array, would end the program there; it declines by this conformance, which asks for nothing more:
///
/// ```swift
/// struct Board: Codable, OpaqueCodable {
///     var cells: [Int]
///     var width: Int
///
///     init(from decoder: any Decoder) throws {
///         cells = try decoder.singleValueContainer().decode([Int].self)
///         width = cells[0]
///     }
/// }
/// ```
///
/// A property of such a type, and of a type that contains one, is kept as data: predicates can tell nil from a value, and
/// see nothing inside it. Decide before the first store is made: a property that was stored with its members has another
/// type then. Where the row of a model is gone, such a property reads its default value.
public protocol OpaqueCodable: Codable {}
