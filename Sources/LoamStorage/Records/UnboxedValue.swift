import Foundation

/// A value that is copied bit by bit: a number, or where the bytes of a text lie. What predicates compute with.
///
/// It keeps nothing alive: the bytes of a text are the record's, or those of a ``TextMemory``, and so are those of an
/// array, a dictionary or a structure, which stay encoded.
package struct UnboxedValue: BitwiseCopyable, Sendable {
    package enum Kind: UInt8, BitwiseCopyable, Sendable {
        case null, bool, int, uint, float, double, date, decimal, uuid, string, url, data, composite
        /// A key of a dictionary and what this has for it.
        case pair
    }

    package let kind: Kind
    /// Of a string: ASCII without CR. Of a decimal: negative.
    private let flag: Bool
    /// Of a decimal, whose NaN has a mantissa of its own.
    private let exponent: Int8
    /// A number's bits, the first half of a UUID, the low half of a decimal's mantissa, or an address.
    private let low: UInt64
    /// The other half, or a number of bytes.
    private let high: UInt64

    private init(_ kind: Kind, flag: Bool = false, exponent: Int8 = 0, low: UInt64 = 0, high: UInt64 = 0) {
        self.kind = kind
        self.flag = flag
        self.exponent = exponent
        self.low = low
        self.high = high
    }
}

extension UnboxedValue {
    package static var null: UnboxedValue { UnboxedValue(.null) }

    package static func bool(_ value: Bool) -> UnboxedValue { UnboxedValue(.bool, low: value ? 1 : 0) }
    package static func int(_ value: Int64) -> UnboxedValue { UnboxedValue(.int, low: UInt64(bitPattern: value)) }
    package static func uint(_ value: UInt64) -> UnboxedValue { UnboxedValue(.uint, low: value) }
    package static func double(_ value: Double) -> UnboxedValue { UnboxedValue(.double, low: value.bitPattern) }
    /// A Float, which is kept widened.
    static func float(_ value: Float) -> UnboxedValue { UnboxedValue(.float, low: Double(value).bitPattern) }
    static func date(_ seconds: Double) -> UnboxedValue { UnboxedValue(.date, low: seconds.bitPattern) }

    static func decimal(_ parts: DecimalParts) -> UnboxedValue {
        UnboxedValue(
            .decimal, flag: parts.isNaN || parts.isNegative, exponent: parts.isNaN ? .min : parts.exponent,
            low: UInt64(truncatingIfNeeded: parts.mantissa), high: UInt64(truncatingIfNeeded: parts.mantissa >> 64))
    }

    /// A UUID from the address of its 16 bytes.
    static func uuid(at bytes: UnsafeRawPointer) -> UnboxedValue {
        UnboxedValue(.uuid, low: bytes.bigEndian(at: 0), high: bytes.bigEndian(at: 8))
    }

    /// A string, a URL or data, where it lies.
    package static func text(
        _ kind: Kind, _ bytes: UnsafeRawBufferPointer, isPlain: Bool = false
    ) -> UnboxedValue {
        UnboxedValue(
            kind, flag: isPlain, low: UInt64(UInt(bitPattern: bytes.baseAddress)), high: UInt64(bytes.count))
    }

    /// An array, a dictionary or a structure in its encoding, where it lies.
    static func composite(_ bytes: UnsafeRawBufferPointer) -> UnboxedValue { text(.composite, bytes) }

    /// A pair of a dictionary: the key in its encoding, and behind it the value, where they lie.
    static func pair(_ bytes: UnsafeRawBufferPointer) -> UnboxedValue { text(.pair, bytes) }
}

extension UnboxedValue {
    package var isNull: Bool { kind == .null }
    /// Whether it is a string, a URL or data, whose bytes lie elsewhere.
    package var isText: Bool { kind == .string || kind == .url || kind == .data }
    /// Whether its bytes lie elsewhere: those of a text, or of an encoded value.
    package var hasBytes: Bool { isText || kind == .composite || kind == .pair }
    package var bool: Bool { low != 0 }
    package var int: Int64 { Int64(bitPattern: low) }
    package var uint: UInt64 { low }
    /// A Float widened, a Double, or a date's seconds.
    package var floating: Double { Double(bitPattern: low) }
    /// Whether a string is known to be ASCII without CR.
    package var isPlain: Bool { flag }

    /// An integer of either kind; nil for anything else.
    package var integer: Int128? {
        switch kind {
        case .int: Int128(int)
        case .uint: Int128(uint)
        default: nil
        }
    }

    /// The bytes of a string, a URL or data; of a composite value or a pair the encoded ones.
    package var text: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: UInt(low)), count: Int(high))
    }

    /// The two halves of a UUID, which compare as its bytes do.
    package var halves: (high: UInt64, low: UInt64) { (low, high) }

    var decimal: DecimalParts {
        // Zero and NaN have no sign, and no number has this exponent without a mantissa.
        if flag, exponent == .min, low == 0, high == 0 { return .nan }
        return DecimalParts(isNegative: flag, exponent: exponent, mantissa: UInt128(high) << 64 | UInt128(low))
    }

    /// Whether it is a NaN of any type.
    package var isNaN: Bool {
        switch kind {
        case .float, .double, .date: floating.isNaN
        case .decimal: decimal.isNaN
        default: false
        }
    }

    /// A number as the nearest Double.
    var approximateDouble: Double {
        switch kind {
        case .int: Double(int)
        case .uint: Double(uint)
        case .float, .double: floating
        case .decimal: decimal.approximateDouble
        default: .nan
        }
    }
}

// MARK: Values with memory of their own

extension UnboxedValue {
    /// A value that needs no memory; nil for a string, a URL, data and a composite value, which a ``TextMemory`` keeps.
    package init?(_ value: Value) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .uint(let value): self = .uint(value)
        case .float(let value): self = .float(value)
        case .double(let value): self = .double(value)
        case .date(let value): self = .date(value.seconds)
        case .decimal(let value): self = .decimal(DecimalParts(inMemoryOf: value))
        case .uuid(let value):
            self = withUnsafeBytes(of: value.uuid) { bytes in bytes.baseAddress.map(Self.uuid(at:)) ?? .null }
        case .string, .url, .data, .array, .dictionary, .structure: return nil
        }
    }

    /// The value as one that stands alone. Takes memory for a text, and for what a composite value has.
    ///
    /// - Throws: `damagedRecord` for a string that is not UTF-8, a URL that is none and a composite value whose bytes
    ///   are impossible.
    package func boxed() throws -> Value {
        switch kind {
        case .null: .null
        case .composite: try CompositeReader.decode(RawSpan(_unsafeBytes: text))
        case .pair: .structure([PairMember.key: try key.boxed(), PairMember.value: try keyedValue.boxed()])
        case .bool: .bool(bool)
        case .int: .int(int)
        case .uint: .uint(uint)
        case .float: .float(Float(floating))
        case .double: .double(floating)
        case .date: .date(Date(timeIntervalSinceReferenceDate: floating))
        case .decimal: .decimal(decimal.isNaN ? .nan : decimal.value ?? ExactDecimal(decimal).decimal ?? .nan)
        case .uuid:
            withUnsafeBytes(of: (low.bigEndian, high.bigEndian)) {
                .uuid(UUID(uuid: $0.loadUnaligned(as: uuid_t.self)))
            }
        case .string: .string(try FieldDecoding.string(RawSpan(_unsafeBytes: text)))
        case .url: .url(try FieldDecoding.url(RawSpan(_unsafeBytes: text)))
        case .data: .data(FieldDecoding.data(RawSpan(_unsafeBytes: text)))
        }
    }
}
