import Foundation
import LoamStorage

/// Numbers groups by the bytes of their keys: a hash table whose keys lie one behind another in one buffer.
struct GroupTable {
    /// For each slot a group's number and 1; 0 where it is free. As many as a power of two, at most half of them used.
    private var slots: [UInt32] = Array(repeating: 0, count: 64)
    private var hashes: [UInt64] = []
    private var ends: [Int] = []
    private var bytes: [UInt8] = []

    var count: Int { hashes.count }
    var byteCount: Int { bytes.count + 8 * slots.count + 16 * hashes.count }

    static func hash(of key: UnsafeRawBufferPointer) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(bytes: key)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// The number of the group with a key, which is made where there is none.
    mutating func group(of key: UnsafeRawBufferPointer, hash: UInt64) -> (number: Int, isNew: Bool) {
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if hashes[number] == hash, isKey(number, equal: key) { return (number, false) }
            slot = (slot + 1) & (slots.count - 1)
        }
        bytes.append(contentsOf: key)
        ends.append(bytes.count)
        hashes.append(hash)
        slots[slot] = UInt32(hashes.count)
        if hashes.count * 2 > slots.count { grow() }
        return (hashes.count - 1, true)
    }

    func key(_ number: Int) -> ArraySlice<UInt8> { bytes[start(number)..<ends[number]] }

    func hash(_ number: Int) -> UInt64 { hashes[number] }

    /// Keeps only the groups with these numbers, in this order, under new numbers.
    mutating func keep(_ numbers: [Int]) {
        var kept = GroupTable()
        for number in numbers {
            key(number).withUnsafeBytes { _ = kept.group(of: $0, hash: hashes[number]) }
        }
        self = kept
    }

    private func start(_ number: Int) -> Int { number == 0 ? 0 : ends[number - 1] }

    private func isKey(_ number: Int, equal key: UnsafeRawBufferPointer) -> Bool {
        let range = start(number)..<ends[number]
        guard range.count == key.count else { return false }
        return bytes.withUnsafeBytes { all in
            guard let left = all.baseAddress, let right = key.baseAddress, range.count > 0 else { return true }
            return memcmp(left + range.lowerBound, right, range.count) == 0
        }
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        for number in hashes.indices {
            var slot = Int(truncatingIfNeeded: hashes[number]) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(number + 1)
        }
    }
}
