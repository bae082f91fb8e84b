import Foundation

/// A sorted run in a temporary file that is unlinked as soon as it is open: items, each with its length in front.
final class SpilledRun {
    fileprivate let handle: FileHandle
    private var pending: [UInt8] = []
    private static let writeBytes = 1 << 20

    init() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("loam-sort-\(UUID().uuidString)").path
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: attributes),
            let handle = FileHandle(forUpdatingAtPath: path)
        else {
            throw StorageError(
                .storage("No temporary file can be made for sorting. Make room in the temporary folder."))
        }
        try? FileManager.default.removeItem(atPath: path)
        self.handle = handle
    }

    func append(_ item: UnsafeRawBufferPointer) throws {
        let count = UInt32(item.count)
        for shift in stride(from: 0, to: 32, by: 8) { pending.append(UInt8(truncatingIfNeeded: count >> shift)) }
        pending.append(contentsOf: item)
        if pending.count >= Self.writeBytes { try flush() }
    }

    func finish() throws {
        try flush()
    }

    private func flush() throws {
        try handle.write(contentsOf: pending)
        pending.removeAll(keepingCapacity: true)
    }
}

/// Reads a run's items in order.
struct SpilledRunReader {
    private let run: SpilledRun
    private var buffer: [UInt8] = []
    private var offset = 0
    private static let readBytes = 1 << 18

    /// Begins at the run's first item; one reader at a time.
    init(_ run: SpilledRun) throws {
        self.run = run
        try run.handle.seek(toOffset: 0)
    }

    mutating func next() throws -> [UInt8]? {
        guard try fill(4) else { return nil }
        let count = (0..<4).reduce(0) { $0 | Int(buffer[offset + $1]) << (8 * $1) }
        guard try fill(4 + count) else {
            throw StorageError(.storage("A temporary file for sorting ended too early. Try again."))
        }
        defer { offset += 4 + count }
        return Array(buffer[offset + 4..<offset + 4 + count])
    }

    /// Whether so many bytes lie ahead in the buffer, after reading more where needed.
    private mutating func fill(_ count: Int) throws -> Bool {
        while buffer.count - offset < count {
            guard let more = try run.handle.read(upToCount: Self.readBytes), !more.isEmpty else { return false }
            buffer.removeFirst(offset)
            offset = 0
            buffer.append(contentsOf: more)
        }
        return true
    }
}

/// Merges sorted runs, at most a few dozen: each step looks at every run's head.
struct RunMerge {
    private var readers: [SpilledRunReader]
    private var heads: [[UInt8]?]

    init(_ readers: [SpilledRunReader]) throws {
        self.readers = readers
        heads = []
        for index in self.readers.indices { heads.append(try self.readers[index].next()) }
    }

    mutating func next() throws -> [UInt8]? {
        var least: Int?
        for index in heads.indices {
            guard let head = heads[index] else { continue }
            guard let current = least, let best = heads[current] else {
                least = index
                continue
            }
            let isLess = head.withUnsafeBytes { left in
                best.withUnsafeBytes { FullKey.compare(left, 0, $0, 0) < 0 }
            }
            if isLess { least = index }
        }
        guard let least else { return nil }
        let item = heads[least]
        heads[least] = try readers[least].next()
        return item
    }
}
