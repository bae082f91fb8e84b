/// A field's type as one byte: what the hot loops switch over instead of ``ValueType``.
package enum FieldKind: UInt8, BitwiseCopyable, Sendable {
    case bool
    case int8, int16, int32, int64
    case uint8, uint16, uint32, uint64
    case float, double, date, uuid
    case decimal, string, url, data
    case array, dictionary, structure

    package init(_ type: ValueType) {
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

    var isInteger: Bool { rawValue >= FieldKind.int8.rawValue && rawValue <= FieldKind.uint64.rawValue }

    var isSigned: Bool { rawValue >= FieldKind.int8.rawValue && rawValue <= FieldKind.int64.rawValue }

    /// Whether the field has a location of its own that the layout alone determines.
    var isWide: Bool { rawValue >= FieldKind.float.rawValue && rawValue <= FieldKind.uuid.rawValue }

    var isVariable: Bool { rawValue >= FieldKind.decimal.rawValue }

    var isComposite: Bool { rawValue >= FieldKind.array.rawValue }
}

/// Where a slot's bytes are: 12 bytes, so that a loop over records keeps all of a layout's locations in a few cache
/// lines.
///
/// These are the locations in a record; those of a writer are described at ``RecordStaging/locations(of:_:)``.
struct FieldLocation: BitwiseCopyable, Sendable {
    /// A wide field: its offset in the record. A variable one: its ordinal in the offset table. An integer: the offset
    /// of the word of the width table that holds its width, see ``IntegerWidths``. A Bool: 0.
    var offset: UInt32
    /// The byte of the record with the field's nil bit; 0 where there is none.
    var nilByte: UInt16
    /// The byte with a Bool's value, or a string's *plain* bit. An integer: its ordinal in the width table.
    var bitByte: UInt16
    /// The nil bit in its byte; 0 for a field that is not optional.
    var nilMask: UInt8
    /// The bit in ``bitByte``; 0 where there is none. An integer: how far the word of widths is shifted right.
    var bitMask: UInt8
    /// Bytes of a wide field, and the most bytes of an integer; else 0.
    var width: UInt8
    var kind: FieldKind

    var isOptional: Bool { nilMask != 0 }

    /// An integer's ordinal in the width table.
    var ordinal: Int { Int(bitByte) }
}
