import LoamStorage

/// Reads CSV (RFC 4180) a record at a time, from chunks, into one reused buffer.
///
/// Fields are separated by commas; one that begins with a quote ends with one, holds anything, and doubles its quotes.
/// Lines end in LF, CR LF or CR; empty lines are skipped; a byte order mark is dropped. Everything else is an error
/// with the line it is on: a quote inside a bare field, text behind a closing quote, a quote without end, bytes that
/// are not UTF-8.
///
/// No string is made per field: a field is a range of bytes that lives until the next record. About 40 ns per field
/// in a release build.
struct CSVReader: ~Copyable {
    /// The most bytes of one record, so that a quote without end does not read a whole disk into memory.
    static let recordLimit = 256 << 20

    private let source: ByteSource
    private var chunk: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private var state = State.fieldStart
    /// Whether a CR ended the record before: an LF that follows belongs to it.
    private var skipsLineFeed = false
    private var currentLine = 1
    private var quoteLine = 1
    /// The fields' bytes, one zero byte after each.
    private var text: [UInt8] = []
    /// For each field, where its bytes end in `text`.
    private var ends: [Int] = []
    /// Whether the record has a field in quotes: an empty field in quotes is a record, and an empty line is none.
    private var hasQuote = false

    /// The line on which the current record begins, counted from 1.
    private(set) var line = 1

    private enum State {
        case fieldStart, bare, quoted, afterQuote
    }

    init(_ source: ByteSource) throws {
        self.source = source
        while chunk.count < 3, try refill() {}
        if chunk.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    var fieldCount: Int { ends.count }

    /// Moves to the next record; false at the end.
    mutating func next() throws -> Bool {
        repeat {
            text.removeAll(keepingCapacity: true)
            ends.removeAll(keepingCapacity: true)
            hasQuote = false
            state = .fieldStart
            line = currentLine
            guard try record() else { return false }
        } while ends.count == 1 && ends[0] == 0 && !hasQuote
        guard isUTF8 else { throw InputError(.invalidUTF8, line: line) }
        return true
    }

    /// The fields of the current record, valid inside the closure.
    @inline(__always)
    func withFields<R>(_ body: (Fields) throws -> R) rethrows -> R {
        try text.withUnsafeBufferPointer { text in
            try ends.withUnsafeBufferPointer { try body(Fields(text: text, ends: $0)) }
        }
    }

    /// The fields of one record, as bytes; a zero byte follows each.
    struct Fields {
        fileprivate let text: UnsafeBufferPointer<UInt8>
        fileprivate let ends: UnsafeBufferPointer<Int>

        var count: Int { ends.count }

        @inline(__always)
        subscript(field: Int) -> UnsafeBufferPointer<UInt8> {
            let start = field == 0 ? 0 : ends[field - 1] + 1
            return UnsafeBufferPointer(rebasing: text[start..<ends[field]])
        }
    }

    func string(_ field: Int) -> String {
        withFields { String(decoding: $0[field], as: UTF8.self) }
    }

    // MARK: Scanning

    private mutating func record() throws -> Bool {
        while true {
            if position == chunk.count, try !refill() { return try finish() }
            let bytes = chunk
            if try bytes.withUnsafeBufferPointer({ try scan($0) }) { return true }
            guard text.count <= Self.recordLimit else {
                throw InputError(.recordTooLong(limit: Self.recordLimit), line: line)
            }
        }
    }

    /// Replaces the chunk that was read by the next one; false at the end of the source.
    private mutating func refill() throws -> Bool {
        guard !isAtEnd else { return false }
        let next = try source.next()
        isAtEnd = next.isEmpty
        chunk = position < chunk.count ? Array(chunk[position...]) + next : next
        position = 0
        return !isAtEnd
    }

    /// Ends the last record at the end of the source: the last line need not end.
    private mutating func finish() throws -> Bool {
        switch state {
        case .quoted: throw InputError(.quoteNotClosed, line: quoteLine)
        case .fieldStart where ends.isEmpty: return false
        default:
            endField()
            return true
        }
    }

    /// Scans the rest of the chunk; true when the record is complete, false when the chunk is used up.
    private mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        var index = position
        defer { position = index }
        if skipsLineFeed {
            if bytes[index] == 0x0A { index += 1 }
            skipsLineFeed = false
        }
        while index < bytes.count {
            switch state {
            case .fieldStart:
                if bytes[index] == 0x22 {
                    state = .quoted
                    hasQuote = true
                    quoteLine = currentLine
                    index += 1
                } else {
                    state = .bare
                }
            case .bare:
                let start = index
                while index < bytes.count, !Self.endsBareText(bytes[index]) { index += 1 }
                text.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                guard index < bytes.count else { return false }
                guard bytes[index] != 0x22 else { throw InputError(.quoteInField, line: currentLine) }
                index += 1
                if separate(bytes[index - 1]) { return true }
            case .quoted:
                let start = index
                while index < bytes.count, bytes[index] != 0x22 {
                    if bytes[index] == 0x0A { currentLine += 1 }
                    index += 1
                }
                text.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                guard index < bytes.count else { return false }
                index += 1
                state = .afterQuote
            case .afterQuote:
                let byte = bytes[index]
                index += 1
                if byte == 0x22 {
                    text.append(0x22)
                    state = .quoted
                } else if byte == 0x2C || byte == 0x0A || byte == 0x0D {
                    if separate(byte) { return true }
                } else {
                    throw InputError(.textAfterQuote, line: currentLine)
                }
            }
        }
        return false
    }

    @inline(__always)
    private static func endsBareText(_ byte: UInt8) -> Bool {
        byte <= 0x2C && (byte == 0x2C || byte == 0x0A || byte == 0x0D || byte == 0x22)
    }

    /// Ends a field at a comma or a line end; true when that ended the record.
    private mutating func separate(_ byte: UInt8) -> Bool {
        endField()
        state = .fieldStart
        guard byte != 0x2C else { return false }
        currentLine += 1
        skipsLineFeed = byte == 0x0D
        return true
    }

    private mutating func endField() {
        ends.append(text.count)
        text.append(0)
    }

    /// Whether the record is UTF-8. The zero bytes between fields keep one from completing another's sequence.
    private var isUTF8: Bool {
        text.withUnsafeBufferPointer { bytes in
            if Self.isASCII(bytes) { return true }
            return String(validating: bytes, as: UTF8.self) != nil
        }
    }

    private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var all: UInt8 = 0
        for byte in bytes { all |= byte }
        return all < 0x80
    }
}
