/// One save as the history keeps it.
package struct HistoryEntry: Hashable, Sendable {
    package enum Kind: UInt8, Hashable, Sendable { case insert = 0, update = 1, delete = 2 }

    package struct Field: Hashable, Sendable {
        package var property: PropertyID
        /// The value before the save, tagged (``CompositeCodec``).
        package var bytes: [UInt8]
    }

    package struct Row: Hashable, Sendable {
        package var kind: Kind
        package var entity: EntityID
        package var rowID: RowID
        /// The properties that an update changed.
        package var changed: [PropertyID] = []
        /// Previous values of changed properties that an index uses. For a deletion, of all such properties and of
        /// those that are preserved. Of values outside the record only preserved ones are here: a deletion on a full
        /// map could not afford to write the others once more.
        package var previous: [Field] = []

        package init(
            kind: Kind, entity: EntityID, rowID: RowID, changed: [PropertyID] = [], previous: [Field] = []
        ) {
            self.kind = kind
            self.entity = entity
            self.rowID = rowID
            self.changed = changed
            self.previous = previous
        }
    }

    package var save: UInt64
    package var author: String?
    /// Seconds since 2001-01-01 00:00:00 UTC.
    package var time: Double
    /// The entities whose changed rows are not listed, because the save changed too many, loaded rows in bulk, or
    /// erased all. Whoever follows such an entity reads it anew.
    package var rewritten: [EntityID] = []
    /// Of an entity in ``rewritten``, only the deleted ones that have preserved values.
    package var rows: [Row] = []
    package var links: [LinkChange] = []
    /// Whether what the save changed was taken out of the history; its number and time stay, so that those who follow
    /// the store know that there was one.
    package var isEmptied = false

    /// A save of more rows is kept as ``rewritten``.
    package static let mostRows = 65_536
    /// Bytes of a chunk, unless one row alone is longer.
    static let chunkBytes = 16 << 10
    /// What a save without changed links begins with, one with, and one that was emptied.
    private static let (version, versionWithLinks, versionEmptied): (UInt8, UInt8, UInt8) = (1, 2, 3)
    private static let versions = version...versionEmptied
}

extension HistoryEntry {
    /// The chunks in order. Little endian; text and lists carry their length in front. Rows, then links.
    func encodedChunks() -> [[UInt8]] {
        var chunks: [[UInt8]] = []
        var chunk = header()
        let headerCount = chunk.count
        func end(_ start: Int) {
            guard chunk.count > Self.chunkBytes, start > (chunks.isEmpty ? headerCount : 0) else { return }
            chunks.append(Array(chunk[..<start]))
            chunk.removeSubrange(..<start)
        }
        for row in rows {
            let start = chunk.count
            Self.append(row, to: &chunk)
            end(start)
        }
        for link in links {
            let start = chunk.count
            Self.append(link, to: &chunk)
            end(start)
        }
        chunks.append(chunk)
        return chunks
    }

    private func header() -> [UInt8] {
        let version = isEmptied ? Self.versionEmptied : links.isEmpty ? Self.version : Self.versionWithLinks
        var bytes: [UInt8] = [version, author == nil ? 0 : 1]
        if let author { bytes.append(list: Array(author.utf8)) }
        bytes.append(littleEndian: time.bitPattern)
        bytes.append(littleEndian: UInt32(rows.count))
        bytes.append(littleEndian: UInt32(rewritten.count))
        for entity in rewritten { bytes.append(littleEndian: entity) }
        if !links.isEmpty { bytes.append(littleEndian: UInt32(links.count)) }
        return bytes
    }

    private static func append(_ link: LinkChange, to bytes: inout [UInt8]) {
        bytes.append(link.isAdded ? 1 : 0)
        bytes.append(littleEndian: link.relationship)
        bytes.append(littleEndian: link.source)
        bytes.append(littleEndian: link.destination)
    }

    private static func append(_ row: Row, to bytes: inout [UInt8]) {
        bytes.append(row.kind.rawValue)
        bytes.append(littleEndian: row.entity)
        bytes.append(littleEndian: row.rowID)
        bytes.append(littleEndian: UInt32(row.changed.count))
        for property in row.changed { bytes.append(littleEndian: property) }
        bytes.append(littleEndian: UInt32(row.previous.count))
        for field in row.previous {
            bytes.append(littleEndian: field.property)
            bytes.append(list: field.bytes)
        }
    }

    /// The time of a save from its first chunk; nil where that is damaged.
    static func time(ofFirstChunk bytes: [UInt8]) -> Double? {
        var reader = ByteReader(history: bytes)
        guard let found = try? reader.byte(), versions.contains(found),
            let hasAuthor = try? reader.byte()
        else { return nil }
        if hasAuthor == 1, (try? reader.list()) == nil { return nil }
        return (try? reader.integer(UInt64.self)).map(Double.init(bitPattern:))
    }

    /// Reads what ``encodedChunks()`` wrote, joined. Throws on anything else.
    static func decode(_ bytes: [UInt8], save: UInt64) throws -> HistoryEntry {
        var reader = ByteReader(history: bytes)
        let found = try reader.byte()
        guard versions.contains(found) else {
            throw StorageError(.damagedHistory("save \(save) has an unknown version"))
        }
        var entry = HistoryEntry(save: save, author: nil, time: 0)
        entry.isEmptied = found == versionEmptied
        if try reader.byte() == 1 { entry.author = String(decoding: try reader.list(), as: UTF8.self) }
        entry.time = Double(bitPattern: try reader.integer())
        let rowCount: UInt32 = try reader.integer()
        let rewrittenCount: UInt32 = try reader.integer()
        for _ in 0..<rewrittenCount { entry.rewritten.append(try reader.integer()) }
        let linkCount: UInt32 = found == versionWithLinks ? try reader.integer() : 0
        for _ in 0..<rowCount { entry.rows.append(try reader.row()) }
        for _ in 0..<linkCount { entry.links.append(try reader.link()) }
        guard reader.isAtEnd else { throw StorageError(.damagedHistory("save \(save) has trailing bytes")) }
        return entry
    }
}

extension ByteReader {
    /// Makes a reader of a history entry's bytes.
    fileprivate init(history bytes: [UInt8]) {
        self.init(bytes[...]) { .damagedHistory($0) }
    }

    fileprivate mutating func link() throws -> LinkChange {
        let kind = try byte()
        guard kind <= 1 else { throw StorageError(.damagedHistory("a link's kind is unknown")) }
        return LinkChange(
            relationship: try integer(), source: try integer(), destination: try integer(), isAdded: kind == 1)
    }

    fileprivate mutating func row() throws -> HistoryEntry.Row {
        guard let kind = HistoryEntry.Kind(rawValue: try byte()) else {
            throw StorageError(.damagedHistory("a row's kind is unknown"))
        }
        var row = HistoryEntry.Row(kind: kind, entity: try integer(), rowID: try integer())
        let changedCount: UInt32 = try integer()
        for _ in 0..<changedCount { row.changed.append(try integer()) }
        let previousCount: UInt32 = try integer()
        for _ in 0..<previousCount {
            row.previous.append(.init(property: try integer(), bytes: try list()))
        }
        return row
    }
}
