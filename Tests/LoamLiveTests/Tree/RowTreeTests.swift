import LoamStorage
import SeededRandom
import Testing

@testable import LoamLive

/// The rows of a tree are those of a sorted array, whatever their keys have in common.
@Suite struct RowTreeTests {
    /// How the keys of a run are made: none of them is the beginning of another one.
    enum Keys: CaseIterable {
        case none, short, long, ofDays, texts, longTexts

        func key(_ random: inout SeededGenerator) -> [UInt8] {
            switch self {
            case .none: []
            case .short: [1, .random(in: 0...3, using: &random)]
            case .long:
                Array(repeating: 7, count: 11) + [.random(in: 0...1, using: &random)]
                    + Array(repeating: 0, count: 9) + [.random(in: 0...255, using: &random)]
            case .ofDays:
                [1, 0x80, 0, 0, 0, 0, 0, .random(in: 0...2, using: &random), .random(in: 0...255, using: &random), 1]
                    + (0..<8).map { $0 < 5 ? 0 : UInt8.random(in: 0...255, using: &random) }
            case .texts:
                [1] + (0..<Int.random(in: 0...14, using: &random)).map { _ in .random(in: 97...98, using: &random) }
                    + [0]
            case .longTexts:
                (0..<Int.random(in: 1...3, using: &random)).flatMap { _ in
                    Array(repeating: UInt8.random(in: 97...98, using: &random), count: 100)
                } + [0, .random(in: 0...9, using: &random)]
            }
        }
    }

    @Test(arguments: Keys.allCases, [TreeCapacity.rows, TreeCapacity(leaf: 4, inner: 4)])
    func changesAsASortedArrayDoes(_ keys: Keys, capacity: TreeCapacity) {
        for direction in [SortDirection.ascending, .descending] {
            var random = SeededGenerator(seed: UInt64(capacity.leaf))
            let order = ResultOrder(rowIDDirection: direction)
            var tree = RowTree(capacity: capacity)
            var rows: [ResultRow] = []
            var copies: [(RowTree, [ResultRow])] = []
            for step in 0..<1_600 {
                let grows = step / 400 % 2 == 0 ? 0.75 : 0.25
                if rows.isEmpty || Double.random(in: 0..<1, using: &random) < grows {
                    // Few leaves hold ids that do not begin alike.
                    let rowID = RowID(step) + (step % 50 == 7 ? 1 << 40 : 0)
                    let row = ResultRow(rowID: rowID, key: keys.key(&random))
                    let position = rows.firstIndex { !order.precedes($0, row) } ?? rows.count
                    #expect(tree.index(of: row, order) == nil)
                    rows.insert(row, at: position)
                    #expect(tree.position(of: row, order) == position)
                    tree.insert(row, at: position)
                } else {
                    let position = Int.random(in: 0..<rows.count, using: &random)
                    #expect(tree.index(of: rows[position], order) == position)
                    rows.remove(at: position)
                    tree.remove(at: position)
                }
                if step % 100 == 0 { copies.append((tree, rows)) }
                if step % 97 == 0 { check(tree, rows, capacity) }
            }
            check(tree, rows, capacity)
            for (copy, expected) in copies { check(copy, expected, capacity) }
        }
    }

    private func check(_ tree: RowTree, _ rows: [ResultRow], _ capacity: TreeCapacity) {
        #expect(tree.checkInvariants() == [])
        #expect(Array(tree) == rows)
        var ids: [RowID] = []
        tree.forEachRowID(in: rows.count / 3..<rows.count) { ids.append($0) }
        #expect(ids == rows[(rows.count / 3)...].map(\.rowID))
        let wanted = rows.filter { $0.rowID % 7 == 2 }
        let found = tree.find(wanted.map(\.rowID) + [1_000_000, 9_999_999])
        #expect(found.map(\.row) == wanted && found.allSatisfy { rows[$0.index] == $0.row })
        var builder = RowTreeBuilder(capacity: capacity)
        for row in rows { row.key.withUnsafeBytes { builder.append(row.rowID, key: $0) } }
        let built = builder.finish()
        #expect(built.checkInvariants() == [] && Array(built) == rows)
        var (left, right) = (RowCursor(built, in: 0..<rows.count), RowCursor(tree, in: 0..<rows.count))
        while !left.isAtEnd, !right.isAtEnd {
            guard left.compare(&right) == 0, left.rowID == right.rowID else { break }
            left.next()
            right.next()
        }
        #expect(left.isAtEnd && right.isAtEnd && left.index == rows.count)
    }

