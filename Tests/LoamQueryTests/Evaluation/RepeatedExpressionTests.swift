import LoamStorage
import SeededRandom
import Testing

@testable import LoamQuery

@Suite("What a predicate says twice is computed once for a row")
struct RepeatedExpressionTests {
    private static let entity = Entity(
        id: 1, name: "Thing",
        properties: [
            Property(id: 1, name: "a", type: .int64, isOptional: true),
            Property(id: 2, name: "name", type: .string, isOptional: false),
        ])

    private func filter(_ format: String) throws -> (TypedPredicate, Filter) {
        let predicate = try TypeChecker(entity: Self.entity).check(PredicateParser.parse(format))
        return (predicate, try Filter(predicate))
    }

    @Test(
        "each value that stands in several places is kept, and no other",
        arguments: [
            ("a + 1 > 2 AND a + 1 < 9", 1), ("a + 1 > 2", 0), ("a + 1 > 2 OR a + 2 > 2", 0), ("a > 2 AND a < 5", 0),
            ("lowercase(name) BEGINSWITH 'a' OR lowercase(name) CONTAINS 'b'", 1),
            ("TERNARY(a * 2 > 4, a * 2, 0) == 8", 1), ("(a + 1) * 2 > 4 AND (a + 1) * 2 < 9 AND a + 1 != 3", 2),
            ("max({a + 1, 5}) > 6 AND NOT a + 1 == 7", 1), ("a + 1 BETWEEN {2, 3}", 0),
        ])
    func kept(format: String, count: Int) throws {
        let compiler = FilterCompiler(RepeatedExpressions(in: try filter(format).1))
        #expect(compiler.keptCount == count, "\(format)")
    }

    @Test("a value is computed where it is first reached, and answers are those of the predicate, row after row")
    func answers() throws {
        for format in [
            "a > 3 AND a * 2 > 8 OR a * 2 == 4", "a == nil OR a * 2 > 8 AND a * 2 < 20",
            "NOT (a * 2 > 8 OR name == 'x') AND a * 2 != 6", "TERNARY(a > 5, a * 2, a + 1) > 6 OR a * 2 < 4",
            "lowercase(name) == 'a' OR uppercase(lowercase(name)) == 'B' AND lowercase(name) != 'c'",
        ] {
            let (predicate, filter) = try filter(format)
            let program = try FilterProgram(filter)
            for number in 0..<12 {
                for name in ["A", "b", "x"] {
                    let values: [Value] = [number == 11 ? .null : .int(Int64(number)), .string(name)]
                    let row = PlainRow(rowID: 1, values: values)
                    let holds = try predicate.holds(row, related: nil)
                    #expect(try program.matches(row) == holds, "\(format): \(values)")
                }
            }
        }
    }

    @Test(
        "filters put together at random answer as their predicates do, whatever is kept",
        arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var (kept, held, tests) = (0, 0, 0)
        for _ in 0..<150 {
            let format = Self.predicate(depth: 3, using: &generator)
            let (predicate, filter) = try filter(format)
            kept += FilterCompiler(RepeatedExpressions(in: filter)).keptCount
            let program = try FilterProgram(filter)
            for number in -2..<9 {
                for name in ["", "A", "ab"] {
                    let row = PlainRow(rowID: 1, values: [number == 8 ? .null : .int(Int64(number)), .string(name)])
                    let holds = try predicate.holds(row, related: nil)
                    #expect(try program.matches(row) == holds, "\(format): \(number), \(name)")
                    tests += 1
                    held += holds ? 1 : 0
                }
            }
        }
        #expect(kept > 50 && held > tests / 20 && held < tests)
    }

    /// Few operands, so that many stand in several places; some have no result for some rows.
    private static let operands = [
        "a + 1", "a * 2", "(a + 1) * 2", "6 / a", "length(name)", "TERNARY(a * 2 > 4, a + 1, 6 / a)",
        "max({a + 1, length(name)})", "length(name) * 2", "a", "3",
    ]

    private static func predicate(depth: Int, using generator: inout SeededGenerator) -> String {
        func part() -> String { predicate(depth: depth - 1, using: &generator) }
        func operand() -> String { operands.randomElement(using: &generator) ?? "a" }
        switch depth == 0 ? 0 : Int.random(in: 0..<5, using: &generator) {
        case 1: return "(\(part()) AND \(part()))"
        case 2: return "(\(part()) OR \(part()))"
        case 3: return "NOT (\(part()))"
        case 4: return "\(operand()) BETWEEN {\(operand()), \(operand())}"
        default:
            let sign = ["==", "!=", "<", ">="].randomElement(using: &generator) ?? "=="
            return "\(operand()) \(sign) \(operand())"
        }
    }

    /// The step that computes stands in both places, and is run in the first alone: the second asks for the value.
    @Test("the second place takes the value that is kept") func steps() throws {
        let filter = try filter("lowercase(name) BEGINSWITH 'a' AND lowercase(name) ENDSWITH 'z'").1
        var compiler = FilterCompiler(RepeatedExpressions(in: filter))
        _ = try compiler.append(filter, ifTrue: FilterProgram.accept, ifFalse: FilterProgram.reject)
        var (asked, kept) = (0, 0)
        for step in compiler.steps {
            if case .isKept = step.instruction { asked += 1 }
            if case .keep = step.instruction { kept += 1 }
        }
        #expect(asked == 2 && kept == 2)
    }
}
