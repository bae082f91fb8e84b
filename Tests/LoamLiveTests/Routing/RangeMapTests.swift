import LoamStorage
import SeededRandom
import Testing

@testable import LoamLive

/// Ranges are found as by looking at each.
@Suite struct RangeMapTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func findsTheRangesThatHoldAKey(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var map = RangeMap()
        var ranges: [Int: [KeyRange]] = [:]
        for step in 0..<600 {
            if Int.random(in: 0..<10, using: &random) < 6 || ranges.isEmpty {
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let range = Self.range(&random)
                    map.insert(range, number: step)
                    ranges[step, default: []].append(range)
                }
            } else if let gone = ranges.keys.sorted().randomElement(using: &random) {
                map.remove(gone)
                ranges[gone] = nil
            }
            #expect(map.isEmpty == ranges.values.allSatisfy { $0.allSatisfy(\.isEmpty) })
            let key = Self.key(&random)
            var found: Set<Int> = []
            map.forEach(holding: KeyBytes(key)) { found.insert($0) }
            #expect(found == Set(ranges.filter { $0.value.contains { $0.contains(key) } }.keys), "step \(step)")
        }
        for number in ranges.keys { map.remove(number) }
        #expect(map.isEmpty)
        map.forEach(holding: KeyBytes([1, 1])) { Issue.record("\($0) is gone") }
    }

    private static func key(_ random: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in .random(in: 0...5, using: &random) }
    }

    private static func range(_ random: inout SeededGenerator) -> KeyRange {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .prefix(key(&random))
        case 1: KeyRange(lower: key(&random))
        case 2: .all
        default: KeyRange(lower: key(&random), upper: key(&random))
        }
    }
}
