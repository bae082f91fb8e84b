import Foundation
import LoamQuery
import LoamStorage
import Testing

@testable import Loam

@Model final class NarrowGauge {
    var id: Int
    var low: Int8
    var other: Int8
    var mean: Int16?
    var high: Int32
    var byte: UInt8
    var count: UInt
    var total: Int

    init(_ id: Int, low: Int8, other: Int8) {
        (self.id, self.low, self.other) = (id, low, other)
        mean = other == 0 ? nil : Int16(low) * 256 + 255
        high = Int32(other) << 24
        byte = UInt8(bitPattern: low)
        count = UInt(UInt8(bitPattern: low))
        total = other == 127 ? .max : other == -128 ? .min : Int(low)
    }
}

@Suite("Arithmetic in a predicate gives nil where a result leaves its type in Swift")
struct NarrowArithmeticTests {
    private let context: ModelContext
    private let gauges: [NarrowGauge]

    init() throws {
        context = ModelContext(try memoryContainer(NarrowGauge.self))
        let lows: [Int8] = [0, 1, -1, 100, -100, 127, -128]
        var gauges: [NarrowGauge] = []
        for low in lows {
            for other in lows {
                gauges.append(NarrowGauge(gauges.count, low: low, other: other))
            }
        }
        for gauge in gauges { context.insert(gauge) }
        try context.save()
        self.gauges = gauges
    }

    /// - Parameter holds: nil stands for a result that there is not, which no comparison but `!=` holds for.
    private func expect(_ predicate: Predicate<NarrowGauge>, _ holds: (NarrowGauge) -> Bool) throws {
        let found = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.id)])).map(\.id)
        let expected = gauges.filter(holds).map(\.id)
        #expect(found == expected && !found.isEmpty && found.count < gauges.count)
    }

    private func sum<Number: FixedWidthInteger>(_ left: Number, _ right: Number) -> Number? {
        let (result, isTooLarge) = left.addingReportingOverflow(right)
        return isTooLarge ? nil : result
    }

    private func product<Number: FixedWidthInteger>(_ left: Number, _ right: Number) -> Number? {
        let (result, isTooLarge) = left.multipliedReportingOverflow(by: right)
        return isTooLarge ? nil : result
    }

    private func difference<Number: FixedWidthInteger>(_ left: Number, _ right: Number) -> Number? {
        let (result, isTooLarge) = left.subtractingReportingOverflow(right)
        return isTooLarge ? nil : result
    }

    @Test func signedIntegers() throws {
        try expect(#Predicate { $0.low + $0.other > 0 }) { sum($0.low, $0.other).map { $0 > 0 } ?? false }
        try expect(#Predicate { !($0.low + $0.other > 0) }) { !(sum($0.low, $0.other).map { $0 > 0 } ?? false) }
        try expect(#Predicate { $0.low - $0.other < 0 }) { difference($0.low, $0.other).map { $0 < 0 } ?? false }
        try expect(#Predicate { $0.low * $0.other >= 100 }) { product($0.low, $0.other).map { $0 >= 100 } ?? false }
        try expect(#Predicate { -$0.low < 0 }) { difference(0, $0.low).map { $0 < 0 } ?? false }
        try expect(#Predicate { $0.low / $0.other >= 1 }) {
            $0.other != 0 && !($0.low == -128 && $0.other == -1) && $0.low / $0.other >= 1
        }
        try expect(#Predicate { $0.high + $0.high < 0 }) { sum($0.high, $0.high).map { $0 < 0 } ?? false }
        try expect(#Predicate { ($0.mean ?? 0) + 1 > 0 }) { sum($0.mean ?? 0, 1).map { $0 > 0 } ?? false }
        try expect(#Predicate { $0.total + 1 > 0 }) { sum($0.total, 1).map { $0 > 0 } ?? false }
    }

    /// There is a remainder where there is a quotient: Swift stops at the least number by -1.
    @Test func remainders() throws {
        func remainder<Number: FixedWidthInteger>(_ left: Number, _ right: Number) -> Number? {
            let (result, overflow) = left.remainderReportingOverflow(dividingBy: right)
            return overflow ? nil : result
        }
        let (one, hundred): (Int8, Int8) = (-1, -100)
        let (wide, widest) = (Int32(-1), -1)
        try expect(#Predicate { $0.low % $0.other == 0 }) { remainder($0.low, $0.other) == 0 }
        try expect(#Predicate { $0.low % one == 0 }) { $0.low != .min }
        try expect(#Predicate { !($0.low % one == 0) }) { $0.low == .min }
        try expect(#Predicate { $0.low % hundred != 0 }) { remainder($0.low, -100) != 0 }
        try expect(#Predicate { $0.low % ($0.other % hundred) == 0 }) {
            let low = $0.low
            return remainder($0.other, -100).flatMap { remainder(low, $0) } == 0
        }
        try expect(#Predicate { ($0.low % hundred) % $0.other == 0 }) { remainder($0.low % -100, $0.other) == 0 }
        try expect(#Predicate { $0.high % wide == 0 }) { $0.high != .min }
        try expect(#Predicate { $0.total % widest == 0 }) { $0.total != .min }
    }

    /// Operands stand twice in what a remainder becomes, so that each level would double it.
    @Test func remaindersWithoutEndAreRefused() throws {
        let low = QueryExpression.keyPath(["low"])
        var (remainder, levels) = (low, 0)
        #expect(throws: Unsupported.self) {
            while levels < 40 {
                let next = try [low, .call(.toInt8, [remainder])].remainder(.remainder, .toInt8)
                (remainder, levels) = (try #require(next), levels + 1)
            }
        }
        #expect(levels > 5 && levels < 12 && remainder.partCount < 5_000)
    }

    /// A result of an inner operation that there is not is none of the outer one.
    @Test func nestedOperations() throws {
        try expect(#Predicate { $0.low + $0.other - $0.other == $0.low }) {
            let (low, other) = ($0.low, $0.other)
            return sum(low, other).flatMap { difference($0, other) } == low
        }
        try expect(#Predicate { ($0.low + 1) * 2 > 2 }) {
            sum($0.low, 1).flatMap { product($0, 2) }.map { $0 > 2 } ?? false
        }
    }

    @Test func unsignedIntegers() throws {
        try expect(#Predicate { $0.byte + 100 < 150 }) { sum($0.byte, 100).map { $0 < 150 } ?? false }
        try expect(#Predicate { $0.byte - 1 < 100 }) { difference($0.byte, 1).map { $0 < 100 } ?? false }
        try expect(#Predicate { $0.count - 1 < 100 }) { difference($0.count, 1).map { $0 < 100 } ?? false }
        try expect(#Predicate { $0.count - 2 != 98 }) { difference($0.count, 2) != 98 }
    }

    /// The format language has numbers of 64 bits, until a CAST says otherwise.
    @Test func theFormatLanguageComputesIn64Bits() throws {
        let wide = try context.fetch(FetchDescriptor(predicate: Predicate<NarrowGauge>(format: "low + other > 127")))
        #expect(wide.count == gauges.count { Int($0.low) + Int($0.other) > 127 } && !wide.isEmpty)
        let narrow = try context.fetch(
            FetchDescriptor(predicate: Predicate<NarrowGauge>(format: "CAST(low + other, 'int8') > 120")))
        #expect(narrow.count == gauges.count { (121...127).contains(Int($0.low) + Int($0.other)) } && !narrow.isEmpty)
    }
}
