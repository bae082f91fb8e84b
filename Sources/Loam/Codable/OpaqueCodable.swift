/// A `Codable` type that is stored as one value, and never decoded from values that were made up.
///
/// Loam finds the members of other `Codable` types by decoding each type from values that it makes up, such as zeros
/// and empty strings, and by encoding the result. It does so when a ``Schema`` with a model that has them is made, at
/// the latest when a container is opened. It decodes such values, with empty collections, also where it needs one for a
/// row that is gone. A type whose `init(from:)` relies on what it decodes, as by reading the first element of an array,
/// would end the program there. It declines by this conformance, which asks for nothing more:
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
/// A property of such a type, and of a type that contains one, is kept as data: predicates can tell nil from a value,
/// and see nothing inside it. Decide before the first store is made: a property that was stored with its members has
/// another type then. Where there is no row to read, such a property reads nil where it may be nil, else its default
/// value, and without one a value that is put together from empty members.
public protocol OpaqueCodable: Codable {}
