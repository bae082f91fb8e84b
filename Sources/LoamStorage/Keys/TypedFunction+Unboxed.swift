import Foundation

extension TypedFunction {
    /// The result of a function of one argument, which is of the function's types or nil, as ``result(of:)`` has it.
    ///
    /// - Parameter memory: where the text of a result lies.
    /// - Throws: `damagedRecord` for a string that is not UTF-8.
    package func result(of argument: UnboxedValue, _ memory: () -> TextMemory) throws -> UnboxedValue {
        if argument.isNull { return .null }
        switch function {
        case .negate: return try numbers.negate(argument)
        case .lowercase where argument.kind == .string:
            return try Letters.mapped(argument, to: .lowercase, memory())
        case .uppercase where argument.kind == .string:
            return try Letters.mapped(argument, to: .uppercase, memory())
        case .length: return .int(Int64(try length(of: argument)))
        case .floor: return try rounded(argument, .down, memory)
        case .ceiling: return try rounded(argument, .up, memory)
        case .truncate: return try rounded(argument, .towardZero, memory)
        case .round: return try rounded(argument, .toNearestOrAwayFromZero, memory)
        case .year: return part(.year, of: argument)
        case .month: return part(.month, of: argument)
        case .day: return part(.day, of: argument)
        case .startOfMonth: return part(.startOfMonth, of: argument)
        case .startOfDay: return part(.startOfDay, of: argument)
        case .first: return try argument.element(at: 0)
        case .last: return try argument.elementCount.map { try argument.element(at: $0 - 1) } ?? .null
        case .noIndex: return argument
        case .absolute: return absolute(argument)
        case .squareRoot: return .double(UnboxedConversion(value: argument).number.squareRoot())
        case .logarithm: return .double(log10(UnboxedConversion(value: argument).number))
        case .naturalLogarithm: return .double(log(UnboxedConversion(value: argument).number))
        case .exponential: return .double(exp(UnboxedConversion(value: argument).number))
        default: return try converted(argument, memory)
        }
    }

    private func length(of argument: UnboxedValue) throws -> Int {
        switch argument.kind {
        case .string: try Letters.count(argument)
        case .data: argument.text.count
        default: try argument.keyCount
        }
    }

    /// The result of a conversion, and of what is left.
    private func converted(_ argument: UnboxedValue, _ memory: () -> TextMemory) throws -> UnboxedValue {
        let conversion = UnboxedConversion(value: argument)
        switch function {
        case .toInteger: return conversion.integer(Int64.self)
        case .toInt32: return conversion.integer(Int32.self)
        case .toInt16: return conversion.integer(Int16.self)
        case .toInt8: return conversion.integer(Int8.self)
        case .toUnsigned: return conversion.integer(UInt64.self)
        case .toUInt32: return conversion.integer(UInt32.self)
        case .toUInt16: return conversion.integer(UInt16.self)
        case .toUInt8: return conversion.integer(UInt8.self)
        case .toDouble: return conversion.double
        case .toFloat: return conversion.float
        case .toBool: return conversion.bool
        case .toDate: return conversion.date
        case .toDecimal: return try conversion.decimal ?? general(argument, memory)
        case .toString: return try conversion.string(memory) ?? general(argument, memory)
        case .toUUID where argument.kind == .uuid, .toURL where argument.kind == .url: return argument
        default: return try general(argument, memory)
        }
    }

    private func general(_ argument: UnboxedValue, _ memory: () -> TextMemory) throws -> UnboxedValue {
        let result = result(of: try argument.boxed())
        return UnboxedValue(result) ?? memory().keep(result)
    }

    /// Whole numbers stay, and so does their type.
    private func rounded(
        _ number: UnboxedValue, _ rule: FloatingPointRoundingRule, _ memory: () -> TextMemory
    ) throws -> UnboxedValue {
        switch number.kind {
        case .int, .uint: number
        case .float, .double: .double(number.floating.rounded(rule))
        case .decimal:
            try number.decimal.wholePart(rule.decimalSide).map(UnboxedValue.decimal) ?? general(number, memory)
        default: try general(number, memory)
        }
    }

    /// Nil for the least integer, whose opposite there is not.
    private func absolute(_ number: UnboxedValue) -> UnboxedValue {
        switch number.kind {
        case .int: Int64(exactly: number.int.magnitude).map(UnboxedValue.int) ?? .null
        case .uint: number
        case .float, .double: .double(number.floating.magnitude)
        case .decimal: .decimal(number.decimal.magnitude)
        default: .null
        }
    }

