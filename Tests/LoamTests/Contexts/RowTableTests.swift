import SeededRandom
import Testing

@testable import Loam

@Suite("The table of the objects of a context")
struct RowTableTests {
    /// How row ids lie: one behind another, a lease apart, far apart, or so that many have the same low bits.
    enum Spread: UInt64, CaseIterable {
        case dense, leases, scattered, aligned

        func row(_ number: UInt64) -> UInt64 {
            switch self {
            case .dense: number
            case .leases: number * 4_096
            case .scattered: number &* 0x9E37_79B9_7F4A_7C15
            case .aligned: number << 40 | 3
            }
        }
    }

    @Test("it holds what a dictionary holds, whatever is set, replaced and removed", arguments: Spread.allCases)
    func dictionary(_ spread: Spread) {
        let seed = 11 + spread.rawValue
        var random = SeededGenerator(seed: seed)
        var table = RowTable()
        var model: [UInt64: UInt] = [:]
        for step in 0..<60_000 {
            // The number of rows grows and shrinks again and again.
            let isGrowing = step / 5_000 % 2 == 0
            let row = spread.row(UInt64.random(in: 0..<3_000, using: &random))
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<(isGrowing ? 6 : 2):
                let address = UInt.random(in: 1...UInt.max, using: &random)
                #expect(table.set(row, to: address) == model.updateValue(address, forKey: row) ?? 0, "seed \(seed)")
            case 9:
                // Another object stands for the row meanwhile, so that nothing is removed.
                table.remove(row, leadingTo: (model[row] ?? 0) &+ 1)
            default:
                if let address = model.removeValue(forKey: row) { table.remove(row, leadingTo: address) }
            }
            let other = spread.row(UInt64.random(in: 0..<3_000, using: &random))
            #expect(table[other] == model[other] ?? 0, "seed \(seed)")
            if step % 1_000 == 0 { table.checkInvariants() }
        }
        var found: [UInt64: UInt] = [:]
        table.forEach { found[$0] = $1 }
        #expect(found == model, "seed \(seed)")
        for (row, address) in model { table.remove(row, leadingTo: address) }
        table.checkInvariants()
        #expect(table.count == 0)
    }

    @Test("it grows at once where its size is known, and shrinks when nearly everything is gone")
    func size() {
        var table = RowTable()
        table.reserve(10_000)
        let slots = table.slotCount
        #expect(slots >= 20_000)
        for row in 0..<10_000 as Range<UInt64> { table.set(row, to: 1) }
        #expect(table.slotCount == slots)
        for row in 0..<10_000 as Range<UInt64> { table.remove(row, leadingTo: 1) }
        #expect(table.slotCount < slots / 8)
        table.checkInvariants()
    }
}
