import Foundation

/// Reads the encoding of ``CompositeTag``, strictly: bytes that the encoder would not have written throw
/// `damagedRecord`. Nothing is reserved before it is known that the bytes are there.
struct CompositeReader: ~Escapable {
    let bytes: RawSpan
    private(set) var offset = 0
    private var end: Int

    /// The most elements that memory is reserved for before they are read: nested false counts stay cheap.
    private static var reservedElements: Int { 1_024 }

    @_lifetime(copy bytes)
    init(_ bytes: RawSpan) {
        self.bytes = bytes
        end = bytes.byteCount
    }

    /// Decodes exactly one value that fills the bytes. O(bytes).
    static func decode(_ bytes: RawSpan) throws -> Value {
        var reader = CompositeReader(bytes)
        let value = try reader.value(depth: 0)
        guard reader.offset == bytes.byteCount else { throw damaged("bytes follow a composite value") }
        return value
    }

    static func damaged(_ what: String) -> StorageError { StorageError(.damagedRecord(what)) }

    /// Appends the UTF-8 of the string that fills the bytes, and tells whether it is plain; nil for any other value.
    static func appendText(of bytes: RawSpan, to text: inout [UInt8]) throws -> Bool? {
        var reader = CompositeReader(bytes)
        let tag = try reader.readTag()
        guard tag == .string || tag == .plainString else { return nil }
        let range = try reader.readLengthAndBytes()
        guard reader.offset == bytes.byteCount else { throw damaged("bytes follow a composite value") }
        return try bytes.extracting(unchecked: range).withUnsafeBytes { content in
            let isPlain = PlainText.isPlain(content)
            guard isPlain == (tag == .plainString) else { throw damaged(wronglyPlain) }
            guard isPlain || PlainText.isUTF8(content) else { throw damaged("a string is not UTF-8") }
            text.append(contentsOf: content)
            return isPlain
        }
    }

    static var wronglyPlain: String { "a string is marked wrongly as plain" }
    static var noCollection: String { "a value that has no elements stands in the place of some" }
    static var withoutMembers: StorageError {
        StorageError(.typeMismatch(expected: "structure", found: "a value without members"))
    }
    private static var twiceOrEmpty: String { "a structure has a member twice or an empty one" }
    private static var cutShort: String { "a composite value is cut short" }

    // MARK: Paths

    /// Where the value at the end of a path lies, without decoding anything beside it; nil when a member is absent or
    /// nil on the way. Names are compared by their bytes. O(members on the way). Throws `typeMismatch` when the path
    /// leads through something that is neither a structure nor a dictionary with string keys, `damagedRecord` where the
    /// bytes on the way are impossible.
    static func find(_ path: [String], in bytes: RawSpan) throws -> Range<Int>? {
        var reader = CompositeReader(bytes)
        for name in path {
            guard try reader.enter(name) else { return nil }
        }
        let start = reader.offset
        try reader.skip()
        return start..<reader.offset
    }

    /// Moves from the start of a container to the start of the value of a member; false when there is none.
    private mutating func enter(_ name: String) throws -> Bool {
        let tag = try readTag()
        if tag == .null { return false }
        guard tag == .structure || tag == .dictionary else {
            throw Self.withoutMembers
        }
        let count = try enterContainer(tag)
        var name = name
        let isFound = try name.withUTF8 { name in
            try findMember(UnsafeRawBufferPointer(start: name.baseAddress, count: name.count), among: count, of: tag)
        }
        if isFound, tag == .structure, try isNull() { throw Self.damaged(Self.twiceOrEmpty) }
        return isFound
    }

    /// Moves from the start of a structure to the value of a member; false when there is none. O(members before it).
    ///
    /// - Throws: `damagedRecord` where the bytes are impossible, and for any other value.
    mutating func enterMember(_ name: UnsafeRawBufferPointer) throws -> Bool {
        let tag = try readTag()
        guard tag == .structure else { throw Self.damaged(Self.noCollection) }
        return try findMember(name, among: enterContainer(tag), of: tag)
    }

