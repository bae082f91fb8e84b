/// A field's type as one byte: what the hot loops switch over instead of ``ValueType``.
enum FieldKind: UInt8, Sendable {
    case bool
    case int8, int16, int32, int64
    case uint8, uint16, uint32, uint64
    case float, double, date, uuid
    case decimal, string, url, data
    case array, dictionary, structure

    init(_ type: ValueType) {
        self =
            switch type {
            case .bool: .bool
            case .int8: .int8
            case .int16: .int16
            case .int32: .int32
            case .int64: .int64
            case .uint8: .uint8
            case .uint16: .uint16
            case .uint32: .uint32
            case .uint64: .uint64
            case .float: .float
            case .double: .double
            case .date: .date
            case .uuid: .uuid
            case .decimal: .decimal
            case .string: .string
            case .url: .url
            case .data: .data
            case .array: .array
            case .dictionary: .dictionary
            case .structure: .structure
            }
    }

    var isInteger: Bool { (FieldKind.int8.rawValue...FieldKind.uint64.rawValue).contains(rawValue) }

    var isComposite: Bool { rawValue >= FieldKind.array.rawValue }
}

/// Where a slot's bytes are: 8 bytes, so that a loop over records keeps all of a layout's places in a cache line or
/// two.
struct FieldPlace: BitwiseCopyable, Sendable {
    /// A fixed-width field: its offset in the record. A variable one: its ordinal in the offset table.
    var offset: UInt32
    /// Bytes of a fixed-width field; 0 for a variable one.
    var width: UInt8
    var kind: FieldKind
    var isOptional: Bool

    var isFixed: Bool { width != 0 }
}

/// An entry of a record's offset table: where the field ends, counted from the first variable byte, and two flags.
///
/// A field starts where the one before ends. Entries are 32 bits: bit 31 *external*, bit 30 *plain*, then the end.
struct VariableEntry: BitwiseCopyable, Sendable {
    var bits: UInt32

    static var external: UInt32 { 1 << 31 }
    static var plain: UInt32 { 1 << 30 }
    static var endMask: UInt32 { plain - 1 }

    /// Bytes of what an external field keeps in the record: length and hash of the long value, 8 bytes each.
    static let externalWidth = 16

    var end: Int { Int(bits & Self.endMask) }
    var flags: UInt32 { bits & ~Self.endMask }
    var isExternal: Bool { bits & Self.external != 0 }
    var isPlain: Bool { bits & Self.plain != 0 }
}
