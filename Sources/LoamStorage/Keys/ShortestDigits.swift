/// A number with a fraction as Swift describes it, in the fewest digits that read back, without memory from the heap.
struct ShortestDigits: TextOutputStream {
    private let room: UnsafeMutableRawBufferPointer
    private var count = 0

    private init(_ room: UnsafeMutableRawBufferPointer) { self.room = room }

    /// Lets a closure read the text, which is good until it returns.
    static func withText<Number: BinaryFloatingPoint & TextOutputStreamable, Result>(
        of number: Number, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try withUnsafeTemporaryAllocation(byteCount: mostBytes, alignment: 1) { room in
            var digits = ShortestDigits(room)
            number.write(to: &digits)
            return try body(UnsafeRawBufferPointer(rebasing: room[..<digits.count]))
        }
    }

    /// No description of a double is as long.
    private static let mostBytes = 64

    /// Takes a text that the library has made a string of.
    mutating func write(_ string: String) {
        var string = string
        string.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// What the library writes of a number where it lies: without this it makes a string of it first.
    mutating func _writeASCII(_ buffer: UnsafeBufferPointer<UInt8>) { append(UnsafeRawBufferPointer(buffer)) }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count <= room.count - count, let from = bytes.baseAddress, let to = room.baseAddress else { return }
        (to + count).copyMemory(from: from, byteCount: bytes.count)
        count += bytes.count
    }
}
