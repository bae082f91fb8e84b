import Foundation
import SeededRandom
import Testing

@testable import LoamStorage

@Suite("Sums of decimals")
struct DecimalSumTests {
    private static let terms: [Decimal] = [
        "0", "1", "-1", "0.1", "-0.3", "1e30", "-1e30", "1e-30", "99999999999999999999999999999999999999",
        "-12345678901234567890.123456789", "7e100", "-7e100", "3e-120",
    ].compactMap { Decimal(string: $0) }

    @Test("are those of digit by digit arithmetic, rounded once, in any order")
    func areExact() throws {
        var generator = SeededGenerator(seed: 20)
        for _ in 0..<300 {
            let terms = (0..<Int.random(in: 0...40, using: &generator)).compactMap { _ in
                Self.terms.randomElement(using: &generator)
            }
            var total = ExactDecimal(0)
            for term in terms {
                let term = try #require(ExactDecimal(term))
                total = try #require(ExactDecimal.result(.add, left: total, right: term))
            }
            for order in [terms, terms.reversed(), terms.shuffled(using: &generator)] {
                var sum = DecimalSum()
                for term in order { sum.add(term) }
                #expect(sum.decimal == total.decimal, "\(terms)")
                let count = ExactDecimal(max(1, terms.count))
                let average = ExactDecimal.result(.divide, left: total, right: count)?.decimal
                #expect(sum.divided(by: max(1, terms.count)) == average)
            }
        }
    }

    @Test("carry over many terms of 38 digits")
    func carry() throws {
        let large = try #require(Decimal(string: "99999999999999999999999999999999999999"))
        for sign in [1, -1] as [Decimal] {
            var sum = DecimalSum()
            for _ in 0..<1_000 { sum.add(large * sign) }
            #expect(sum.decimal == Decimal(string: "99999999999999999999999999999999999999000").map { $0 * sign })
            for _ in 0..<999 { sum.add(large * -sign) }
            #expect(sum.decimal == large * sign)
        }
    }

    @Test("are 0 of none, NaN with a NaN, and nil where there is no such decimal")
    func extremes() throws {
        var sum = DecimalSum()
        #expect(sum.decimal == 0 && sum.divided(by: 0) == nil)
        let greatest = try #require(Decimal(string: "99999999999999999999999999999999999999e127"))
        for _ in 0..<20 { sum.add(greatest) }
        #expect(sum.decimal == nil)
        #expect(sum.divided(by: 20) == greatest)
        sum.add(.nan)
        #expect(sum.decimal?.isNaN == true)
    }
}
