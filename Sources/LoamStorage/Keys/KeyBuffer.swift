/// A growing buffer that is used again for many keys: no allocation per key.
///
/// ```swift
/// var keys = KeyBuffer()
/// let start = keys.count
/// try component.append(int: 5, to: &keys)
/// keys.withBytes { bytes in ... }
/// keys.removeAll()
/// ```
package struct KeyBuffer: ~Copyable {
    private var storage: UnsafeMutableRawBufferPointer
    package private(set) var count = 0
    private var keptTexts: TextMemory?
    /// The trigrams of a text whose keys are made one after the other.
    var trigrams = TrigramSet()

    package init(capacity: Int = 1024) {
        storage = .allocate(byteCount: max(capacity, 64), alignment: 8)
    }

    deinit { storage.deallocate() }

    package var isEmpty: Bool { count == 0 }

    /// Memory for texts that functions make for keys: taken when it is first asked for.
    var texts: TextMemory {
        mutating get {
            if let keptTexts { return keptTexts }
            let texts = TextMemory()
            keptTexts = texts
            return texts
        }
    }

    /// The bytes so far; the span ends before the buffer changes.
    package var bytes: RawSpan {
        @_lifetime(borrow self)
        get {
            let span = RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: storage[..<count]))
            return _overrideLifetime(span, borrowing: self)
        }
    }

    /// The bytes so far, good until the buffer changes: for callers whose closures would have to change it.
    var pointer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<count]) }

    /// Calls the closure with the bytes so far, which it must not keep.
    ///
    /// - Throws: what the closure throws.
    package borrowing func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try body(UnsafeRawBufferPointer(rebasing: storage[..<count]))
    }

    /// Empties the buffer and keeps its memory.
    package mutating func removeAll() { count = 0 }

    /// Shortens the buffer to a count that it had before.
    package mutating func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count, "A key buffer can only be shortened")
        self.count = count
    }

    package mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
        write(atMost: bytes.count) { destination in
            UnsafeMutableRawBufferPointer(start: destination, count: bytes.count).copyMemory(from: bytes)
            return bytes.count
        }
    }

    /// Appends bytes with every bit inverted.
    mutating func append(inverting bytes: UnsafeRawBufferPointer) {
        write(atMost: bytes.count) { destination in
            for offset in 0..<bytes.count {
                destination.storeBytes(of: ~bytes[offset], toByteOffset: offset, as: UInt8.self)
            }
            return bytes.count
        }
    }

    /// Appends a row id as it ends an index entry: 8 bytes big endian, inverted when it runs downwards.
    package mutating func append(rowID: RowID, inverted: Bool) {
        write(atMost: 8) { destination in
            destination.store(bigEndian: inverted ? ~rowID : rowID, at: 0)
            return 8
        }
    }

    /// Lets a closure write up to a number of bytes at the end; it returns how many it wrote.
    @inline(__always)
    mutating func write(atMost limit: Int, _ body: (UnsafeMutableRawPointer) throws -> Int) rethrows {
        if storage.count - count < limit { grow(by: limit) }
        guard let base = storage.baseAddress else { return }
        let written = try body(base + count)
        assert(written >= 0 && written <= limit)
        count += written
    }

    @inline(never)
    private mutating func grow(by needed: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(storage.count * 2, count + needed), alignment: 8)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[..<count]))
        storage.deallocate()
        storage = larger
    }
}
