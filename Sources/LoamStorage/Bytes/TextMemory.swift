/// Memory for the texts that testing a row makes: taken once, and used again from row to row.
///
/// What lies in it stays where it is until ``removeAll()``. For one thread at a time.
package final class TextMemory {
    private var block: UnsafeMutableRawBufferPointer
    private var used = 0
    /// Blocks that became too small since the memory was empty.
    private var outgrown: [UnsafeMutableRawBufferPointer] = []

    private static let smallest = 256
    /// A larger block is given back when the memory is emptied.
    private static let mostKept = 1 << 16

    /// Bytes that lie in it, and what was left free in blocks that became too small.
    package var byteCount: Int { outgrown.reduce(used) { $0 + $1.count } }

    package init() { block = .allocate(byteCount: Self.smallest, alignment: 8) }

    deinit {
        removeAll()
        block.deallocate()
    }

    /// Lets a closure write up to a number of bytes; it returns how many it wrote. The bytes are good until
    /// ``removeAll()``.
    package func write(
        atMost limit: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Int
    ) rethrows -> UnsafeRawBufferPointer {
        if block.count - used < limit { grow(by: limit) }
        let room = UnsafeMutableRawBufferPointer(rebasing: block[used..<used + limit])
        let written = try body(room)
        used += written
        return UnsafeRawBufferPointer(rebasing: room[..<written])
    }

    package func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        write(atMost: bytes.count) {
            $0.copyMemory(from: bytes)
            return bytes.count
        }
    }

    /// A place in the memory: what is written from now on lies behind it.
    package struct Place {
        fileprivate let outgrown, used: Int
    }

    package var place: Place { Place(outgrown: outgrown.count, used: used) }

    /// Gives up what was written since it was at a place, unless the memory has grown meanwhile.
    package func goBack(to place: Place) {
        if place.outgrown == outgrown.count { used = place.used }
    }

    /// Gives up what lies in it, and keeps the memory, unless a long text has made it large.
    package func removeAll() {
        used = 0
        if block.count > Self.mostKept {
            block.deallocate()
            block = .allocate(byteCount: Self.smallest, alignment: 8)
        }
        guard !outgrown.isEmpty else { return }
        for block in outgrown { block.deallocate() }
        outgrown.removeAll(keepingCapacity: true)
    }

    @inline(never)
    private func grow(by needed: Int) {
        outgrown.append(block)
        block = .allocate(byteCount: max(2 * block.count, needed), alignment: 8)
        used = 0
    }
}
