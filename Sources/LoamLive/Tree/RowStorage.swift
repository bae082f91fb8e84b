import LoamStorage

/// The rows of a ``RowLeaf``: the ids of all of them, behind these the keys. Nothing of it is written once it is made.
///
/// An id has 4 bytes where the upper halves of all are the same, else 8. Of a key stand there how many bytes it begins
/// with in common with the one before, how many it has behind these, both as numbers in groups of seven bits, and these.
final class RowStorage: ManagedBuffer<RowStorage.Header, UInt8> {
    struct Header {
        var count: UInt32
        /// The upper half of all ids; nil where they have 8 bytes.
        var idHead: UInt32?
        var byteCount: Int
    }

    /// - Parameter keys: as they stand there.
    static func make(_ rowIDs: [RowID], keys: [UInt8]) -> RowStorage {
        let head = rowIDs.first.map { UInt32(truncatingIfNeeded: $0 >> 32) } ?? 0
        let isNarrow = rowIDs.allSatisfy { $0 >> 32 == RowID(head) }
        return make(count: rowIDs.count, idHead: isNarrow ? head : nil, keyBytes: keys.count) { writer in
            for rowID in rowIDs { writer.write(rowID, isNarrow: isNarrow) }
            keys.withUnsafeBytes { writer.write($0) }
        }
    }

    private static func make(
        count: Int, idHead: UInt32?, keyBytes: Int, _ write: (inout RowWriter) -> Void
    ) -> RowStorage {
        let byteCount = count * (idHead == nil ? 8 : 4) + keyBytes
        let buffer = create(minimumCapacity: byteCount) { _ in
            Header(count: UInt32(count), idHead: idHead, byteCount: byteCount)
        }
        buffer.withUnsafeMutablePointerToElements { elements in
            var writer = RowWriter(elements)
            write(&writer)
            assert(UnsafeMutableRawPointer(elements) + byteCount == writer.next)
        }
        return unsafeDowncast(buffer, to: RowStorage.self)
    }

    var count: Int { Int(header.count) }

    private var idWidth: Int { header.idHead == nil ? 8 : 4 }

    func rowID(_ position: Int) -> RowID {
        precondition(0..<count ~= position, "There is no such position.")
        return withRowIDs { $0(position) }
    }

    /// Calls the closure with what gives the id of each row, by its position.
    func withRowIDs<R>(_ body: ((Int) -> RowID) throws -> R) rethrows -> R {
        let (count, head) = (count, header.idHead)
        return try withUnsafeMutablePointerToElements { elements in
            let source = UnsafeRawPointer(elements)
            guard let head else {
                return try body { number in
                    assert(number < count)
                    return source.load(fromByteOffset: 8 * number, as: RowID.self)
                }
            }
            return try body { number in
                assert(number < count)
                return RowID(head) << 32 | RowID(source.load(fromByteOffset: 4 * number, as: UInt32.self))
            }
        }
    }

    /// Calls the closure with the bytes of the ids.
    private func withIDBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        let count = count * idWidth
        return try withUnsafeMutablePointerToElements { try body(UnsafeRawBufferPointer(start: $0, count: count)) }
    }

    /// Calls the closure with a reader of the keys, before the first one.
    func withKeys<R>(_ body: (inout RowKeyReader) throws -> R) rethrows -> R {
        let (start, end) = (count * idWidth, header.byteCount)
        return try withUnsafeMutablePointerToElements { elements in
            var reader = RowKeyReader(UnsafeRawBufferPointer(start: elements + start, count: end - start))
            return try body(&reader)
        }
    }

    /// The key of the row at a position, without zeros at its end. O(position).
    func key(_ position: Int) -> [UInt8] {
        precondition(0..<count ~= position, "There is no such position.")
        var key: [UInt8] = []
        withKeys { reader in
            for _ in 0...position { reader.read(into: &key) }
        }
        return key
    }

    // MARK: Changes

    /// The rows with one more; nil where those behind it cannot stay as they are written.
    ///
    /// - Parameter key: without zeros at its end.
    func inserting(_ rowID: RowID, key: UnsafeRawBufferPointer, at position: Int) -> RowStorage? {
        let (count, idHead) = (count, header.idHead)
        guard idHead.map({ RowID($0) == rowID >> 32 }) ?? true else { return nil }
        return withKeys { reader in
            let all = reader.rest
            var common = 0
            for _ in 0..<position { common = reader.read().common(with: key, after: common) }
            let before = UnsafeRawBufferPointer(rebasing: all.dropLast(reader.rest.count))
            let own = RowKeyPart(shared: common, suffix: UnsafeRawBufferPointer(rebasing: key[common...]))
            var next: RowKeyPart?
            if position < count {
                let part = reader.read()
                // Else some of what it has in common with the one before is to be written.
                guard part.shared <= common else { return nil }
                next = part.dropping(part.common(with: key, after: common) - part.shared)
            }
            let rest = reader.rest
            let keyBytes = before.count + own.byteCount + (next?.byteCount ?? 0) + rest.count
            return Self.make(count: count + 1, idHead: idHead, keyBytes: keyBytes) { writer in
                withIDBytes { ids in
                    let split = position * idWidth
                    writer.write(UnsafeRawBufferPointer(rebasing: ids[..<split]))
                    writer.write(rowID, isNarrow: idHead != nil)
                    writer.write(UnsafeRawBufferPointer(rebasing: ids[split...]))
                }
                writer.write(before)
                writer.write(own)
                if let next { writer.write(next) }
                writer.write(rest)
            }
        }
    }

    /// The rows without one, of several.
    func removing(at position: Int) -> RowStorage {
        let (count, idHead) = (count, header.idHead)
        precondition(0..<count ~= position && count > 1, "There is no such position.")
        return withKeys { reader in
            let all = reader.rest
            reader.skip(position)
            let before = UnsafeRawBufferPointer(rebasing: all.dropLast(reader.rest.count))
            let own = reader.read()
            let next = position + 1 < count ? reader.read() : nil
            // What the next one has in common with this one only is to be written.
            let more = next.map { max(0, $0.shared - own.shared) } ?? 0
            let rest = reader.rest
            let nextBytes = next.map { RowKeyPart.byteCount(shared: $0.shared - more, $0.suffix.count + more) } ?? 0
            return Self.make(
                count: count - 1, idHead: idHead, keyBytes: before.count + nextBytes + rest.count
            ) { writer in
                withIDBytes { ids in
                    let split = position * idWidth
                    writer.write(UnsafeRawBufferPointer(rebasing: ids[..<split]))
                    writer.write(UnsafeRawBufferPointer(rebasing: ids[(split + idWidth)...]))
                }
                writer.write(before)
                if let next {
                    writer.write(shared: next.shared - more, next.suffix.count + more)
                    writer.write(UnsafeRawBufferPointer(rebasing: own.suffix.prefix(more)))
                    writer.write(next.suffix)
                }
                writer.write(rest)
            }
        }
    }
}

