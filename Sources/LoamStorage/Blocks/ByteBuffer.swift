/// Bytes that grow at the end and keep their memory when emptied, without the copies that a shared array would make.
struct ByteBuffer: ~Copyable {
    private(set) var start: UnsafeMutableRawPointer
    private(set) var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 2_048) {
        self.capacity = max(capacity, 16)
        start = .allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit { start.deallocate() }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    @inline(__always)
    mutating func removeAll() { count = 0 }

    /// Cuts the buffer to its first `count` bytes.
    @inline(__always)
    mutating func truncate(to count: Int) { self.count = min(self.count, count) }

    /// Drops the bytes before `offset`.
    mutating func keep(from offset: Int) {
        let rest = count - min(offset, count)
        start.copyMemory(from: start + (count - rest), byteCount: rest)
        count = rest
    }

    @inline(__always)
    mutating func reserve(_ more: Int) {
        if count + more > capacity { grow(to: count + more) }
    }

    private mutating func grow(to needed: Int) {
        let larger = max(needed, capacity * 2)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        memory.copyMemory(from: start, byteCount: count)
        start.deallocate()
        start = memory
        capacity = larger
    }

    @inline(__always)
    mutating func append(_ source: UnsafeRawPointer, byteCount: Int) {
        reserve(byteCount)
        (start + count).copyFew(source, count: byteCount)
        count += byteCount
    }

    @inline(__always)
    mutating func append(_ source: UnsafeRawBufferPointer) {
        if let address = source.baseAddress { append(address, byteCount: source.count) }
    }

    /// Appends bytes that a body writes; it may write another eight behind them.
    @inline(__always)
    mutating func append(byteCount: Int, _ body: (UnsafeMutableRawPointer) -> Void) {
        reserve(byteCount + 8)
        body(start + count)
        count += byteCount
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    /// Appends bytes that are already in this buffer.
    @inline(__always)
    mutating func appendOwn(from offset: Int, _ byteCount: Int) {
        reserve(byteCount)
        (start + count).copyFew(start + offset, count: byteCount)
        count += byteCount
    }

    /// Appends a number, little endian.
    @inline(__always)
    mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(littleEndian number: Number) {
        let size = MemoryLayout<Number>.size
        reserve(size)
        start.store(littleEndian: number, at: count)
        count += size
    }

    /// Appends a number, big endian.
    @inline(__always)
    mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(bigEndian number: Number) {
        let size = MemoryLayout<Number>.size
        reserve(size)
        start.store(bigEndian: number, at: count)
        count += size
    }

    /// Appends a row id as full keys end with it.
    @inline(__always)
    mutating func appendRowID(_ rowID: RowID, inverted: Bool) {
        append(bigEndian: inverted ? ~rowID : rowID)
    }
}
