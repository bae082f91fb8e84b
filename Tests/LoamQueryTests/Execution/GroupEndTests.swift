import LoamStorage
import SeededRandom
import Testing

@testable import LoamQuery

/// Where groups of equal entries end, asked for again and again: the group that was asked for last is kept with the index.
@Suite struct GroupEndTests {
    private let store: Store

    init() throws {
        var options = StoreOptions()
        options.isInMemory = true
        store = try Store.open(path: "", options: options)
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Visit", properties: [.init("day", type: .int64), .init("place", type: .int64)],
                    indexes: [.init([.init("day"), .init("place")])])))
        try insert(0..<600)
    }

    /// Days of growing length, places of two visits or one.
    private func insert(_ numbers: Range<Int>) throws {
        let entity = try store.read { try $0.entity(named: "Visit") }
        var batch = WriteBatch(author: "test")
        for number in numbers {
            let values: [Value] = [.int(Int64(Double(number).squareRoot())), .int(Int64(number * 2 / 3))]
            batch.insert(
                try store.catalog().encode(values, as: entity.id), into: entity.id, rowID: try store.makeRowID())
        }
        try store.save(batch)
    }

    /// Asks for groups of one component and of both, in both directions, one position often behind another of its group.
    private func check(count: Int, _ generator: inout SeededGenerator) throws {
        let days = (0..<count).map { Int(Double($0).squareRoot()) }
        let places = (0..<count).map { [days[$0], $0 * 2 / 3] }
        try store.read { snapshot in
            let index = try snapshot.entity(named: "Visit").indexes[0]
            for _ in 0..<300 {
                let (first, reversed) = (Int.random(in: 0..<count, using: &generator), Bool.random(using: &generator))
                let componentCount = Int.random(in: 1...2, using: &generator)
                for position in [first, min(first + 3, count - 1), max(first - 3, 0)] {
                    func isAlike(_ left: Int, _ right: Int) -> Bool {
                        let (left, right) = reversed ? (count - 1 - left, count - 1 - right) : (left, right)
                        return componentCount == 1 ? days[left] == days[right] : places[left] == places[right]
                    }
                    let end = (position..<count).first { !isAlike($0, position) } ?? count
                    let found = try snapshot.countThroughGroup(
                        of: position, in: index, range: .all, reversed: reversed, componentCount: componentCount)
                    try #require(found == end, "\(position), reversed \(reversed), \(componentCount)")
                }
            }
            #expect(
                try snapshot.countThroughGroup(
                    of: count, in: index, range: .all, reversed: false, componentCount: 1) == nil)
        }
    }

    @Test("the end of a group is found anew for another group, direction or number of components", arguments: [1, 2])
    func ends(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try check(count: 600, &generator)
    }

    @Test("a group is as long as a save made it")
    func saves() throws {
        var generator = SeededGenerator(seed: 3)
        for count in [600, 605, 640] {
            if count > 600 { try insert((count == 605 ? 600 : 605)..<count) }
            try check(count: count, &generator)
        }
    }
}
