import LoamStorage
import SeededRandom
import Testing

@testable import LoamQuery

/// Unions of points, which are sorted as numbers where they begin with as many bytes.
@Suite struct PointUnionTests {
    @Test(
        "points in any order, some of them twice, are each there once, in order",
        arguments: 1...40 as ClosedRange<UInt64>)
    func points(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let isEven = Bool.random(using: &generator)
        let keys = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
            let count = isEven ? 9 : Int.random(in: 1...30, using: &generator)
            // What ends a key stands in no other place of it, so no key begins with another.
            return (1..<count).map { _ in UInt8.random(in: 1...3, using: &generator) } + [0]
        }
        let points = keys.map { KeyRange.prefix($0).ofOneValue }
        let union = RangeSet.union(points, isExact: true)
        let expected = Set(keys).sorted { $0.lexicographicallyPrecedes($1) }
        #expect(union.elements.map(\.lower) == expected)
        #expect(union.elements.allSatisfy(\.isPoint) && union.isExact)
    }

    @Test("what a point has in common with a wider range is the point, with a narrower one is none")
    func common() throws {
        let point = RangeSet(elements: [KeyRange.prefix([4, 0]).ofOneValue], isExact: true)
        let wide = RangeSet(elements: [KeyRange(lower: [3], upper: [9])], isExact: true)
        let alike = RangeSet(elements: [.prefix([4, 0])], isExact: true)
        for other in [wide, alike, point] {
            for common in [point.intersection(other), other.intersection(point)] {
                #expect(common.elements == [.prefix([4, 0])] && common.elements.allSatisfy(\.isPoint))
            }
        }
        let narrow = RangeSet(elements: [KeyRange(lower: [4, 0, 7], upper: [9])], isExact: true)
        let part = try #require(point.intersection(narrow).elements.first)
        #expect(!part.isPoint && part == KeyRange(lower: [4, 0, 7], upper: [4, 1]))
        #expect(point.intersection(RangeSet(elements: [.prefix([5])], isExact: true)).elements.isEmpty)
        // It is no part of what the range is.
        #expect(KeyRange.prefix([4, 0]).ofOneValue == .prefix([4, 0]) && !KeyRange(lower: [4]).ofOneValue.isPoint)
        #expect(
            Set([KeyRange.prefix([4, 0]).ofOneValue, .prefix([4, 0]), KeyRange(lower: [4, 0], upper: [4, 1])]).count
                == 1)
    }

    @Test("a point that the index ends with is a point, and what a narrower range leaves of it is none")
    func last() throws {
        let last = KeyRange.prefix([0xFF]).ofOneValue
        #expect(last.isPoint && last == KeyRange(lower: [0xFF]) && last.upper == nil && !last.hasUpper)
        #expect(Set([last, KeyRange(lower: [0xFF]), .prefix([0xFF])]).count == 1)
        #expect(!KeyRange.all.ofOneValue.isPoint && !KeyRange.prefix([0xFF]).isPoint)
        #expect(last.contains([0xFF, 3]) && !last.contains([0xFE, 0xFF]) && last.endsBehind([0xFF, 0xFF]))
        let point = RangeSet(elements: [last], isExact: true)
        for wide in [KeyRange.all, KeyRange(lower: [3]), KeyRange(lower: [0xFF]), .prefix([0xFF]), last] {
            let other = RangeSet(elements: [wide], isExact: true)
            for common in [point.intersection(other), other.intersection(point)] {
                #expect(common.elements == [last] && common.elements.arePoints)
            }
        }
        for narrow in [
            KeyRange(lower: [0xFF, 5]), .prefix([0xFF, 5]).ofOneValue, KeyRange(lower: [3], upper: [0xFF, 5]),
        ] {
            let other = RangeSet(elements: [narrow], isExact: true)
            let (part, mirrored) = (point.intersection(other).elements, other.intersection(point).elements)
            #expect(part == mirrored && part.map(\.isPoint) == [narrow.isPoint] && part.count == 1)
            #expect(part.first?.upper == narrow.upper && part.first != last)
        }
        let moved = try #require(last.moved(from: [0xFF], to: [4]))
        #expect(moved.isPoint && moved == .prefix([4]))
        let several = [last, KeyRange.prefix([7]).ofOneValue, last, KeyRange.prefix([3, 1]).ofOneValue]
        let union = RangeSet.union(several, isExact: true)
        #expect(union.elements == [.prefix([3, 1]), .prefix([7]), last] && union.elements.arePoints)
    }

    @Test("what is no point, or lies in another, is not taken for points")
    func others() {
        let inside = [KeyRange.prefix([1, 2]), .prefix([1, 2, 3])].map(\.ofOneValue)
        #expect(RangeSet.union(inside, isExact: true).elements == [.prefix([1, 2])])
        let open = [KeyRange.prefix([7, 7]), KeyRange(lower: [5, 5])]
        #expect(RangeSet.union(open, isExact: false).elements == [KeyRange(lower: [5, 5])])
    }
}