    /// Whether the next value is nil.
    private func isNull() throws -> Bool {
        guard offset < end else { throw Self.damaged(Self.cutShort) }
        return bytes.littleEndian(at: offset, as: UInt8.self) == CompositeTag.null.rawValue
    }

    private mutating func findMember(
        _ name: UnsafeRawBufferPointer, among count: Int, of tag: CompositeTag
    ) throws
        -> Bool
    {
        for _ in 0..<count {
            if try readName(of: tag, equals: name) { return true }
            try skip()
        }
        return false
    }

    /// Reads a member's name or a dictionary's key, and says whether it is this one.
    private mutating func readName(of container: CompositeTag, equals name: UnsafeRawBufferPointer) throws -> Bool {
        if container == .dictionary {
            let tag = try readTag()
            guard tag == .string || tag == .plainString else {
                throw StorageError(.typeMismatch(expected: "string keys", found: "other keys"))
            }
        }
        let range = try readLengthAndBytes()
        return bytes.extracting(unchecked: range).withUnsafeBytes { StringForms.compare($0, name) == 0 }
    }

    /// Goes back to a place in the container that it is in.
    mutating func move(to place: Int) { offset = place }

    /// Moves behind the next value. O(1).
    mutating func skip() throws {
        let tag = try readTag()
        if let width = tag.fixedWidth { _ = try take(width) } else { _ = try readLengthAndBytes() }
    }

    // MARK: Values

