import Foundation
import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// A row never raises an error: where an operation has no result, its value is nil.
@Suite struct ArithmeticTests {
    private let row: [String: Value] = [
        "id": .int(.max), "price": .decimal(.greatestFiniteMagnitude), "count": .uint(.max), "size": .double(1e308),
        "small": .int(0), "weight": .float(1),
    ]

    private func typed(_ format: String, _ arguments: [Value] = []) throws -> TypedPredicate {
        try TypeChecker(entity: SampleEntity.entity).check(PredicateParser.parse(format, arguments: arguments))
    }

    private func holds(_ format: String, _ arguments: [Value] = []) throws -> Bool {
        let predicate = try typed(format, arguments)
        let row = PlainRow(rowID: 7, values: SampleEntity.row(row))
        let holds = try predicate.holds(row, related: nil)
        let program = try FilterProgram(Filter(predicate.normalized))
        #expect(try program.matches(row) == holds, "\(format)")
        return holds
    }

    @Test(arguments: [
        "id + 1", "id * 2", "-(-id - 2)", "id / 0", "id / small", "count + 1", "count * count", "count * -1",
        "count - id * 2",
        "price * 10", "price + price", "price / 0", "-price * 100 - price", "1 / 0",
        "18446744073709551615 * 18446744073709551615",
        "9223372036854775807 + 1 + id", "-9223372036854775807 - 2", "small / (small * 5)", "count / (count - count)",
        "(id + 1) * 0", "nil + 1", "-nil", "(-9223372036854775807 - 1) / -1",
        "modulus:by:(-id - 1, -1)", "modulus:by:(-9223372036854775807 - 1, -1)", "modulus:by:(-id - 1, small - 1)",
        "modulus:by:(id, small)",
    ])
    func whatThereIsNotIsNil(expression: String) throws {
        #expect(try holds("\(expression) == nil"))
        #expect(try !holds("\(expression) != nil"))
        for comparison in ["<", "<=", ">", ">="] {
            #expect(try !holds("\(expression) \(comparison) 5"))
            #expect(try holds("NOT \(expression) \(comparison) 5"))
            #expect(try holds("NOT NOT NOT 5 \(comparison) \(expression)"))
        }
        #expect(try holds("\(expression) IN {1, nil} AND NOT \(expression) IN {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}"))
        #expect(try holds("\(expression) IN {1, 2, 3, 4, 5, 6, 7, 8, 9, nil}"))
        #expect(try !holds("\(expression) BETWEEN {-1e300, 1e300}"))
    }

    @Test func floatingPointFollowsIEEE() throws {
        #expect(try holds("size * 10 == %@ AND -size * 10 == %@", [.double(.infinity), .double(-.infinity)]))
        #expect(try holds("weight / 0 == %@ AND size / 0.0 > 0", [.double(.infinity)]))
        #expect(try holds("small * 1.0 / 0 != small * 1.0 / 0"))
        #expect(try holds("size * 10 - size * 10 != 0"))
    }

    @Test func remaindersAreOfWholeNumbers() throws {
        #expect(try holds("modulus:by:(id, 2) == 1 AND modulus:by:(-id, 2) == -1 AND modulus:by:(id, small) == nil"))
        #expect(
            try holds("modulus:by:(count, id) == 1 AND modulus:by:(7, 4) * 1.5 == 4.5 AND weight < modulus:by:(7, 4)"))
        #expect(try typed("id == modulus:by:(7, 4)").normalized.description == "id == 3")
        for format in ["modulus:by:(size, 2) == 1", "modulus:by:(id, 2.5) == 1", "modulus:by:(id, price) == 1"] {
            let error = #expect(throws: QueryError.self) { try typed(format) }
            guard case .typeMismatch(let why) = error?.kind else {
                Issue.record("\(format): \(String(describing: error))")
                continue
            }
            #expect(why.hasPrefix("modulus:by: applies to whole numbers, not to "))
        }
    }

    @Test func anOperationWithoutAResultKeepsItsType() throws {
        #expect(throws: QueryError.self) { try typed("name == 1 / 0") }
        #expect(throws: QueryError.self) { try typed("address == 1 / 0") }
        #expect(try typed("id + 1 / 0 > 5").description == "id + 1 / 0 > 5")
        #expect(try typed("id == 1 / 0").normalized.description == "id == nil")
        #expect(try typed("1 / 0 == 1").normalized == .constant(false))
    }

    @Test func noTwoNumbersTrap() {
        var generator = SeededGenerator(seed: 8)
        let extremes = ["1e127", "-1e127", "1e-127", "99999999999999999999999999999999999999e90", "3e-128"]
        let decimals =
            ValuePool.decimals + extremes.compactMap { Decimal(string: $0) }
            + [
                .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNormalMagnitude, .nan,
                .leastNonzeroMagnitude,
            ]
        for _ in 0..<20_000 {
            let operation = ValuePool.pick([ArithmeticOperator.add, .subtract, .multiply, .divide], &generator)
            let integers = (
                ValuePool.pick(ValuePool.integers, &generator), ValuePool.pick(ValuePool.integers, &generator)
            )
            let unsigned = ValuePool.pick(ValuePool.unsigned, &generator)
            let decimal = (ValuePool.pick(decimals, &generator), ValuePool.pick(decimals, &generator))
            let sum: Value = Arithmetic.signed.apply(operation, left: .int(integers.0), right: .int(integers.1))
            if case .int(let sum) = sum, operation == .add { #expect(sum == integers.0 &+ integers.1) }
            _ = Arithmetic.integer.apply(operation, left: .uint(unsigned), right: .int(integers.0)) as Value
            _ = Arithmetic.integer.apply(operation, left: .uint(unsigned), right: .uint(unsigned)) as Value
            _ = Arithmetic.decimal.apply(operation, left: .decimal(decimal.0), right: .decimal(decimal.1))
            _ = Arithmetic.decimal.apply(operation, left: .decimal(decimal.0), right: .uint(unsigned))
            _ = Arithmetic.decimal.negate(.decimal(decimal.0))
            _ = Arithmetic.double.apply(operation, left: .decimal(decimal.0), right: .int(integers.1))
        }
    }
}
