/// The first byte of every value inside a composite field.
///
/// A composite (array, dictionary, structure) is one such value, self-describing: it can be read, and a path walked,
/// without the type that it was written with.
///
/// | tag | then |
/// |---|---|
/// | null, false, true | nothing |
/// | int8...int64, uint8...uint64 | 1, 2, 4 or 8 bytes little endian: the narrowest that holds the number |
/// | float, double, date, uuid | 4, 8, 8, 16 bytes |
/// | decimal, plainString, string, url, data | length, that many bytes |
/// | array | length, then in that many bytes: count, elements |
/// | dictionary | length, then: count, pairs of key and value; pairs in the order of their keys' encoded bytes |
/// | structure | length, then: count, members: length of the name, name in UTF-8, value; in the order of names' bytes |
///
/// Lengths and counts are LEB128 in the fewest bytes, at most 2^32 - 1. A member that is nil is left out. Numbers keep
/// their signedness (int or uint), which is that of their type. So equal values of a type have equal bytes, except for
/// floats, decimals and strings that compare equal with different parts.
enum CompositeTag: UInt8 {
    case null = 0x00
    case `false` = 0x01
    case `true` = 0x02
    case int8 = 0x08
    case int16, int32, int64
    case uint8, uint16, uint32, uint64
    case float, double, date, uuid
    case decimal = 0x20
    /// A string in ASCII without CR.
    case plainString
    case string, url, data
    case array = 0x30
    case dictionary, structure

    /// The most containers inside each other.
    static let maximumDepth = 64

    /// Bytes of a value whose width the tag alone determines; nil where a length follows.
    var fixedWidth: Int? {
        switch self {
        case .null, .false, .true: 0
        case .int8, .uint8: 1
        case .int16, .uint16: 2
        case .int32, .uint32, .float: 4
        case .int64, .uint64, .double, .date: 8
        case .uuid: 16
        case .decimal, .plainString, .string, .url, .data, .array, .dictionary, .structure: nil
        }
    }

    init?(_ kind: FieldKind) {
        switch kind {
        case .array: self = .array
        case .dictionary: self = .dictionary
        case .structure: self = .structure
        default: return nil
        }
    }
}
