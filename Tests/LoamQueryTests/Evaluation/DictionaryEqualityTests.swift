import Foundation
import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// Dictionaries are equal where their keys and values are, whatever the types of numbers and the bytes of texts; both
/// evaluators say so.
@Suite struct DictionaryEqualityTests {
    private func areEqual(_ left: Value, _ right: Value) throws -> Bool {
        let memory = TextMemory()
        let found = try memory.keep(left).isTrue(.equal, memory.keep(right), form: .exact)
        #expect(found == (ValueOrder.of(left, right, form: .exact) == .equal), "\(left) and \(right)")
        return found
    }

    @Test func numbersAreKeysByTheirValue() throws {
        let numbers: [Value] = [.int(5), .uint(5), .float(5), .double(5), .decimal(5)]
        let halves: [Value] = [.float(2.5), .double(2.5), .decimal(2.5)]
        let large: [Value] = [.uint(1 << 63), .double(0x1p63), .decimal(Decimal(UInt64(1) << 63))]
        let beyond: [Value] = [.double(1e20), .decimal(Decimal(sign: .plus, exponent: 20, significand: 1))]
        let nan: [Value] = [.float(.nan), .double(.nan)]
        let zeros: [Value] = [.double(-0.0), .double(0), .int(0), .decimal(0)]
        let classes = [
            numbers, halves, large, beyond, nan, zeros, [.double(0.1)], [.decimal(Decimal(string: "0.1") ?? 0)],
        ]
        for (number, keys) in classes.enumerated() {
            for (other, others) in classes.enumerated() {
                for left in keys {
                    for right in others {
                        let pair = (Value.dictionary([left: .int(1)]), Value.dictionary([right: .uint(1)]))
                        #expect(try areEqual(pair.0, pair.1) == (number == other), "\(left) and \(right)")
                        let deep = (
                            Value.dictionary([.array([left]): .null]), Value.dictionary([.array([right]): .null])
                        )
                        #expect(try areEqual(deep.0, deep.1) == (number == other), "\(left) and \(right)")
                    }
                }
            }
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func bothEvaluatorsAgreeWithEachPairOfKeys(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var equal = 0
        for _ in 0..<300 {
            let count = ValuePool.pick([0, 1, 3, 8, 70, 200], &generator)
            let left = (0..<count).map { Self.pair($0, &generator) }
            var right = (0..<count).map { Self.pair($0, &generator) }
            if Int.random(in: 0..<3, using: &generator) == 0, !right.isEmpty {
                right[Int.random(in: 0..<count, using: &generator)] = Self.pair(count + 1, &generator)
            }
            let (first, second) = (Self.dictionary(left), Self.dictionary(right))
            let expected = left.allSatisfy { pair in
                right.contains { Self.isSame($0.0, pair.0) && Self.isSame($0.1, pair.1) }
            }
            if expected { equal += 1 }
            #expect(try areEqual(first, second) == expected)
            #expect(try areEqual(second, first) == expected)
        }
        #expect(equal > 100 && equal < 290, "\(equal)")
    }

    /// A key and a value that stand for a number, of one of the types and spellings that are the same.
    private static func pair(_ number: Int, _ generator: inout SeededGenerator) -> (Value, Value) {
        let numbers: [Value] = [
            .int(Int64(number)), .uint(UInt64(number)), .double(Double(number)), .decimal(Decimal(number)),
        ]
        let texts: [Value] = [.string("k\u{E9}\(number)"), .string("ke\u{301}\(number)")]
        let key = number % 2 == 0 ? ValuePool.pick(numbers, &generator) : ValuePool.pick(texts, &generator)
        return (key, ValuePool.pick(numbers, &generator))
    }

    private static func dictionary(_ pairs: [(Value, Value)]) -> Value {
        .dictionary(Dictionary(uniqueKeysWithValues: pairs.map { ($0.0, $0.1) }))
    }

    private static func isSame(_ left: Value, _ right: Value) -> Bool {
        ValueOrder.of(left, right, form: .exact) == .equal
    }

    /// Looking through all keys for each one would take hundreds of millions of comparisons of texts.
    @Test func manyKeysInAnotherOrderAreComparedOnce() throws {
        var generator = SeededGenerator(seed: 5)
        let pairs = (0..<20_000).map { (1 + 2 * $0, Value.int(Int64($0))) }
        let (left, right) = (
            Self.dictionary(pairs.map { (Self.pair($0.0, &generator).0, $0.1) }),
            Self.dictionary(pairs.map { (Self.pair($0.0, &generator).0, $0.1) })
        )
        #expect(try areEqual(left, right))
    }

    /// Foundation hashes decimals that are equal differently where they have zeros at their end.
    @Test func manyDecimalsWithZerosAtTheirEndAreTheSameKeys() throws {
        var generator = SeededGenerator(seed: 7)
        let numbers = Set((0..<300).map { _ in Int64.random(in: 1 << 54...Int64.max / 100, using: &generator) })
        func dictionary(zeros: Int) -> Value {
            let factor = (0..<zeros).reduce(1 as Int64) { product, _ in product * 10 }
            return Self.dictionary(
                numbers.shuffled(using: &generator).map { number in
                    let key = Decimal(sign: .plus, exponent: -18 - zeros, significand: Decimal(number * factor))
                    return (.decimal(key), .int(number))
                })
        }
        let plain = dictionary(zeros: 0)
        for zeros in 1...2 { #expect(try areEqual(plain, dictionary(zeros: zeros))) }
    }

    @Test func aDictionaryWithOneNumberAsTwoKeysIsRefused() throws {
        let entity = EntityDefinition(
            "Thing", properties: [.init("scores", type: .dictionary(key: .int64, value: .bool, optional: false))])
        var options = StoreOptions()
        options.isInMemory = true
        let store = try Store.open(path: "", options: options)
        try store.apply(.addEntity(entity))
        let checker = TypeChecker(entity: try store.read { try $0.entity(named: "Thing") })
        func check(_ value: Value) throws(QueryError) {
            _ = try checker.check(.comparison(.keyPath(["scores"]), .equal, .constant(value), .none))
        }
        try check(.dictionary([.uint(1): .bool(true), .int(2): .bool(false)]))
        let error = #expect(throws: QueryError.self) {
            try check(.dictionary([.uint(1): .bool(true), .int(1): .bool(false)]))
        }
        guard case .typeMismatch = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
