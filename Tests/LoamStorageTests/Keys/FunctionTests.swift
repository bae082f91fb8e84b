import Foundation
import Testing

@testable import LoamStorage

@Suite struct FunctionTests {
    private func typed(_ function: Function, _ types: ValueType...) throws -> TypedFunction {
        try #require(TypedFunction(function, of: types))
    }

    /// Stores hold the raw values of functions, so these never change.
    @Test func rawValuesStay() {
        #expect(
            Function.allCases.map(\.rawValue).sorted() == [
                "absolute", "add", "bitwiseAnd", "bitwiseOr", "bitwiseXor", "ceiling", "day", "divide", "element",
                "exponential", "first", "floor", "last", "leftShift", "length", "logarithm", "lowercase", "month",
                "multiply", "naturalLogarithm", "negate", "noIndex", "now", "onesComplement", "power", "remainder",
                "rightShift", "round", "squareRoot", "startOfDay", "startOfMonth", "subtract", "toBool", "toDate",
                "toDecimal", "toDouble", "toFloat", "toInt16", "toInt32", "toInt8", "toInteger", "toString",
                "toUInt16", "toUInt32", "toUInt8", "toURL", "toUUID", "toUnsigned", "truncate", "uppercase", "year",
            ])
    }

    @Test(arguments: Function.allCases)
    func aNameHasAColonForEachArgument(function: Function) {
        let entry = function.entry
        #expect(entry.name.hasSuffix(":") != entry.parameters.isEmpty)
        #expect(entry.name.count { $0 == ":" } == entry.parameters.count)
        #expect(Function(named: entry.name) == function)
        #expect(Function(named: entry.calledName) == function)
        #expect(Function(named: String(entry.name.prefix { $0 != ":" })) == function)
        switch entry.notation {
        case .call: break
        case .infix: #expect(entry.parameters.count == 2)
        case .prefix, .cast: #expect(entry.parameters.count == 1)
        case .brackets(let word): #expect(entry.parameters.count == (word == nil ? 2 : 1))
        }
    }

    @Test func whatIsNoFunctionHasNoName() {
        for name in ["", ":", "lower", "to:", "add:to", "add:to::", "Lowercase:"] {
            #expect(Function(named: name) == nil)
        }
    }

    @Test(arguments: Function.allCases.filter { $0 != .now })
    func nilGivesNil(function: Function) throws {
        let types = function.entry.parameters.map { parameter -> ValueType in
            switch parameter {
            case .type(let type): type
            case .one(let types): types.first ?? .string
            case .timeZone, .measured: .string
            case .array, .collection: .array(of: .string, optional: false)
            case .number, .integer, .ordered, .key: .int64
            }
        }
        let typed = try #require(TypedFunction(function, of: types))
        if types.count == 1 {
            #expect(typed.result(of: .null) == .null)
        } else {
            #expect(typed.result(of: .null, and: .int(1)) == .null && typed.result(of: .int(1), and: .null) == .null)
        }
    }

    @Test func whatOtherTypesGive() {
        #expect(TypedFunction(.add, of: [.int64]) == nil && TypedFunction(.negate, of: [.int8, .int8]) == nil)
        #expect(
            TypedFunction(.add, of: [.int64, .string]) == nil && TypedFunction(.multiply, of: [.date, .int8]) == nil)
        #expect(TypedFunction(.remainder, of: [.int64, .double]) == nil)
        #expect(TypedFunction(.lowercase, of: [.int64]) == nil && TypedFunction(.lowercase, of: [.url]) == nil)
    }

    @Test(
        arguments: [
            (.int8, .int32, .int64), (.int64, .uint8, .uint64), (.uint8, .uint8, .uint64), (.int8, .decimal, .decimal),
            (.decimal, .float, .double), (.float, .uint64, .double), (.double, .int8, .double),
        ] as [(ValueType, ValueType, ValueType)])
    func theWiderNumberDecides(left: ValueType, right: ValueType, result: ValueType) throws {
        for function in [Function.add, .subtract, .multiply, .divide] {
            for types in [[left, right], [right, left]] {
                #expect(function.type(of: types) == result)
                #expect(TypedFunction(function, of: types)?.isTotal == (result == .double))
            }
        }
    }

    @Test(
        arguments: [
            (7, 5, 2), (-7, 5, -2), (7, -5, 2), (-7, -5, -2), (.max, .min, .max), (.min, -1, nil), (.max, -1, 0),
            (0, 3, 0),
            (7, 0, nil),
        ] as [(Int64, Int64, Int64?)])
    func remaindersHaveTheSignOfTheNumber(number: Int64, divisor: Int64, rest: Int64?) throws {
        let typed = try typed(.remainder, .int64, .int32)
        #expect(typed.result(of: .int(number), and: .int(divisor)) == rest.map(Value.int) ?? .null)
        #expect(typed.type == .int64 && !typed.isTotal)
    }

    @Test func remaindersOfNumbersWithoutSign() throws {
        let typed = try typed(.remainder, .int64, .uint64)
        #expect(typed.type == .uint64)
        #expect(typed.result(of: .int(-7), and: .uint(.max)) == .int(-7))
        #expect(typed.result(of: .uint(.max), and: .uint(1 << 63)) == .int(.max))
        #expect(typed.result(of: .uint(.max - 1), and: .uint(.max)) == .uint(.max - 1))
        #expect(typed.result(of: .int(.min), and: .uint(.max)) == .int(.min))
        #expect(typed.result(of: .int(.min), and: .int(-1)) == .int(0))
    }

    @Test func negationLeavesNoType() throws {
        let (signed, unsigned) = (try typed(.negate, .int64), try typed(.negate, .uint64))
        #expect(signed.result(of: .int(5)) == .int(-5) && signed.result(of: .int(.min)) == .null)
        #expect(unsigned.result(of: .uint(5)) == .int(-5) && unsigned.result(of: .uint(.max)) == .null)
        #expect(unsigned.type == .int64 && signed.type == .int64)
        #expect(try typed(.negate, .float).result(of: .float(1.5)) == .double(-1.5))
        #expect(try typed(.negate, .decimal).result(of: .decimal(2)) == .decimal(-2))
    }

    @Test(arguments: ["", "abc", "ÅSA Straße", "ΣΊΣΥΦΟΣ", "İstanbul", "𐐀"])
    func lettersBecomeThoseOfSwift(text: String) throws {
        let (lower, upper) = (try typed(.lowercase, .string), try typed(.uppercase, .string))
        #expect(lower.result(of: .string(text)) == .string(text.lowercased()))
        #expect(upper.result(of: .string(text)) == .string(text.uppercased()))
        #expect(lower.type == .string && lower.isTotal && upper.type == .string && upper.isTotal)
    }

    @Test func whatDependsOnUnicodeSaysSo() throws {
        let version = try #require(Function.lowercase.version)
        #expect(version == Function.uppercase.version && version.hasPrefix("letters "))
        for function in Function.allCases where function.entry.parameters.contains(.number) {
            #expect(function.version == nil)
        }
    }

    @Test(
        arguments: [
            ("1e100", Function.multiply, "1e40", "10000000000000e127"), ("1e127", .add, "1", "1e127"),
            ("1e-100", .multiply, "-1e-20", "-1e-120"),
            ("1e100", .divide, "1e-20", "1e120"), ("7e100", .divide, "7e90", "1e10"),
            ("5e100", .subtract, "5e100", "0"),
            ("3e-100", .subtract, "5e-100", "-2e-100"), ("1e-100", .multiply, "1e-100", "0"),
            ("9e-100", .multiply, "-7e-100", "0"), ("5e-66", .multiply, "1e-64", "0"),
            ("5e-65", .multiply, "2e-64", "1e-128"), ("9e-128", .divide, "1e127", "0"),
            ("1e127", .multiply, "1e127", nil),
            ("1e100", .divide, "0", nil), ("25e60", .divide, "4", "625e58"), ("999e100", .add, "1e100", "1000e100"),
        ] as [(String, Function, String, String?)])
    func decimalsOfAnyExponent(left: String, function: Function, right: String, expected: String?) throws {
        let (left, right) = (try #require(Decimal(string: left)), try #require(Decimal(string: right)))
        let result = try typed(function, .decimal, .decimal).result(of: .decimal(left), and: .decimal(right))
        #expect(result == expected.flatMap { Decimal(string: $0) }.map(Value.decimal) ?? .null)
    }

    /// A value for each kind, with what is hard about it.
    private static let values: [Value] =
        [Int64.min, -129, -1, 0, 1, 63, 64, 65, .max].map(Value.int)
        + [UInt64.min, 1, 1 << 63, .max].map(Value.uint)
        + [-.infinity, -1e300, -1.5, -0.0, 0, 0.5, 1e19, 1e300, .infinity, .nan].map(Value.double)
        + [-.infinity, -1.5, 0, 3e38, .nan].map(Value.float)
        + ["0", "1.5", "-1.5", "1e127", "-1e-127", "99999999999999999999999999999999999999", "0.1e-20"].compactMap {
            Decimal(string: $0).map(Value.decimal)
        }
        + [.decimal(.nan), .decimal(.greatestFiniteMagnitude), .decimal(.leastNormalMagnitude)]
        + ["", "1", "-1", "1.5", "1e400", "nan", "true", "x", "e\u{301}", "9999999999999999999999", "0x1p3"].map(
            Value.string)
        + [.bool(true), .bool(false), .date(Date(timeIntervalSinceReferenceDate: .nan)), .uuid(UUID()), .array([])]
        + [
            .array([.string("a")]), .dictionary([.string("1"): .int(1)]),
            .date(Date(timeIntervalSinceReferenceDate: 1e300)),
        ]

    /// No value traps, and what a function says of its results is true of them.
    @Test(arguments: Function.allCases)
    func resultsAreOfTheTypeThatIsSaid(function: Function) throws {
        func types(of value: Value) -> [ValueType] {
            switch value {
            case .array: [.array(of: .string, optional: false)]
            case .dictionary: [.dictionary(key: .string, value: .int64, optional: false)]
            default: value.scalarType.map { [$0] } ?? []
            }
        }
        func check(_ typed: TypedFunction, _ result: Value) {
            #expect(!result.isNull || !typed.isTotal)
            guard let type = result.scalarType else { return }
            #expect(type == typed.type || type.isInteger && typed.type.isInteger, "\(function): \(result)")
        }
        for first in Self.values {
            for type in types(of: first) where function.entry.parameters.count == 1 {
                guard let typed = TypedFunction(function, of: [type]) else { continue }
                check(typed, typed.result(of: first))
            }
            for second in Self.values where function.entry.parameters.count == 2 {
                guard let typed = TypedFunction(function, of: types(of: first) + types(of: second)) else { continue }
                check(typed, typed.result(of: first, and: second))
            }
        }
    }

    private func result(_ function: Function, _ value: Value) -> Value? {
        value.scalarType.flatMap { TypedFunction(function, of: [$0]) }?.result(of: value)
    }

    @Test func roundingKeepsWhatIsWhole() throws {
        for (text, floor, ceiling, whole, round) in [
            ("2.5", "2", "3", "2", "3"), ("-2.5", "-3", "-2", "-2", "-3"), ("2.49", "2", "3", "2", "2"),
            ("0.1e-20", "0", "1", "0", "0"), ("-1e-127", "-1", "0", "0", "0"),
            ("1e127", "1e127", "1e127", "1e127", "1e127"), ("7", "7", "7", "7", "7"),
            (
                "99999999999999999999999999999999999.5", "99999999999999999999999999999999999", "1e35",
                "99999999999999999999999999999999999", "1e35"
            ),
        ] {
            let value = Value.decimal(try #require(Decimal(string: text)))
            let all = [(Function.floor, floor), (.ceiling, ceiling), (.truncate, whole), (.round, round)]
            for (function, expected) in all {
                #expect(result(function, value) == .decimal(try #require(Decimal(string: expected))), "\(text)")
            }
        }
        #expect(result(.floor, .double(-1.5)) == .double(-2) && result(.ceiling, .float(1.5)) == .double(2))
        #expect(result(.truncate, .int(.min)) == .int(.min) && result(.floor, .uint(.max)) == .uint(.max))
    }

    @Test func bitsThatAreLostGiveNil() throws {
        let left = try typed(.leftShift, .int64, .int64)
        #expect(left.result(of: .int(1), and: .int(62)) == .int(1 << 62))
        #expect(left.result(of: .int(0), and: .int(.max)) == .int(0))
        #expect(left.result(of: .int(3), and: .int(64)) == .null && left.result(of: .int(-1), and: .int(64)) == .null)
        #expect(left.result(of: .int(-8), and: .int(.min)) == .int(-1))
        let right = try typed(.rightShift, .int64, .int64)
        #expect(
            right.result(of: .int(-8), and: .int(1)) == .int(-4) && right.result(of: .int(8), and: .int(99)) == .int(0))
        #expect(right.result(of: .int(1), and: .int(-3)) == .int(8))
        #expect(result(.onesComplement, .uint(0)) == .uint(.max) && result(.onesComplement, .int(0)) == .int(-1))
        let or = try typed(.bitwiseOr, .int64, .uint64)
        #expect(or.result(of: .int(1), and: .uint(1 << 63)) == .uint(1 << 63 | 1))
        #expect(or.result(of: .int(-1), and: .uint(.max)) == .int(-1))
    }

    @Test func conversionsThatDoNotFitGiveNil() throws {
        for (function, value, expected) in [
            (.toInteger, .double(-1.9), .int(-1)), (.toInteger, .double(1e19), .null),
            (.toInteger, .double(.nan), .null),
            (.toInteger, .uint(.max), .null), (.toUnsigned, .double(1e19), .uint(10_000_000_000_000_000_000)),
            (.toInt8, .int(127), .int(127)), (.toInt8, .int(128), .null), (.toInt8, .double(-128.9), .int(-128)),
            (.toInt16, .int(-32_769), .null), (.toInt32, .uint(1 << 31), .null), (.toInt32, .string("-7"), .int(-7)),
            (.toUInt8, .int(255), .uint(255)), (.toUInt8, .int(256), .null), (.toUInt16, .int(-1), .null),
            (.toUInt32, .double(4_294_967_295.5), .uint(4_294_967_295)), (.toUInt32, .double(4_294_967_296), .null),
            (.toUnsigned, .int(-1), .null), (.toInteger, .string("12"), .int(12)), (.toInteger, .string("12x"), .null),
            (.toDecimal, .double(0.1), .decimal(Decimal(string: "0.1") ?? 0)), (.toDecimal, .double(1e300), .null),
            (.toDecimal, .string("12x"), .null), (.toDouble, .string("1.5"), .double(1.5)), (.toBool, .int(2), .null),
            (.toBool, .string("true"), .bool(true)), (.toString, .double(1.5), .string("1.5")),
            (.toInteger, .date(Date(timeIntervalSinceReferenceDate: 5.5)), .int(5)), (.toUUID, .string("x"), .null),
            (.toDate, .int(5), .date(Date(timeIntervalSinceReferenceDate: 5))),
        ] as [(Function, Value, Value)] {
            #expect(result(function, value) == expected, "\(function) \(value)")
        }
    }
}
