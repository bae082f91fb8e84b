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
        default:
            let result = result(of: try argument.boxed())
            return UnboxedValue(result) ?? memory().keep(result)
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
        case .remainder: return Arithmetic.remainder(of: first, by: second)
        default:
            let result = result(of: try first.boxed(), and: try second.boxed())
            return UnboxedValue(result) ?? memory().keep(result)
        }
    }
}

/// Letters in another case, as Swift's `lowercased()` and `uppercased()` have them, on a string's bytes.
private enum Letters {
    enum Case { case lowercase, uppercase }

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
