import SeededRandom
import Testing

@testable import LoamLive

/// The tree does what an array does, also after copies were taken of it.
@Suite struct CountedTreeTests {
    struct Number: CountedElement, Equatable {
        var value: Int
        var weight: Int
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func changesAsAnArrayDoes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let capacity = seed % 2 == 0 ? TreeCapacity(leaf: 4, inner: 4) : TreeCapacity()
        var array: [Number] = []
        var tree = CountedTree<ElementLeaf<Number>>(capacity: capacity)
        var copies: [(CountedTree<ElementLeaf<Number>>, [Number])] = []
        for step in 0..<4000 {
            let grows = step / 1000 % 2 == 0 ? 0.7 : 0.3
            let number = Number(value: step, weight: .random(in: 0...3, using: &random))
            if array.isEmpty || Double.random(in: 0..<1, using: &random) < grows {
                let index = Int.random(in: 0...array.count, using: &random)
                array.insert(number, at: index)
                tree.insert(number, at: index)
            } else {
                let index = Int.random(in: 0..<array.count, using: &random)
                if step % 5 == 0 {
                    array[index] = number
                    tree.replace(at: index, with: number)
                } else {
                    tree.remove(at: index)
                    array.remove(at: index)
                }
            }
            if step % 50 == 0 { copies.append((tree, array)) }
            if step % 97 == 0 { check(tree, array) }
        }
        check(tree, array)
        for (tree, array) in copies { check(tree, array) }
    }

    @Test func isBuiltFromSortedElements() {
        for count in [0, 1, 3, 4, 5, 63, 64, 65, 200, 5000] {
            let array = (0..<count).map { Number(value: $0, weight: $0 % 4) }
            check(CountedTree(sorted: array), array)
            check(CountedTree(sorted: array, capacity: TreeCapacity(leaf: 4, inner: 4)), array)
        }
    }

    private func check(_ tree: CountedTree<ElementLeaf<Number>>, _ array: [Number]) {
        #expect(tree.checkInvariants() == [])
        #expect(Array(tree) == array)
        #expect(tree.weight == array.reduce(0) { $0 + $1.weight })
        var collected: [Number] = []
        let range = array.count / 3..<array.count - array.count / 4
        tree.forEach(in: range) { collected.append($0) }
        #expect(collected == Array(array[range]))
        var before = 0
        for position in stride(from: 0, through: array.count, by: max(1, array.count / 40)) {
            before = array[..<position].reduce(0) { $0 + $1.weight }
            #expect(tree.weight(before: position) == before)
            guard position < array.count, array[position].weight > 0 else { continue }
            #expect(tree.position(ofWeight: before) == (position, 0))
            #expect(
                tree.position(ofWeight: before + array[position].weight - 1) == (position, array[position].weight - 1))
        }
    }

    @Test func findsAPositionByOrder() {
        let array = (0..<500).map { Number(value: $0 * 2, weight: 1) }
        let tree = CountedTree(sorted: array, capacity: TreeCapacity(leaf: 5, inner: 4))
        for sought in -1...1001 {
            #expect(tree.firstPosition { $0.value < sought } == array.firstIndex { $0.value >= sought } ?? array.count)
        }
    }
}
