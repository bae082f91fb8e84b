import Foundation
import LoamStorage
import SeededRandom

/// A store of cities that this process writes, while the tool, in another one, watches.
struct WatchedStore {
    let store: Store
    private let entity: Entity
    private var random: SeededGenerator
    private var rowIDs: [RowID] = []
    private var lastNumber = 0

    init(_ tool: Tool, seed: UInt64 = 1) throws {
        random = SeededGenerator(seed: seed)
        store = try Store.open(path: tool.folder.appendingPathComponent("s.loam").path)
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "City",
                    properties: [
                        PropertyDefinition("number", type: .int64), PropertyDefinition("name", type: .string),
                        PropertyDefinition("country", type: .string, isOptional: true),
                        PropertyDefinition("size", type: .int64),
                    ],
                    indexes: [IndexDefinition([.init("country"), .init("size")], isSectioned: true)])))
        entity = try store.read { try $0.entity(named: "City") }
    }

    /// Saves new rows.
    @discardableResult
    mutating func insert(_ cities: [(name: String, country: String?, size: Int)]) throws -> [RowID] {
        var batch = WriteBatch(author: "test")
        let new = try cities.map { try insert($0.name, $0.country, $0.size, into: &batch) }
        try store.save(batch)
        return new
    }

    func delete(_ rowID: RowID) throws {
        var batch = WriteBatch(author: "test")
        batch.delete(rowID, of: entity.id)
        try store.save(batch)
    }

    func update(_ rowID: RowID, _ property: String, _ value: Value) throws {
        var batch = WriteBatch(author: "test")
        try update(rowID, property, value, in: &batch)
        try store.save(batch)
    }

    /// The number of the last save.
    func lastSave() throws -> UInt64 { try store.read { try $0.lastSave() } }

    /// Saves so many rows with random values.
    mutating func fill(_ count: Int) throws {
        try insert((0..<count).map { _ in (randomName(), randomCountry(), randomSize()) })
    }

    /// Inserts, deletes and updates some rows, in one save.
    mutating func saveChanges() throws {
        var batch = WriteBatch(author: "test")
        var rest = rowIDs.shuffled(using: &random)
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            switch (Int.random(in: 0..<6, using: &random), rest.popLast()) {
            case (0, _), (_, nil): _ = try insert(randomName(), randomCountry(), randomSize(), into: &batch)
            case (1, let rowID?):
                batch.delete(rowID, of: entity.id)
                rowIDs.removeAll { $0 == rowID }
            case (2, let rowID?): try update(rowID, "name", .string(randomName()), in: &batch)
            case (3, let rowID?): try update(rowID, "country", randomCountry().map(Value.string) ?? .null, in: &batch)
            case (_, let rowID?): try update(rowID, "size", .int(Int64(randomSize())), in: &batch)
            }
        }
        try store.save(batch)
    }

    private mutating func insert(
        _ name: String, _ country: String?, _ size: Int, into batch: inout WriteBatch
    ) throws -> RowID {
        lastNumber += 1
        let values: [String: Value] = [
            "number": .int(Int64(lastNumber)), "name": .string(name), "country": country.map(Value.string) ?? .null,
            "size": .int(Int64(size)),
        ]
        let rowID = try store.makeRowID()
        batch.insert(try store.catalog().encode(values, as: "City"), into: entity.id, rowID: rowID)
        rowIDs.append(rowID)
        return rowID
    }

    private func update(_ rowID: RowID, _ property: String, _ value: Value, in batch: inout WriteBatch) throws {
        guard let position = entity.position(of: property) else { return }
        batch.update(rowID, of: entity.id, base: nil, changes: [entity.properties[position].id: value])
    }

    private mutating func randomName() -> String {
        ["Arequipa", "árbol", "a", "Lima", "\"", ""].randomElement(using: &random) ?? ""
    }

    private mutating func randomCountry() -> String? {
        ["PE", "CL", "BO", "AR", "UY", nil].randomElement(using: &random) ?? nil
    }

    private mutating func randomSize() -> Int { Int.random(in: 0..<10, using: &random) }
}
