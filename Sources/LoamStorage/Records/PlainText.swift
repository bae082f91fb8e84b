/// The test that decides how a string is searched.
enum PlainText {
    /// Whether all bytes are ASCII and none is CR (so that every byte is a character of its own). 8 bytes at a time.
    static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return true }
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let count = bytes.count
        var offset = 0
        while count &- offset >= 8 {
            let word = start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            // A zero byte in `difference` is a CR; the usual test for one is exact as long as no high bit is set.
            let difference = word ^ (ones &* 0x0D)
            if (word | ((difference &- ones) & ~difference)) & highs != 0 { return false }
            offset &+= 8
        }
        while offset < count {
            let byte = start.load(fromByteOffset: offset, as: UInt8.self)
            if byte >= 0x80 || byte == 0x0D { return false }
            offset &+= 1
        }
        return true
    }

    /// Whether the bytes are well-formed UTF-8. O(bytes), nothing is allocated.
    static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.withMemoryRebound(to: UInt8.self) { (try? UTF8Span(validating: $0.span)) != nil }
    }
}
