/// The lines of a text, without their ends (LF or CR LF), numbered from 1. A byte order mark is dropped.
package struct LineReader {
    private let source: ByteSource
    /// The most bytes that a line may have.
    package var limit: Int
    private var chunk: [UInt8] = []
    private var position = 0
    private var atEnd = false
    /// The bytes of the current line.
    package private(set) var bytes: [UInt8] = []
    /// The number of the current line; 0 before the first.
    package private(set) var number = 0

    package init(_ source: ByteSource, limit: Int = 1 << 30) {
        self.source = source
        self.limit = limit
    }

    /// Moves to the next line; false at the end. Cost: the line's length.
    ///
    /// - Throws: `invalidDump` for a line that is longer than ``limit``, `unreadableFile` where the source cannot be
    ///   read.
    package mutating func next() throws(StorageError) -> Bool {
        bytes.removeAll(keepingCapacity: true)
        number += 1
        while try fill() {
            let end = chunk[position...].firstIndex(of: 0x0A)
            bytes.append(contentsOf: chunk[position..<(end ?? chunk.count)])
            guard bytes.count <= limit else {
                throw StorageError(.invalidDump(line: number, "the line is longer than \(limit) bytes"))
            }
            position = end.map { $0 + 1 } ?? chunk.count
            if end != nil {
                trim()
                return true
            }
        }
        guard !bytes.isEmpty else { return false }
        trim()
        return true
    }

    private mutating func fill() throws(StorageError) -> Bool {
        guard position == chunk.count else { return true }
        guard !atEnd else { return false }
        chunk = try source.next()
        position = 0
        atEnd = chunk.isEmpty
        return !atEnd
    }

    private mutating func trim() {
        if bytes.last == 0x0D { bytes.removeLast() }
        if number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    }
}
