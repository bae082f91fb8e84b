import Foundation
import _LoamStore

/// The store of this package. Saves are durable: the data and then the meta page are flushed.
final class LoamSide {
    let path: String
    private var opened: (store: LoamStore, entity: EntityHandle)?

    /// Positions of the properties in the entity; the id is the row id.
    enum Property {
        static let (code, place, magnitude, time, day, felt, tsunami) = (0, 1, 2, 3, 4, 5, 6)
    }

    private static let description = EntityDescription(
        "Quake",
        properties: [
            .init("code", .string), .init("place", .string), .init("magnitude", .double), .init("time", .date),
            .init("day", .string), .init("felt", .int, isOptional: true), .init("tsunami", .bool),
        ],
        indexes: [
            .init("time", ["time"]), .init("day", ["day", "time"], isSectioned: true),
            .init("magnitude", ["magnitude"]), .init("code", ["code"], isUnique: true),
        ])

    init(folder: String) {
        path = folder + "/quakes.loam"
    }

    var store: LoamStore {
        get throws { try open().store }
    }

    var entity: EntityHandle {
        get throws { try open().entity }
    }

    private func open() throws -> (store: LoamStore, entity: EntityHandle) {
        if let opened { return opened }
        let store = try LoamStore(path: path)
        let result = (store, try store.entity("Quake"))
        opened = result
        return result
    }

    func close() { opened = nil }

    /// Makes an empty file in the place of the old one.
    func makeEmptyStore() throws -> LoamStore {
        close()
        try removeFiles(path, path + "-lock")
        return try LoamStore(path: path)
    }

    func load(_ rows: [Quake], into store: LoamStore) throws {
        try store.load(Self.description, rowCount: rows.count) { position, row in
            let quake = rows[position]
            try row.set(quake.code, at: Property.code)
            try row.set(quake.place, at: Property.place)
            try row.set(quake.magnitude, at: Property.magnitude)
            try row.set(quake.time.timeIntervalSinceReferenceDate, at: Property.time)
            try row.set(quake.day, at: Property.day)
            if let felt = quake.felt { try row.set(Int64(felt), at: Property.felt) }
            try row.set(quake.tsunami, at: Property.tsunami)
        }
    }

    static func values(_ quake: Quake) -> [FieldValue] {
        [
            .string(quake.code), .string(quake.place), .double(quake.magnitude),
            .date(quake.time.timeIntervalSinceReferenceDate), .string(quake.day),
            quake.felt.map { .int(Int64($0)) } ?? .null, .bool(quake.tsunami),
        ]
    }
}

extension Quake {
    convenience init(_ row: borrowing RowReader) throws {
        typealias Property = LoamSide.Property
        self.init(
            id: row.rowID, code: try row.string(Property.code) ?? "", place: try row.string(Property.place) ?? "",
            magnitude: try row.double(Property.magnitude) ?? 0,
            time: Date(timeIntervalSinceReferenceDate: try row.double(Property.time) ?? 0),
            day: try row.string(Property.day) ?? "", felt: try row.int(Property.felt).map { Int($0) },
            tsunami: try row.bool(Property.tsunami) ?? false)
    }
}

extension StoreSnapshot {
    /// The objects of a range, in the order of the index or reversed, at most `limit`.
    func quakes(in range: IndexRange, reversed: Bool = false, limit: Int = .max) throws -> [Quake] {
        var quakes: [Quake] = []
        if limit < 1_000 { quakes.reserveCapacity(limit) }
        try forEachRow(in: range, reversed: reversed, limit: limit) { quakes.append(try Quake($0)) }
        return quakes
    }
}

/// Deletes files, where they are there.
func removeFiles(_ paths: String...) throws {
    for path in paths where FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
    }
}
