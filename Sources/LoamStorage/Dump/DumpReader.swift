/// A row of a dump.
package struct DumpRow: Sendable {
    /// The position of its entity in the header.
    package var entity: Int
    package var rowID: RowID
    /// One value per property, in the header's order.
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
    private let entities: [String: Int]
    private let positions: [[String: Int]]

    /// Reads the header.
    package init(_ source: ByteSource) throws {
        lines = LineReader(source)
        guard try lines.next() else { throw StorageError(.invalidDump(line: 1, "the file is empty")) }
        header = try DumpHeader(line: lines.bytes)
        read = header.entities.map { _ in 0 }
        entities = Dictionary(uniqueKeysWithValues: header.entities.enumerated().map { ($1.name, $0) })
        positions = header.entities.map { entity in
            Dictionary(uniqueKeysWithValues: entity.properties.enumerated().map { ($1.name, $0) })
        }
    }

    /// The next row; nil after the last. Throws at the end when rows are missing.
    package mutating func next() throws -> DumpRow? {
        while try lines.next() {
            if lines.bytes.isEmpty { continue }
            let row = try row()
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

    private func row() throws -> DumpRow {
        let json: JSONValue
        do {
            json = try JSONParser.parse(lines.bytes)
        } catch {
            throw failure("it is not JSON, at byte \(error.offset): \(error.reason)")
        }
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
