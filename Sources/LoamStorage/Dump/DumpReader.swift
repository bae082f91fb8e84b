/// A row of a dump.
package struct DumpRow: Sendable {
    /// The position of its entity in the header.
    package var entity: Int
    package var rowID: RowID
    /// The values of all properties, in the header's order.
    package var values: [Value]

    package init(entity: Int, rowID: RowID, values: [Value]) {
        self.entity = entity
        self.rowID = rowID
        self.values = values
    }
}

/// Reads what ``DumpWriter`` wrote, strictly: order, types, names and the number of rows are checked, and whatever is
/// not as it should be throws ``StorageError/Kind/invalidDump(line:_:)``.
package struct DumpReader {
    package let header: DumpHeader
    private var lines: LineReader
    private var read: [Int]
    private var last: (entity: Int, rowID: RowID)?
    /// The first link, on the line behind the last row, that was read to find the end of the rows.
    private var firstLink: JSONValue?
    private var lastLink: DumpLink?
    private var readLinks: [[Int]]
    private let entities: [String: Int]
    private let positions: [[String: Int]]

    /// Reads the header.
    ///
    /// - Throws: `invalidDump`, naming the line, where there is no header or it contradicts itself; `newerDump`;
    ///   `unreadableFile`.
    package init(_ source: ByteSource) throws {
        lines = LineReader(source, limit: DumpHeader.longestLine)
        guard try lines.next() else { throw StorageError(.invalidDump(line: 1, "the file is empty")) }
        header = try DumpHeader(line: lines.bytes)
        lines.limit = header.longestRow
        read = header.entities.map { _ in 0 }
        readLinks = header.entities.map { ($0.relationships ?? []).map { _ in 0 } }
        entities = Dictionary(uniqueKeysWithValues: header.entities.enumerated().map { ($1.name, $0) })
        positions = header.entities.map { entity in
            Dictionary(uniqueKeysWithValues: entity.properties.enumerated().map { ($1.name, $0) })
        }
    }

    /// The next row; nil after the last, when the links follow. Throws at the end when rows are missing.
    package mutating func next() throws -> DumpRow? {
        while firstLink == nil, let json = try nextLine() {
            guard json["relationship"] == nil else {
                firstLink = json
                break
            }
            let row = try row(json)
            if let last, (row.entity, row.rowID) <= last { throw failure("rows are out of order") }
            guard row.rowID > 0, row.rowID <= header.entities[row.entity].lastRow else {
                throw failure("the row id is not one of those that the header announces")
            }
            last = (row.entity, row.rowID)
            read[row.entity] += 1
            return row
        }
        for (entity, rows) in zip(header.entities, read) where entity.rows != rows {
            throw failure("the header announces \(entity.rows) rows of an entity and \(rows) follow")
        }
        return nil
    }

    /// The next link; nil after the last. Rows come before. Throws at the end when links are missing.
    package mutating func nextLink() throws -> DumpLink? {
        let stashed = firstLink
        firstLink = nil
        if let json = try stashed ?? nextLine() {
            let link = try link(json)
            if let lastLink, !lastLink.precedence.lexicographicallyPrecedes(link.precedence) {
                throw failure("links are out of order")
            }
            lastLink = link
            readLinks[link.entity][link.relationship] += 1
            return link
        }
        for (entity, counts) in zip(header.entities, readLinks) {
            for (relationship, count) in zip(entity.relationships ?? [], counts)
            where (relationship.links ?? 0) != count {
                throw failure("the header announces other numbers of links than follow")
            }
        }
        return nil
    }

    private mutating func nextLine() throws -> JSONValue? {
        while try lines.next() {
            if lines.bytes.isEmpty { continue }
            do {
                return try JSONParser.parse(lines.bytes)
            } catch {
                throw failure("it is not JSON, at byte \(error.offset): \(error.reason)")
            }
        }
        return nil
    }

    private func link(_ json: JSONValue) throws -> DumpLink {
        guard let name = json["entity"]?.string, let entity = entities[name],
            let relationship = header.entities[entity].relationships?.firstIndex(where: {
                $0.name == json["relationship"]?.string && $0.storage == .links
            })
        else { throw failure("it names no links of the header") }
        guard let source = json["source"]?.integer(as: RowID.self),
            let destination = json["destination"]?.integer(as: RowID.self),
            let positions = json["positions"]?.array?.map({ $0.integer(as: Int64.self) }), positions.count == 2,
            let position = positions[0], let otherPosition = positions[1]
        else { throw failure("it has no source, destination and positions") }
        return DumpLink(
            entity: entity, relationship: relationship, source: source, destination: destination, position: position,
            otherPosition: otherPosition)
    }

    private func row(_ json: JSONValue) throws -> DumpRow {
        guard let name = json["entity"]?.string, let entity = entities[name] else {
            throw failure("it names no entity of the header")
        }
        guard let rowID = json["row"]?.integer(as: RowID.self) else { throw failure("it has no row id") }
        guard case .object(let members) = json["values"] else { throw failure("it has no values") }
        return DumpRow(entity: entity, rowID: rowID, values: try values(members, entity: entity))
    }

    private func values(_ members: [JSONValue.Member], entity: Int) throws -> [Value] {
        let properties = header.entities[entity].properties
        var values = [Value](repeating: .null, count: properties.count)
        for member in members {
            guard let position = positions[entity][member.name] else { throw failure("a property is unknown") }
            guard values[position].isNull else { throw failure("a property stands twice") }
            guard let value = DumpValue.value(member.value, as: properties[position].type) else {
                throw failure("property \(member.name) is not of type \(properties[position].type)")
            }
            values[position] = value
        }
        for (value, property) in zip(values, properties) where value.isNull && !property.optional {
            throw failure("property \(property.name) has no value")
        }
        return values
    }

    private func failure(_ why: String) -> StorageError {
        StorageError(.invalidDump(line: lines.number, why))
    }
}
