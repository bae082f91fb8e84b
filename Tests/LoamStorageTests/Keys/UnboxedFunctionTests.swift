import Foundation
import LoamStorage
import SeededRandom
import Testing

/// Functions on values where they lie make what they make of values that stand alone.
@Suite struct UnboxedFunctionTests {
    private static let functions: [Function] = [
        .toInteger, .toInt32, .toInt16, .toInt8, .toUnsigned, .toUInt32, .toUInt16, .toUInt8, .toDouble, .toFloat,
        .toDecimal, .toString, .toBool, .toDate, .toUUID, .toURL, .floor, .ceiling, .truncate, .round, .absolute,
        .negate, .squareRoot, .logarithm, .naturalLogarithm, .exponential, .noIndex, .length, .onesComplement,
    ]

    private static let texts = [
        "", " ", "0", "-0", "+5", "5.", ".5", "-.5", "1e5", "1E-5", "1e", "e5", "0x1p3", "0x1.8p1", "0x", "inf", "-Inf",
        "infinity", "nan", "NaN(12)", "nano", "1 ", " 1", "1,5", "१", "12.5.1", "--1", "+-1", "127", "128", "-129",
        "255", "256", "65536", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808",
        "18446744073709551615", "18446744073709551616", "-9223372036854775808", "99999999999999999999999999999999",
        "3.14159265358979323846", "-0.000000000000000000000001", "1e400", "-1e400", "1e-400", "4.9e-324",
        "0.1000000000000000055511151231257827", "100000000000000000000000000000000000000000", "1e5e5",
        "1.00000000000000000000e10", "12345678901234567890e-10", "1234567890123456.", "1e123456789",
        "true", "false", "True", "TRUE", "yes", "1e100", "1e101", "12345678901234567890.123456789",
        "https://example.org/a", "not a url at all %%", "x:y", "a long text that is no number at all",
        "12345678901234567890 with more behind it",
    ]

    private static func values(_ generator: inout SeededGenerator) -> [(ValueType, Value)] {
        let numbers = (0..<300).map { _ in Double(bitPattern: .random(in: 0...(.max), using: &generator)) }
        let decimals = (0..<400).map { _ in
            Decimal(
                sign: .random(in: 0...1, using: &generator) == 0 ? FloatingPointSign.plus : .minus,
                exponent: .random(in: -60...40, using: &generator),
                significand: Decimal(
                    UInt64.random(in: 0...(.max), using: &generator) >> UInt64.random(in: 0...63, using: &generator)))
        }
        let digits = (0..<300).map { _ in
            let count = Int.random(in: 1...25, using: &generator)
            var text = (0..<count).map { _ in "\(Int.random(in: 0...9, using: &generator))" }.joined()
            if Bool.random(using: &generator) { text += ".\(UInt64.random(in: 0...(.max), using: &generator))" }
            if Bool.random(using: &generator) { text += "e\(Int.random(in: -330...320, using: &generator))" }
            return Bool.random(using: &generator) ? "-" + text : text
        }
        let integers = (0..<100).map { _ in
            Int64.random(in: .min...(.max), using: &generator) >> Int64.random(in: 0...63, using: &generator)
        }
        let ids = (0..<20).map { _ in
            UUID(uuid: withUnsafeBytes(of: (generator.next(), generator.next())) { $0.loadUnaligned(as: uuid_t.self) })
        }
        var values: [(ValueType, Value)] = (texts + digits + ids.map(\.uuidString)).map { (.string, .string($0)) }
        values += ([0, -0.0, 1, 0.5, -0.5, 1.5, 2.5, .nan, .infinity, -.infinity] + numbers).map {
            (.double, .double($0))
        }
        values +=
            numbers.map { (.float, .float(Float($0))) }
            + numbers.map { (.date, .date(Date(timeIntervalSinceReferenceDate: $0))) }
        values += ([0, 1, 0.5, -0.5, 1.5, -2.5, .nan] + decimals).map { (.decimal, .decimal($0)) }
        values += (integers + [.min, .max, 0, 1]).map { (.int64, .int($0)) }
        values += (integers.map(UInt64.init(bitPattern:)) + [.max]).map { (.uint64, .uint($0)) }
        values += [(.bool, .bool(true)), (.bool, .bool(false)), (.int64, .null)] + ids.map { (.uuid, .uuid($0)) }
        return values + ["https://example.org/é?x=1", "x:y"].compactMap(URL.init(string:)).map { (.url, .url($0)) }
    }

    @Test(arguments: [31, 32] as [UInt64])
    func theyAgreeWithThoseOfValues(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let memory = TextMemory()
        var (tests, results) = (0, 0)
        for (type, value) in Self.values(&generator) {
            for function in Self.functions {
                guard let typed = TypedFunction(function, of: [type]) else { continue }
                let expected = typed.result(of: value)
                let found = try typed.result(of: memory.keep(value)) { memory }.boxed()
                tests += 1
                if !expected.isNull { results += 1 }
                #expect(found == expected, "\(function) of \(value)")
                guard case .double(let number) = expected, case .double(let other) = found, number == 0 else {
                    continue
                }
                #expect(number.sign == other.sign, "\(function) of \(value)")
            }
            memory.removeAll()
        }
        #expect(tests > 10_000 && results > tests / 3)
    }
}
