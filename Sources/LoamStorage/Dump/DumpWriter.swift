/// Writes a dump: the header, then one line per row,
/// `{"entity":"City","row":17,"values":{"name":"Reykjavík","population":118918}}`, with the values in the order of the
/// properties and without those that are nil.
///
/// Rows come entity by entity in the header's order and by ascending row id; ``finish()`` checks that all came. The
/// same store gives the same bytes, whatever LMDB's version and the store's history.
package struct DumpWriter {
    private let header: DumpHeader
    private let write: ([UInt8]) throws -> Void
    private var buffer: [UInt8] = []
    private var written: [Int]
    /// For each entity and property the bytes that stand before the value, made once.
    private let prefixes: [[[UInt8]]]
    private let starts: [[UInt8]]

    private static let bufferSize = 1 << 18

    /// Writes the header.
    /// - Parameter write: takes the bytes, some hundred kilobytes at a time.
    /// - Throws: what the header's encoding throws; nothing is written yet.
    package init(_ header: DumpHeader, write: @escaping ([UInt8]) throws -> Void) throws {
        self.header = header
        self.write = write
        written = header.entities.map { _ in 0 }
        starts = header.entities.map { entity in
            var bytes = Array(#"{"entity":"#.utf8)
            JSONText.append(entity.name, to: &bytes)
            return bytes + Array(#","row":"#.utf8)
        }
        prefixes = header.entities.map { entity in
            entity.properties.map { property in
                var bytes: [UInt8] = []
                JSONText.append(property.name, to: &bytes)
                return bytes + [UInt8(ascii: ":")]
            }
        }
        buffer.append(contentsOf: try header.line())
        buffer.append(UInt8(ascii: "\n"))
    }

    /// Appends a row.
    /// - Parameters:
    ///   - entity: the position in the header.
    ///   - values: one per property, in the header's order.
    /// - Throws: `missingValue` for a wrong number of values, and what `write` throws.
    package mutating func append(_ rowID: RowID, entity: Int, values: [Value]) throws {
        let properties = header.entities[entity].properties
        guard values.count == properties.count else {
            throw StorageError(.missingValue, entity: header.entities[entity].name, rowID: rowID)
        }
        buffer.append(contentsOf: starts[entity])
        JSONText.append(rowID, to: &buffer)
        buffer.append(contentsOf: #","values":{"#.utf8)
        var isFirst = true
        for (position, value) in values.enumerated() where !value.isNull {
            if !isFirst { buffer.append(UInt8(ascii: ",")) }
            isFirst = false
            buffer.append(contentsOf: prefixes[entity][position])
            DumpValue.append(value, as: properties[position].type, to: &buffer)
        }
        buffer.append(contentsOf: "}}\n".utf8)
        written[entity] += 1
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Appends a link, as
    /// `{"entity":"City","relationship":"tags","source":17,"destination":4,"positions":[65536,131072]}`. Links come
    /// after all rows, in the header's order, then by source, position and destination.
    ///
    /// - Throws: what `write` throws.
    package mutating func append(_ link: DumpLink) throws {
        buffer.append(contentsOf: #"{"entity":"#.utf8)
        JSONText.append(header.entities[link.entity].name, to: &buffer)
        buffer.append(contentsOf: #","relationship":"#.utf8)
        JSONText.append(header.entities[link.entity].relationships?[link.relationship].name ?? "", to: &buffer)
        let (source, destination) = (link.source, link.destination)
        let numbers =
            #","source":\#(source),"destination":\#(destination),"positions":[\#(link.position),\#(link.otherPosition)]}"#
        buffer.append(contentsOf: (numbers + "\n").utf8)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Writes what is left. Throws when the rows are not as many as the header said.
    package mutating func finish() throws {
        for (entity, rows) in zip(header.entities, written) where entity.rows != rows {
            throw StorageError(
                .inconsistent("\(rows) rows were read where \(entity.rows) are counted"), entity: entity.name)
        }
        try flush()
    }

    private mutating func flush() throws {
        try write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
