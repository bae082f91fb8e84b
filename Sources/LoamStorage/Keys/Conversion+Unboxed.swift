import Foundation

/// A value as it is converted to other types, without a ``Value`` in between: what a ``Conversion`` of it gives.
///
/// Nothing is taken from the heap, but where Foundation's types read or write a text (decimals of many digits, decimals
/// that become a text, URLs) and where floating point becomes a text of more than 15 bytes.
struct UnboxedConversion {
    let value: UnboxedValue

    /// A number or a date as a double, in the nearest one; NaN for any other value.
    var number: Double { value.kind == .date ? value.floating : value.approximateDouble }

    var double: UnboxedValue {
        switch value.kind {
        case .string: NumberText(value.text).double.map(UnboxedValue.double) ?? .null
        case .bool: .double(value.bool ? 1 : 0)
        default: .double(number)
        }
    }

    var float: UnboxedValue {
        switch value.kind {
        case .string: NumberText(value.text).float.map(UnboxedValue.float) ?? .null
        case .bool: .float(value.bool ? 1 : 0)
        default: .float(Float(number))
        }
    }

    /// The whole number, where an integer of this width holds it.
    func integer<Width: FixedWidthInteger>(_ width: Width.Type) -> UnboxedValue {
        let whole = value.kind == .string ? NumberText(value.text).integer : whole
        guard let whole, let number = Width(exactly: whole) else { return .null }
        return Width.isSigned ? .int(Int64(truncatingIfNeeded: number)) : .uint(UInt64(truncatingIfNeeded: number))
    }

    /// The number without its fraction.
    private var whole: Int128? {
        switch value.kind {
        case .int, .uint: return value.integer
        case .bool: return value.bool ? 1 : 0
        case .decimal: return value.decimal.isNaN ? nil : value.decimal.whole
        default:
            let number = number
            return number.magnitude < 0x1p65 ? Int128(number) : nil
        }
    }

    /// Nil where it has to be made of a ``Value``.
    var decimal: UnboxedValue? {
        switch value.kind {
        case .decimal: value
        case .int, .uint: value.integer.map { .decimal(DecimalParts($0)) } ?? .null
        case .bool: .decimal(DecimalParts(value.bool ? 1 : 0))
        case .string: NumberText(value.text).decimal.map(UnboxedValue.decimal)
        case .float: ShortestDigits.withText(of: Float(value.floating)) { Self.decimal($0) }
        default: ShortestDigits.withText(of: number) { Self.decimal($0) }
        }
    }

    private static func decimal(_ text: UnsafeRawBufferPointer) -> UnboxedValue? {
        NumberText(text).decimal.map(UnboxedValue.decimal)
    }

    var bool: UnboxedValue {
        switch value.kind {
        case .bool: return value
        case .string:
            let text = value.text
            if text.elementsEqual("true".utf8) { return .bool(true) }
            return text.elementsEqual("false".utf8) ? .bool(false) : .null
        default:
            let number = number
            return number == 0 ? .bool(false) : number == 1 ? .bool(true) : .null
        }
    }

    var date: UnboxedValue { value.kind == .date ? value : .date(number) }

    /// Nil where it has to be made of a ``Value``.
    func string(_ memory: () -> TextMemory) -> UnboxedValue? {
        switch value.kind {
        case .string: value
        case .url: .text(.string, value.text, isPlain: PlainText.isPlain(value.text))
        case .int, .uint: value.integer.map { memory().keep(digitsOf: $0) } ?? .null
        case .uuid: memory().keep(digitsOf: value.halves)
        default: nil
        }
    }
}

extension TextMemory {
    /// An integer in decimal digits.
    fileprivate func keep(digitsOf number: Int128) -> UnboxedValue {
        let text = write(atMost: 40) { room in
            var (start, rest) = (40, number.magnitude)
            repeat {
                start -= 1
                room[start] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            if number < 0 {
                start -= 1
                room[start] = 0x2D
            }
            for place in start..<40 { room[place - start] = room[place] }
            return 40 - start
        }
        return .text(.string, text, isPlain: true)
    }

    /// A UUID in capital letters, as Foundation writes it.
    fileprivate func keep(digitsOf halves: (high: UInt64, low: UInt64)) -> UnboxedValue {
        let text = write(atMost: 36) { room in
            var place = 0
            for digit in 0..<32 {
                if digit % 4 == 0, 8...20 ~= digit {
                    room[place] = 0x2D
                    place += 1
                }
                let half = digit < 16 ? halves.high : halves.low
                let value = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (digit % 16))) & 0xF
                room[place] = value < 10 ? 0x30 + value : 0x37 + value
                place += 1
            }
            return place
        }
        return .text(.string, text, isPlain: true)
    }
}
