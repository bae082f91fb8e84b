/// One component of an ordered key: turns values into bytes that `memcmp` orders as the values are ordered.
///
/// | part | bytes, ascending |
/// |---|---|
/// | tag | 0x00 for nil, 0x01 for a value, on every component |
/// | signed integers | their width, big endian, sign bit flipped |
/// | unsigned integers, Bool | their width, big endian; 0 or 1 |
/// | Float, Double, Date | bits, big endian: inverted when negative, else sign bit set; -0.0 as 0.0; one NaN, last |
/// | UUID | 16 bytes |
/// | String, URL, Data, Decimal | content (0x00 as 01 01, 0x01 as 01 02), terminator 0x00 |
/// | nil | of a fixed width: the tag and zeros to that width; else the tag alone |
///
/// A descending component has every bit inverted, tag and terminator included. A component that is longer than its
/// share is cut to exactly its share and has no terminator: its entry is *inexact*. In a unique index the last 8 bytes
/// of what is cut are the ``Checksum`` (seed 0) of the content before it is escaped, big endian, each 0x00 of it as
/// 0x01; ranges use only the bytes before them. See ``StringForms`` for strings and ``DecimalKey`` for decimals.
///
/// Keeps nothing that has to be retained: copying a component, once for every key, costs a few instructions.
package struct KeyComponent: Hashable, Sendable {
    package let isOptional: Bool
    package let direction: SortDirection
    package let form: StringForm
    /// The most bytes of this component, tag and terminator included; of a fixed-width type exactly its bytes.
    package private(set) var share: Int
    /// Whether what is cut ends with a hash of the whole content.
    let hashesCut: Bool
    let kind: Kind
    let inverts: Bool

    /// How values are laid out; a plain byte, so that choosing a path costs nothing.
    enum Kind: UInt8 {
        case bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float, double, date, uuid
        case decimal, string, url, data
    }

    /// - Throws: `StorageError.invalidIndex` when the type has no order, when a form stands on something else than a
    ///   string, or when the share is too small.
    package init(
        _ type: ValueType, isOptional: Bool, direction: SortDirection = .ascending, form: StringForm = .exact,
        share: Int, hashesCut: Bool = false
    ) throws {
        guard let kind = Kind(type) else {
            throw StorageError(.invalidIndex("values of type \(type) have no order"))
        }
        if kind != .string && form != .exact {
            throw StorageError(.invalidIndex("only strings have a folded or localized form"))
        }
        self.hashesCut = hashesCut && type.isCutInKeys
        guard share >= type.keyWidth ?? (self.hashesCut ? Self.hashWidth + 2 : 2) else {
            throw StorageError(.invalidIndex("a component's share of \(share) bytes is too small"))
        }
        self.kind = kind
        self.isOptional = isOptional
        self.direction = direction
        self.form = form
        self.share = type.keyWidth ?? share
        inverts = direction == .descending
    }

    /// - Throws: as the other initializer.
    package init(_ component: IndexComponent) throws {
        try self.init(
            component.type, isOptional: component.isOptional, direction: component.direction, form: component.form,
            share: component.share, hashesCut: component.hashesCut)
    }

    /// The same component with room for longer values: for keys that are kept in memory. Fixed widths stay.
    func withShare(_ share: Int) -> KeyComponent {
        guard kind.isVariable else { return self }
        var copy = self
        copy.share = share
        return copy
    }

    /// The type of the values.
    package var type: ValueType { kind.type }

    static var hashWidth: Int { 8 }

    /// The bytes of a component by which values are ordered: what lies behind them may be a hash.
    var orderedShare: Int { hashesCut ? share - Self.hashWidth : share }

    /// Bytes of every value and of nil, tag included; nil where the width varies.
    package var fixedWidth: Int? { type.keyWidth }

    /// Whether ``decode(_:at:)`` gives any value back: not where all of them were normalized.
    package var decodesSome: Bool { kind != .decimal && form == .exact }

    /// The tag byte of values that are not nil, as it stands in the key.
    var valueTag: UInt8 { inverts ? 0xFE : 0x01 }
}

extension KeyComponent.Kind {
    init?(_ type: ValueType) {
        switch type {
        case .bool: self = .bool
        case .int8: self = .int8
        case .int16: self = .int16
        case .int32: self = .int32
        case .int64: self = .int64
        case .uint8: self = .uint8
        case .uint16: self = .uint16
        case .uint32: self = .uint32
        case .uint64: self = .uint64
        case .float: self = .float
        case .double: self = .double
        case .date: self = .date
        case .uuid: self = .uuid
        case .decimal: self = .decimal
        case .string: self = .string
        case .url: self = .url
        case .data: self = .data
        case .array, .dictionary, .structure: return nil
        }
    }

    var type: ValueType {
        switch self {
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
        }
    }

    /// Whether content is escaped and ends with a terminator.
    var isVariable: Bool { rawValue >= Self.decimal.rawValue }
}

extension ValueType {
    /// Whether a value of the type may be too long for a key: strings, URLs and Data.
    var isCutInKeys: Bool { keyWidth == nil && self != .decimal }

    /// Bytes in a key, tag included; nil for types of variable width.
    package var keyWidth: Int? { fixedWidth.map { $0 + 1 } }
}

extension IndexComponent {
    /// The shares of an index's components when nobody chose them: fixed widths and decimals what they need, the rest
    /// split evenly.
    ///
    /// - Throws: `StorageError.invalidIndex` when the components do not fit.
    package static func defaultShares(for types: [ValueType]) throws -> [Int] {
        let fixed = types.map { $0 == .decimal ? DecimalKey.longestComponent : $0.keyWidth }
        let variable = fixed.count { $0 == nil }
        let rest = IndexKeyShape.longestComponents - fixed.reduce(0) { $0 + ($1 ?? 0) }
        guard rest >= variable * 2 else { throw StorageError(.invalidIndex("its fixed widths exceed 480 bytes")) }
        return fixed.map { $0 ?? rest / variable }
    }
}