    /// Nil where the time zone is not known.
    private func part(_ part: CalendarPart, of date: UnboxedValue) -> UnboxedValue {
        guard date.kind == .date, let zone else { return .null }
        return switch zone.part(part, of: date.floating) {
        case .number(let number): .int(number)
        case .seconds(let seconds): .date(seconds)
        case nil: .null
        }
    }

    /// The result of a function of two arguments, each of the function's types or nil, as ``result(of:and:)`` has it.
    ///
    /// - Parameter memory: where the text of a result lies.
    /// - Throws: `damagedRecord` for a string that is not UTF-8.
    package func result(
        of first: UnboxedValue, and second: UnboxedValue, _ memory: () -> TextMemory
    ) throws -> UnboxedValue {
        if first.isNull || second.isNull { return .null }
        switch function {
        case .add: return try numbers.apply(.add, left: first, right: second)
        case .subtract: return try numbers.apply(.subtract, left: first, right: second)
        case .multiply: return try numbers.apply(.multiply, left: first, right: second)
        case .divide: return try numbers.apply(.divide, left: first, right: second)
        case .remainder: return numbers.remainder(of: first, by: second)
        case .element: return try isOfStructure ? first.member(named: second) : first.element(at: second)
        case .year, .month, .day, .startOfMonth, .startOfDay:
            if zone != nil { return try result(of: first, memory) }
            fallthrough
        default:
            let result = result(of: try first.boxed(), and: try second.boxed())
            return UnboxedValue(result) ?? memory().keep(result)
        }
    }
}

extension FloatingPointRoundingRule {
    /// Where a decimal goes, as ``Function/evaluation`` has it.
    fileprivate var decimalSide: DecimalSide? {
        switch self {
        case .down: .down
        case .up: .up
        case .toNearestOrAwayFromZero: .nearest
        default: nil
        }
    }
}

/// How many characters there are, and letters in another case, as Swift's `count`, `lowercased()` and `uppercased()` have
/// them, on a string's bytes.
private enum Letters {
    enum Case { case lowercase, uppercase }

    /// - Throws: `damagedRecord` for a string that is not UTF-8.
    static func count(_ string: UnboxedValue) throws -> Int {
        let text = string.text
        if string.isPlain || StringForms.isASCII(text) && !text.contains(0x0D) { return text.count }
        guard StringForms.isUTF8(text) else { throw StorageError(.damagedRecord("a string is not UTF-8")) }
        return text.withMemoryRebound(to: UInt8.self) { bytes in
            guard let span = try? UTF8Span(validating: bytes.span) else { return 0 }
            var characters = span.makeCharacterIterator()
            var count = 0
            while characters.skipForward() != 0 { count += 1 }
            return count
        }
    }

    static func mapped(_ string: UnboxedValue, to wanted: Case, _ memory: TextMemory) throws -> UnboxedValue {
        let text = string.text
        guard string.isPlain || StringForms.isASCII(text) else { return try mappedScalars(text, wanted, memory) }
        let result = memory.write(atMost: text.count) { room in
            // The first letter of those that change.
            let first: UInt8 = wanted == .lowercase ? 0x41 : 0x61
            for index in 0..<text.count {
                let byte = text[index]
                room[index] = byte ^ (byte &- first < 26 ? 0x20 : 0)
            }
            return text.count
        }
        return .text(.string, result, isPlain: string.isPlain)
    }

    private static func mappedScalars(
        _ text: UnsafeRawBufferPointer, _ wanted: Case, _ memory: TextMemory
    ) throws -> UnboxedValue {
        guard StringForms.isUTF8(text) else { throw StorageError(.damagedRecord("a string is not UTF-8")) }
        // No character becomes more than three, of up to four bytes.
        let result = memory.write(atMost: 12 * text.count) { room in
            text.withMemoryRebound(to: UInt8.self) { bytes in
                guard let span = try? UTF8Span(validating: bytes.span) else { return 0 }
                var scalars = span.makeUnicodeScalarIterator()
                var end = 0
                while let scalar = scalars.next() {
                    let properties = scalar.properties
                    let mapping = wanted == .lowercase ? properties.lowercaseMapping : properties.uppercaseMapping
                    for byte in mapping.utf8 {
                        room[end] = byte
                        end += 1
                    }
                }
                return end
            }
        }
        return .text(.string, result, isPlain: false)
    }
}
