import LoamStorage

/// A hash table from row ids to addresses that are not 0, without the cost of a `Dictionary`'s hash and its retains.
///
/// Open addressing with linear probing, at most half full; what is removed leaves no mark, as what follows moves up.
/// Four neighbouring row ids share a line of the processor's cache, and such groups are spread by a multiplicative
/// hash. Looking up, setting and removing are O(1) on average; growing and shrinking move everything, O(1) per change
/// on average.
struct RowTable: ~Copyable {
    private struct Slot {
        var row: RowID
        /// The address of the row's backing; 0 in an empty slot.
        var address: UInt
    }

    private var slots: UnsafeMutablePointer<Slot>
    /// The number of slots is two to the power of this.
    private var bits: Int
    private(set) var count = 0

    private static var leastBits: Int { 5 }

    init() {
        bits = Self.leastBits
        slots = Self.emptySlots(bits)
    }

    deinit {
        slots.deallocate()
    }

    var slotCount: Int { 1 << bits }

    /// The address under a row id; 0 where there is none.
    subscript(row: RowID) -> UInt {
        let slot = slot(of: row)
        return slots[slot].address
    }

    /// Sets the address under a row id; returns the one that was there, or 0.
    @discardableResult
    mutating func set(_ row: RowID, to address: UInt) -> UInt {
        precondition(address != 0, "0 stands for no address.")
        if (count + 1) * 2 > slotCount { resize(bits + 1) }
        let slot = slot(of: row)
        let old = slots[slot].address
        if old == 0 { count += 1 }
        slots[slot] = Slot(row: row, address: address)
        return old
    }

    /// Removes the row id if it leads to this address.
    mutating func remove(_ row: RowID, leadingTo address: UInt) {
        let slot = slot(of: row)
        guard slots[slot].address == address, address != 0 else { return }
        close(slot)
        count -= 1
        if bits > Self.leastBits + 5, count * 16 < slotCount { resize(bits - 2) }
    }

    /// Makes room for so many row ids in all.
    mutating func reserve(_ count: Int) {
        var needed = bits
        while count * 2 > 1 << needed { needed += 1 }
        if needed > bits { resize(needed) }
    }

    /// Calls the closure with everything that is there, in no order.
    func forEach(_ body: (_ row: RowID, _ address: UInt) -> Void) {
        for slot in 0..<slotCount where slots[slot].address != 0 { body(slots[slot].row, slots[slot].address) }
    }

    /// Traps where a look-up would miss something.
    func checkInvariants() {
        var found = 0
        forEach { row, address in
            found += 1
            precondition(self[row] == address, "A row id is not found where it lies.")
        }
        precondition(found == count, "The count is wrong.")
        precondition(count * 2 <= slotCount, "The table is too full.")
    }

    // MARK: Slots

    /// The slot where looking for a row id begins.
    private func home(_ row: RowID) -> Int {
        let group = ((row >> 2) &* 0x9E37_79B9_7F4A_7C15) >> UInt64(66 &- bits)
        return Int(truncatingIfNeeded: group << 2 | row & 3)
    }

    /// The slot that holds the row id, or the empty one where it would be put.
    private func slot(of row: RowID) -> Int {
        var slot = home(row)
        while slots[slot].address != 0, slots[slot].row != row { slot = (slot &+ 1) & (slotCount &- 1) }
        return slot
    }

    /// Empties a slot and moves up what was put behind it because it was taken.
    private mutating func close(_ slot: Int) {
        let mask = slotCount - 1
        var gap = slot
        var next = (slot + 1) & mask
        while slots[next].address != 0 {
            // It may move up unless its home lies behind the gap.
            if (next - home(slots[next].row)) & mask >= (next - gap) & mask {
                slots[gap] = slots[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        slots[gap] = Slot(row: 0, address: 0)
    }

    private mutating func resize(_ bits: Int) {
        let (old, oldCount) = (slots, slotCount)
        self.bits = bits
        slots = Self.emptySlots(bits)
        for slot in 0..<oldCount where old[slot].address != 0 { slots[self.slot(of: old[slot].row)] = old[slot] }
        old.deallocate()
    }

    private static func emptySlots(_ bits: Int) -> UnsafeMutablePointer<Slot> {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: 1 << bits)
        slots.initialize(repeating: Slot(row: 0, address: 0), count: 1 << bits)
        return slots
    }
}
