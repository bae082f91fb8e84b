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
                "add", "divide", "lowercase", "multiply", "negate", "remainder", "subtract", "uppercase",
            ])
    }

    @Test(arguments: Function.allCases)
    func aNameHasAColonForEachArgument(function: Function) {
        let entry = function.entry
        #expect(entry.name.hasSuffix(":") && entry.name.count { $0 == ":" } == entry.parameters.count)
        #expect(Function(named: entry.name) == function)
        #expect((Function(named: String(entry.name.dropLast())) == function) == (entry.parameters.count == 1))
        switch entry.notation {
        case .call: break
        case .infix: #expect(entry.parameters.count == 2)
        case .prefix: #expect(entry.parameters.count == 1)
        }
    }

    @Test func whatIsNoFunctionHasNoName() {
        for name in ["", ":", "lower", "add", "to:", "add:to", "add:to::", "Lowercase:"] {
            #expect(Function(named: name) == nil)
        }
    }

    @Test(arguments: Function.allCases)
    func nilGivesNil(function: Function) throws {
        let types = function.entry.parameters.map { parameter in
            if case .type(let type) = parameter { type } else { ValueType.int64 }
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
            (7, 5, 2), (-7, 5, -2), (7, -5, 2), (-7, -5, -2), (.max, .min, .max), (.min, -1, 0), (0, 3, 0), (7, 0, nil),
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
}