/// A key as it is written.
struct RowKeyPart {
    /// How many bytes it begins with in common with the key before: no fewer than it has.
    let shared: Int
    /// What it has behind these.
    let suffix: UnsafeRawBufferPointer

    var byteCount: Int { Self.byteCount(shared: shared, suffix.count) }

    static func byteCount(shared: Int, _ suffixCount: Int) -> Int {
        byteCount(of: shared) + byteCount(of: suffixCount) + suffixCount
    }

    private static func byteCount(of number: Int) -> Int {
        number < 0x80 ? 1 : (Int.bitWidth - number.leadingZeroBitCount + 6) / 7
    }

    /// How many bytes it begins with in common with another key.
    ///
    /// - Parameter common: how many of them the key before does.
    @inline(__always)
    func common(with key: UnsafeRawBufferPointer, after common: Int) -> Int {
        if shared != common { return min(shared, common) }
        return common + suffix.commonCount(with: UnsafeRawBufferPointer(rebasing: key[common...]))
    }

    /// The same key behind one that has so many more bytes in common with it.
    func dropping(_ count: Int) -> RowKeyPart {
        RowKeyPart(shared: shared + count, suffix: UnsafeRawBufferPointer(rebasing: suffix.dropFirst(count)))
    }
}

/// Reads the keys of a leaf one after another.
struct RowKeyReader {
    private var next: UnsafeRawPointer
    private let end: UnsafeRawPointer

    init(_ keys: UnsafeRawBufferPointer) {
        guard let start = keys.baseAddress else { preconditionFailure("A leaf has keys.") }
        (next, end) = (start, start + keys.count)
    }

    /// What is left to read.
    var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: next, count: end - next) }

    @inline(__always)
    mutating func read() -> RowKeyPart {
        let shared = number()
        let count = number()
        assert(next + count <= end)
        let suffix = UnsafeRawBufferPointer(start: next, count: count)
        next += count
        return RowKeyPart(shared: shared, suffix: suffix)
    }

    /// Passes over so many keys.
    mutating func skip(_ count: Int) {
        for _ in 0..<count { _ = read() }
    }

    /// Makes the key before into the next one.
    mutating func read(into key: inout [UInt8]) {
        let part = read()
        key.removeLast(key.count - part.shared)
        key += part.suffix
    }

    /// A number in groups of seven bits, the lowest ones first; all but the last one have the eighth bit.
    @inline(__always)
    private mutating func number() -> Int {
        let byte = next.load(as: UInt8.self)
        next += 1
        return byte < 0x80 ? Int(byte) : largeNumber(Int(byte & 0x7F))
    }

    private mutating func largeNumber(_ lowest: Int) -> Int {
        var (value, shift) = (lowest, 7)
        while true {
            let byte = next.load(as: UInt8.self)
            next += 1
            value |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
    }
}

/// Writes the bytes of a leaf, of which there is room for as many.
struct RowWriter {
    private(set) var next: UnsafeMutableRawPointer

    init(_ start: UnsafeMutableRawPointer) { next = start }

    mutating func write(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        next.copyMemory(from: source, byteCount: bytes.count)
        next += bytes.count
    }

    mutating func write(_ rowID: RowID, isNarrow: Bool) {
        if isNarrow {
            next.storeBytes(of: UInt32(truncatingIfNeeded: rowID), as: UInt32.self)
        } else {
            next.storeBytes(of: rowID, as: RowID.self)
        }
        next += isNarrow ? 4 : 8
    }

    mutating func write(_ part: RowKeyPart) {
        write(shared: part.shared, part.suffix.count)
        write(part.suffix)
    }

    /// Writes the numbers before a key's bytes.
    mutating func write(shared: Int, _ suffixCount: Int) {
        write(number: shared)
        write(number: suffixCount)
    }

    private mutating func write(number: Int) {
        var rest = number
        while rest >= 0x80 {
            next.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
            next += 1
            rest >>= 7
        }
        next.storeBytes(of: UInt8(rest), as: UInt8.self)
        next += 1
    }
}