    /// Keys that differ more than they must are replaced, and split, as others.
    @Test(arguments: Keys.allCases) func leavesAreCutAndJoined(_ keys: Keys) {
        var random = SeededGenerator(seed: 5)
        let order = ResultOrder()
        let rows = (0..<200).map { ResultRow(rowID: RowID($0), key: keys.key(&random)) }.sorted(by: order.precedes)
        for _ in 0..<40 {
            let cut = Int.random(in: 0...rows.count, using: &random)
            var leaf = RowLeaf()
            for (position, row) in rows.enumerated() { leaf.insert(row, at: position) }
            let other = leaf.split(at: cut)
            #expect((0..<leaf.count).map { leaf[$0] } == Array(rows[..<cut]))
            #expect((0..<other.count).map { other[$0] } == Array(rows[cut...]))
            leaf.append(other)
            let changed = Int.random(in: 0..<rows.count, using: &random)
            let row = ResultRow(rowID: 1 << 33, key: rows[changed].key)
            leaf.replace(at: changed, with: row)
            var expected = rows
            expected[changed] = row
            #expect((0..<leaf.count).map { leaf[$0] } == expected)
        }
    }

    /// What the rows of an order take, also after many changes.
    enum Fill: CaseIterable {
        case numbers, texts

        func key(_ random: inout SeededGenerator) -> [UInt8] {
            switch self {
            case .numbers:
                let number = UInt32.random(in: 0..<4_000_000_000, using: &random)
                return [1, 0, 0, 0, 0] + withUnsafeBytes(of: number.bigEndian) { Array($0) }
            case .texts:
                let number = Int.random(in: 10..<1_000, using: &random)
                let wind = ["north", "south", "west"].randomElement(using: &random) ?? ""
                return Array("\(number) km \(wind) of Anchorage, Alaska".utf8)
            }
        }
    }

    @Test(arguments: Fill.allCases) func leavesStayWellFilled(_ fill: Fill) {
        var random = SeededGenerator(seed: 9)
        let order = ResultOrder()
        var rows = (0..<20_000).map { ResultRow(rowID: RowID($0), key: fill.key(&random)) }
        var builder = RowTreeBuilder(capacity: .rows)
        for row in rows.sorted(by: order.precedes) {
            row.key.withUnsafeBytes { builder.append(row.rowID, key: $0) }
        }
        var tree = builder.finish()
        #expect(tree.bytesPerRow < 15)
        for step in 0..<40_000 {
            let number = Int.random(in: 0..<rows.count, using: &random)
            tree.remove(at: tree.position(of: rows[number], order))
            rows[number] = ResultRow(rowID: RowID(number), key: fill.key(&random))
            tree.insert(rows[number], at: tree.position(of: rows[number], order))
            if step % 10_000 == 0 { #expect(tree.bytesPerRow < 16, "step \(step)") }
        }
        #expect(tree.checkInvariants() == [] && tree.bytesPerRow < 16)
    }
}

extension RowTree {
    /// The memory of the leaves, with what the allocator keeps for each block, for each row.
    fileprivate var bytesPerRow: Double {
        var bytes = 0
        forEachLeaf(in: 0..<count) { leaf, _ in
            guard let storage = leaf.storage else { return }
            bytes += (16 + MemoryLayout<RowStorage.Header>.size + storage.header.byteCount + 8 + 15) / 16 * 16
            bytes += MemoryLayout<Node>.stride
        }
        return Double(bytes) / Double(count)
    }
}
