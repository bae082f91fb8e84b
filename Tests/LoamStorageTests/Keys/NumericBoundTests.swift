import Foundation
import LoamStorage
import SeededRandom
import Testing

@Suite("Constants of another numeric type")
struct NumericBoundTests {
    @Test("known cases")
    func knownCases() {
        func bound(_ type: ValueType, _ comparison: NumericBound.Comparison, _ value: Value) -> NumericBound? {
            NumericBound.bound(type, comparison: comparison, constant: value)
        }
        #expect(bound(.int64, .less, .double(5.5)) == .compare(.lessOrEqual, .int(5)))
        #expect(bound(.int64, .greater, .double(-5.5)) == .compare(.greaterOrEqual, .int(-5)))
        #expect(bound(.int64, .less, .double(-5.5)) == .compare(.lessOrEqual, .int(-6)))
        #expect(bound(.int64, .equal, .double(5.5)) == .never)
        #expect(bound(.int64, .less, .double(5)) == .compare(.less, .int(5)))
        #expect(bound(.uint8, .greater, .int(-1)) == .always)
        #expect(bound(.uint8, .lessOrEqual, .int(-1)) == .never)
        #expect(bound(.int8, .less, .int(300)) == .always)
        #expect(bound(.int8, .greater, .int(300)) == .never)
        #expect(bound(.int8, .equal, .int(300)) == .never)
        #expect(bound(.double, .equal, .int(9_007_199_254_740_993)) == .never)
        #expect(
            bound(.double, .less, .int(9_007_199_254_740_993)) == .compare(.lessOrEqual, .double(9_007_199_254_740_992))
        )
        #expect(bound(.int64, .less, .double(9.3e18)) == .always)
        #expect(bound(.int64, .less, .double(0x1p63)) == .always)
        #expect(bound(.uint64, .equal, .double(0x1p63)) == .compare(.equal, .uint(1 << 63)))
        #expect(bound(.float, .equal, .double(0.1)) == .never)
        #expect(bound(.float, .less, .double(0.1)) == .compare(.lessOrEqual, .float(Float(0.1).nextDown)))
        #expect(bound(.float, .equal, .double(0.5)) == .compare(.equal, .float(0.5)))
        #expect(bound(.float, .less, .double(1e300)) == .compare(.lessOrEqual, .float(.greatestFiniteMagnitude)))
        #expect(bound(.float, .greater, .double(1e300)) == .compare(.greaterOrEqual, .float(.infinity)))
        #expect(bound(.float, .less, .double(1e-300)) == .compare(.lessOrEqual, .float(0)))
        #expect(bound(.int64, .less, .double(.infinity)) == .always)
        #expect(bound(.int64, .equal, .double(.infinity)) == .never)
        #expect(bound(.double, .equal, .float(-.infinity)) == .compare(.equal, .double(-.infinity)))
        #expect(bound(.decimal, .greater, .double(-.infinity)) == .always)
        #expect(bound(.double, .equal, .double(.nan)) == .never)
        #expect(bound(.decimal, .equal, .decimal(.nan)) == .never)
        #expect(bound(.decimal, .equal, .double(0.25)) == .compare(.equal, .decimal(Decimal(string: "0.25") ?? 0)))
        #expect(bound(.decimal, .less, .double(1e300)) == .always)
        #expect(
            bound(.decimal, .greater, .double(.leastNonzeroMagnitude))
                == .compare(.greaterOrEqual, .decimal(Decimal(sign: .plus, exponent: -128, significand: 1))))
        #expect(bound(.double, .equal, .decimal(Decimal(string: "0.1") ?? 0)) == .never)
        // 2^128 has 39 digits; the greatest mantissa is one less.
        #expect(
            bound(.decimal, .less, .double(0x1p128))
                == .compare(.lessOrEqual, .decimal(Self.decimal("340282366920938463463374607431768211455e0"))))
        #expect(
            bound(.decimal, .greater, .double(0x1p128))
                == .compare(.greaterOrEqual, .decimal(Self.decimal("34028236692093846346337460743176821146e1"))))
        #expect(bound(.string, .equal, .int(1)) == nil)
        #expect(bound(.int8, .equal, .string("1")) == nil)
        #expect(bound(.double, .equal, .double(-0.0)) == .compare(.equal, .double(0)))
    }

    private static func decimal(_ text: String) -> Decimal { Decimal(string: text) ?? .nan }

    @Test("floats compare with doubles exactly")
    func floats() {
        var random = SeededGenerator(seed: 0x10AD)
        for _ in 0..<5000 {
            let value = Float(bitPattern: .random(in: 0 ... .max, using: &random))
            if !value.isFinite { continue }
            let near: [Double] = [
                Double(value), Double(value).nextUp, Double(value).nextDown, Double(value.nextUp),
            ]
            let constant = near.randomElement(using: &random) ?? 0
            for comparison in NumericBound.Comparison.allCases {
                let expected = Self.holds(comparison, Double(value) < constant ? -1 : Double(value) > constant ? 1 : 0)
                let found =
                    switch NumericBound.bound(.float, comparison: comparison, constant: .double(constant)) {
                    case .compare(let comparison, let bound): Self.holds(comparison, keyOrder(.float(value), bound))
                    default: false
                    }
                if found != expected { Issue.record("\(value) \(comparison) \(constant)") }
            }
        }
    }

    @Test("the bound holds for a value exactly when the comparison does")
    func bruteForce() {
        let seed: UInt64 = .random(in: 0 ... .max)
        print("numeric bounds: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let types: [ValueType] = [.int8, .uint8, .int64, .uint64, .float, .double, .decimal]
        for _ in 0..<15_000 {
            let type = types.randomElement(using: &random) ?? .int8
            let constant = Self.number(types.randomElement(using: &random) ?? .int8, using: &random)
            let value = Self.number(type, near: constant, using: &random)
            guard let left = Self.quarters(value), let right = Self.quarters(constant) else {
                Issue.record("\(value) \(constant)")
                continue
            }
            for comparison in NumericBound.Comparison.allCases {
                let expected = Self.holds(comparison, left < right ? -1 : left > right ? 1 : 0)
                let found =
                    switch NumericBound.bound(type, comparison: comparison, constant: constant) {
                    case .always: true
                    case .never: false
                    case .compare(let comparison, let bound): Self.holds(comparison, keyOrder(value, bound))
                    case nil: !expected
                    }
                if found != expected { Issue.record("\(type) \(value) \(comparison) \(constant) seed \(seed)") }
            }
        }
    }

    private static func holds(_ comparison: NumericBound.Comparison, _ order: Int) -> Bool {
        switch comparison {
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .equal: order == 0
        case .greaterOrEqual: order >= 0
        case .greater: order > 0
        }
    }

    /// Numbers that are whole multiples of a quarter, as many quarters as fit 128 bits.
    private static func quarters(_ value: Value) -> Int128? {
        switch value {
        case .int(let value): Int128(value) * 4
        case .uint(let value): Int128(value) * 4
        case .float(let value): Int128(exactly: value * 4)
        case .double(let value): Int128(exactly: value * 4)
        case .decimal(let value): Int128((value * 4).description)
        default: nil
        }
    }

    private static func number(
        _ type: ValueType, near other: Value? = nil, using random: inout SeededGenerator
    ) -> Value {
        var quarters = Int128(Int.random(in: -40...40, using: &random))
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            quarters +=
                [127, 255, 256, 1 << 24, 1 << 53, 1 << 62, 1 << 63, 1 << 64].randomElement(using: &random).map {
                    $0 * 4
                } ?? 0
        case 1: quarters -= [128, 1 << 24, 1 << 53, 1 << 62, 1 << 63].randomElement(using: &random).map { $0 * 4 } ?? 0
        default: quarters += other.flatMap(Self.quarters) ?? 0
        }
        func clamped<I: FixedWidthInteger>(_: I.Type) -> I { I(clamping: quarters / 4) }
        switch type {
        case .int8: return .int(Int64(clamped(Int8.self)))
        case .uint8: return .uint(UInt64(clamped(UInt8.self)))
        case .int64: return .int(clamped(Int64.self))
        case .uint64: return .uint(clamped(UInt64.self))
        case .float: return .float(Float(quarters) / 4)
        case .double: return .double(Double(quarters) / 4)
        default: return .decimal((Decimal(string: quarters.description) ?? 0) / 4)
        }
    }
}
