import Foundation
import SeededRandom
import Testing

@testable import LoamStorage

/// What is done with values without memory of their own is what is done with values.
@Suite struct UnboxedValueTests {
    private static let decimals: [Decimal] =
        [
            "0", "1", "1.0", "-1", "1.5", "0.1", "100", "1e30", "-1e-30", "9007199254740993", "2", "5", "1e127",
            "-1e127",
            "1e-127", "12345678901234567890.123456789", "99999999999999999999999999999999999999", "3e-128", "0.3", "7",
            "340282366920938463463374607431768211455", "-0.00000000000000000000000000000000000000001", "19.99",
            "1.000001",
            "4.9406564584124654e-100", "1.7976931348623157e100",
        ].compactMap { Decimal(string: $0) } + [
            .nan, .greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude,
        ]

    private static let doubles: [Double] = [
        0, -0.0, 1, -1, 1.5, 0.1, 0.3, 100, 1e30, -1e-30, 1e127, 9_007_199_254_740_992, 19.99, .infinity, -.infinity,
        .nan, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 3.4028236692093846e38, 1e-128, 1e22, 1e23,
    ]

    private static func parts(_ value: Decimal) throws -> DecimalParts { try #require(DecimalParts(value)) }

    private static func randomDecimal(_ generator: inout SeededGenerator) -> Decimal {
        let digits = Int.random(in: 1...38, using: &generator)
        let text = (0..<digits).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
        let exponent = Int.random(in: -40...40, using: &generator)
        let sign = Bool.random(using: &generator) ? "-" : ""
        return Decimal(string: "\(sign)\(text)e\(exponent)") ?? 0
    }

    private static func all(_ generator: inout SeededGenerator, random count: Int) -> [Decimal] {
        decimals + (0..<count).map { _ in randomDecimal(&generator) }
    }

    @Test func decimalsAreOrderedAsTheirDigits() throws {
        var generator = SeededGenerator(seed: 5)
        let decimals = Self.all(&generator, random: 120)
        for left in decimals {
            let first = UnboxedValue.decimal(try Self.parts(left))
            #expect(try first.boxed() == .decimal(left))
            #expect(UnboxedValue.decimal(DecimalParts(inMemoryOf: left)).boxedDecimal == left || left.isNaN)
            for right in decimals {
                let order = UnboxedValue.decimalOrder(first, .decimal(try Self.parts(right)))
                #expect(order.map(\.signum) == Self.order(ExactDecimal(left), ExactDecimal(right)), "\(left), \(right)")
            }
            for right in Self.doubles + [NSDecimalNumber(decimal: left).doubleValue] {
                let order = UnboxedValue.decimalOrder(first, .double(right))
                let expected: Int? =
                    left.isNaN || right.isNaN
                    ? nil
                    : right.isInfinite ? (right < 0 ? 1 : -1) : Self.order(ExactDecimal(left), ExactDecimal(right))
                #expect(order.map(\.signum) == expected, "\(left), \(right)")
                #expect(UnboxedValue.decimalOrder(.double(right), first).map(\.signum) == expected.map(-))
            }
            for right in [Int64.min, -1, 0, 1, 5, .max] {
                let order = UnboxedValue.decimalOrder(first, .int(right))
                #expect(order.map(\.signum) == Self.order(ExactDecimal(left), ExactDecimal(right)), "\(left), \(right)")
            }
        }
    }

    private static func order(_ left: ExactDecimal?, _ right: ExactDecimal?) -> Int? {
        guard let left, let right else { return nil }
        return left < right ? -1 : left == right ? 0 : 1
    }

    @Test func decimalArithmeticGivesWhatFoundationDoes() throws {
        var generator = SeededGenerator(seed: 6)
        var exact = 0
        for left in Self.all(&generator, random: 150) {
            for right in Self.all(&generator, random: 20) {
                for operation in [ArithmeticOperator.add, .subtract, .multiply, .divide] {
                    let expected = Arithmetic.decimal.apply(operation, left: .decimal(left), right: .decimal(right))
                    let (first, second) = (try Self.parts(left), try Self.parts(right))
                    if !first.isNaN, !second.isNaN,
                        DecimalParts.exactResult(operation, left: first, right: second) != nil
                    {
                        exact += 1
                    }
                    let found = try Arithmetic.decimal.apply(
                        operation, left: .decimal(first), right: .decimal(second))
                    #expect(try found.boxed() == expected, "\(left) \(operation) \(right)")
                }
            }
        }
        #expect(exact > 1_000)
    }

    /// A quotient without an end has the digits that this Foundation gives it.
    @Test func quotientsAreCutAsFoundationCutsThem() throws {
        var generator = SeededGenerator(seed: 9)
        var cut = 0
        for number in 0..<60_000 {
            var (left, right) = (Self.anyDecimal(&generator), Self.anyDecimal(&generator))
            if number % 3 == 0 { right = Decimal(Int.random(in: 2...999, using: &generator)) }
            if number % 7 == 0 { left = Decimal(Int.random(in: -999...999, using: &generator)) / 100 }
            guard !right.isZero, let found = DecimalParts.cutQuotient(try Self.parts(left), try Self.parts(right))
            else {
                continue
            }
            cut += 1
            var result = Decimal()
            #expect(NSDecimalDivide(&result, &left, &right, .plain) == .noError, "\(left) / \(right)")
            #expect(try Self.parts(result) == found, "\(left) / \(right)")
        }
        #expect(cut > 20_000, "this Foundation rounds quotients in another way, so that each of them takes memory")
    }

    /// With a mantissa of any number of bits.
    private static func anyDecimal(_ generator: inout SeededGenerator) -> Decimal {
        let shift = UInt128(Int.random(in: 0..<128, using: &generator))
        let high = UInt64.random(in: 0...UInt64.max, using: &generator)
        let mantissa = (UInt128(high) << 64 | UInt128(UInt64.random(in: 0...UInt64.max, using: &generator))) >> shift
        let sign = Bool.random(using: &generator) ? "-" : ""
        return Decimal(string: "\(sign)\(mantissa)e\(Int.random(in: -30...30, using: &generator))") ?? 0
    }

    @Test func decimalsBecomeTheDoublesThatTheirTextReads() throws {
        var generator = SeededGenerator(seed: 7)
        for decimal in Self.all(&generator, random: 2_000) where !decimal.isNaN {
            #expect(try Self.parts(decimal).approximateDouble == Double(decimal.description), "\(decimal)")
        }
    }

    @Test func decimalsHaveTheSameKeysAsValues() throws {
        var generator = SeededGenerator(seed: 8)
        for decimal in Self.all(&generator, random: 1_000) {
            let key = DecimalKey.withBytes(of: try Self.parts(decimal)) { Array($0) }
            #expect(key == DecimalKey.bytes(of: decimal), "\(decimal)")
        }
    }

    @Test func lettersChangeTheirCaseAsSwiftHasIt() throws {
        let texts = [
            "", "Plain Text", "straße", "ÄÖÜ", "İstanbul", "ﬃ", "ŉ", "ΐ", "ΑΣ", "日本 go", "a\r\nB", "👩‍👩‍👧 Family",
            "e\u{301}\u{345}", "ǅ", "\u{0}A\u{1}",
        ]
        let memory = TextMemory()
        for text in texts {
            for function in [Function.lowercase, .uppercase] {
                let typed = try #require(TypedFunction(function, of: [.string]))
                let result = try typed.result(of: memory.keep(.string(text))) { memory }
                #expect(try result.boxed() == typed.result(of: .string(text)), "\(text)")
                #expect(!result.isPlain || PlainText.isPlain(result.text))
            }
        }
    }

    @Test func aMemoryKeepsWhatItHasUntilItIsEmptied() {
        let memory = TextMemory()
        for _ in 0..<3 {
            let texts = (0..<200).map { String(repeating: "\($0)", count: $0) }
            let kept = texts.map { memory.keep(.string($0)) }
            for (text, value) in zip(texts, kept) { #expect(String(decoding: value.text, as: UTF8.self) == text) }
            memory.removeAll()
        }
    }
}

extension Int {
    fileprivate var signum: Int { signum() }
}

extension UnboxedValue {
    fileprivate var boxedDecimal: Decimal? {
        if case .decimal(let value)? = try? boxed() { value } else { nil }
    }
}