    private mutating func value(depth: Int) throws -> Value {
        let tag = try readTag()
        switch tag {
        case .null: return .null
        case .false: return .bool(false)
        case .true: return .bool(true)
        case .int8: return .int(Int64(try read(Int8.self)))
        case .int16: return .int(Int64(try readWide(Int16.self, Int8.self)))
        case .int32: return .int(Int64(try readWide(Int32.self, Int16.self)))
        case .int64: return .int(try readWide(Int64.self, Int32.self))
        case .uint8: return .uint(UInt64(try read(UInt8.self)))
        case .uint16: return .uint(UInt64(try readWide(UInt16.self, UInt8.self)))
        case .uint32: return .uint(UInt64(try readWide(UInt32.self, UInt16.self)))
        case .uint64: return .uint(try readWide(UInt64.self, UInt32.self))
        case .float: return .float(Float(bitPattern: try read(UInt32.self)))
        case .double: return .double(Double(bitPattern: try read(UInt64.self)))
        case .date: return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: try read(UInt64.self))))
        case .uuid: return .uuid(FieldDecoding.uuid(bytes.extracting(unchecked: try take(16))))
        case .decimal, .plainString, .string, .url, .data:
            return try text(tag, content: bytes.extracting(unchecked: try readLengthAndBytes()))
        case .array, .dictionary, .structure:
            return try container(tag, depth: depth)
        }
    }

    private func text(_ tag: CompositeTag, content: RawSpan) throws -> Value {
        switch tag {
        case .decimal: return .decimal(try FieldDecoding.decimal(content))
        case .url: return .url(try FieldDecoding.url(content))
        case .data: return .data(FieldDecoding.data(content))
        default:
            guard content.withUnsafeBytes(PlainText.isPlain) == (tag == .plainString) else {
                throw Self.damaged(Self.wronglyPlain)
            }
            return .string(try FieldDecoding.string(content))
        }
    }

    private mutating func container(_ tag: CompositeTag, depth: Int) throws -> Value {
        guard depth < CompositeTag.maximumDepth else { throw Self.damaged("values are nested too deeply") }
        let outerEnd = end
        let count = try enterContainer(tag)
        let value: Value =
            switch tag {
            case .dictionary: .dictionary(try pairs(count, depth: depth))
            case .structure: .structure(try members(count, depth: depth))
            default: .array(try elements(count, depth: depth))
            }
        guard offset == end else { throw Self.damaged("bytes follow the last element of a composite value") }
        end = outerEnd
        return value
    }

    private mutating func elements(_ count: Int, depth: Int) throws -> [Value] {
        var result: [Value] = []
        result.reserveCapacity(min(count, Self.reservedElements))
        for _ in 0..<count { result.append(try value(depth: depth + 1)) }
        return result
    }

    private mutating func pairs(_ count: Int, depth: Int) throws -> [Value: Value] {
        var result = [Value: Value](minimumCapacity: min(count, Self.reservedElements))
        var previous = 0..<0
        for _ in 0..<count {
            let start = offset
            let key = try value(depth: depth + 1)
            try checkOrder(&previous, next: start..<offset)
            guard result.updateValue(try value(depth: depth + 1), forKey: key) == nil else {
                throw Self.damaged("a dictionary has a key twice")
            }
        }
        return result
    }

    private mutating func members(_ count: Int, depth: Int) throws -> [String: Value] {
        var result = [String: Value](minimumCapacity: min(count, Self.reservedElements))
        var previous = 0..<0
        for index in 0..<count {
            let range = try readLengthAndBytes()
            if index > 0 || !range.isEmpty { try checkOrder(&previous, next: range) }
            let name = try FieldDecoding.string(bytes.extracting(unchecked: range))
            let value = try value(depth: depth + 1)
            guard !value.isNull, result.updateValue(value, forKey: name) == nil else {
                throw Self.damaged(Self.twiceOrEmpty)
            }
        }
        return result
    }

    /// Throws unless the bytes of this name or key are above those of the one before.
    private func checkOrder(_ previous: inout Range<Int>, next: Range<Int>) throws {
        let isAscending = bytes.withUnsafeBytes { $0[previous].lexicographicallyPrecedes($0[next]) }
        guard isAscending else { throw Self.damaged("names or keys of a composite value are out of order") }
        previous = next
    }

    // MARK: Bytes

    mutating func readTag() throws -> CompositeTag {
        guard let tag = CompositeTag(rawValue: try read(UInt8.self)) else { throw Self.damaged("a tag is unknown") }
        return tag
    }

    /// Reads tag, length and count of an array and confines the reader to it.
    ///
    /// - Throws: `damagedRecord` for any other value.
    mutating func enterArray() throws -> Int {
        let tag = try readTag()
        guard tag == .array else { throw Self.damaged(Self.noCollection) }
        return try enterContainer(tag)
    }

    /// Reads length and count of a container and confines the reader to it.
    mutating func enterContainer(_ tag: CompositeTag) throws -> Int {
        let body = try readLengthAndBytes()
        offset = body.lowerBound
        end = body.upperBound
        let count = try readLength()
        let least = tag == .array ? 1 : 2
        guard count <= (end &- offset) / least else { throw Self.damaged("it counts more elements than it has bytes") }
        return count
    }

    mutating func readLengthAndBytes() throws -> Range<Int> { try take(try readLength()) }

    /// The next bytes' range. Throws when they are not there.
    mutating func take(_ count: Int) throws -> Range<Int> {
        guard count >= 0, count <= end &- offset else { throw Self.damaged(Self.cutShort) }
        let start = offset
        offset &+= count
        return start..<offset
    }

    mutating func read<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type) throws -> Number {
        let range = try take(MemoryLayout<Number>.size)
        return bytes.littleEndian(at: range.lowerBound)
    }

    /// Reads a number that must not fit the next narrower type.
    private mutating func readWide<Number: FixedWidthInteger & BitwiseCopyable, Narrow: FixedWidthInteger>(
        _: Number.Type, _: Narrow.Type
    ) throws -> Number {
        let number = try read(Number.self)
        guard Narrow(exactly: number) == nil else { throw Self.damaged("a number is wider than it needs to be") }
        return number
    }

    private mutating func readLength() throws -> Int {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try read(UInt8.self)
            result |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 {
                guard byte != 0 || shift == 0, let length = Int(exactly: result), length <= Int(UInt32.max) else {
                    break
                }
                return length
            }
            shift += 7
            if shift > 28 { break }
        }
        throw Self.damaged("a length is not one that would be written")
    }
}
