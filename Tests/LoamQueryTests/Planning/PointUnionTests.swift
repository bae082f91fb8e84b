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
        let points = keys.map { RangeSet.Element(range: .prefix($0), isPoint: true) }
        let union = RangeSet.union(points, isExact: true)
        let expected = Set(keys).sorted { $0.lexicographicallyPrecedes($1) }
        #expect(union.elements.map(\.range.lower) == expected)
        #expect(union.elements.allSatisfy(\.isPoint) && union.isExact)
    }

    @Test("what is no point, or lies in another, is not taken for points")
    func others() {
        let inside = [KeyRange.prefix([1, 2]), .prefix([1, 2, 3])].map { RangeSet.Element(range: $0, isPoint: true) }
        #expect(RangeSet.union(inside, isExact: true).elements.map(\.range) == [.prefix([1, 2])])
        let open = [KeyRange.prefix([7, 7]), KeyRange(lower: [5, 5])].map {
            RangeSet.Element(range: $0, isPoint: false)
        }
        #expect(RangeSet.union(open, isExact: false).elements.map(\.range) == [KeyRange(lower: [5, 5])])
    }
}
