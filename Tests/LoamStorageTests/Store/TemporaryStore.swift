import Foundation
import LoamStorage

/// A store in a folder of its own that goes with the test.
final class TemporaryStore {
    let folder: URL
    let path: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("loam-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("test.loam").path
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Opens the store unsynced: no test here cuts the power.
    func open(_ change: (inout StoreOptions) -> Void = { _ in }) throws -> Store {
        var options = StoreOptions()
        options.durability = .unsynced
        change(&options)
        return try Store.open(path: path, options: options)
    }
}

extension Store {
    func entity(_ name: String) throws -> Entity {
        try read { try $0.entity(named: name) }
    }

    /// Inserts rows in one batch, with values by property name.
    @discardableResult
    func insert(_ rows: [[String: Value]], into name: String) throws -> [RowID] {
        let catalog = try catalog()
        let entity = try entity(name)
        var batch = WriteBatch(author: "test")
        var ids: [RowID] = []
        for row in rows {
            let id = try makeRowID()
            batch.insert(try catalog.encode(row, as: name), into: entity.id, rowID: id)
            ids.append(id)
        }
        try save(batch)
        return ids
    }

    func update(
        _ row: RowID, of name: String, base: [UInt8]? = nil, policy: MergePolicy = .propertyByProperty,
        _ values: [String: Value]
    ) throws {
        let entity = try entity(name)
        var batch = WriteBatch(author: "test", policy: policy)
        var changes: [PropertyID: Value] = [:]
        for (name, value) in values {
            guard let position = entity.position(of: name) else { throw StorageError(.unknownProperty) }
            changes[entity.properties[position].id] = value
        }
        batch.update(row, of: entity.id, base: base, changes: changes)
        try save(batch)
    }

    func delete(_ row: RowID, of name: String) throws {
        var batch = WriteBatch()
        batch.delete(row, of: try entity(name).id)
        try save(batch)
    }

    func values(_ row: RowID, of name: String) throws -> [Value]? {
        try read { try $0.values(row, of: $0.entity(named: name)) }
    }

    func record(_ row: RowID, of name: String) throws -> [UInt8]? {
        try read { try $0.record(row, of: $0.entity(named: name)) }
    }

    /// The row ids of an index, in its order.
    func rows(in index: String, of name: String, reversed: Bool = false) throws -> [RowID] {
        try read { snapshot in
            guard let index = try snapshot.entity(named: name).indexes.first(where: { $0.name == index }) else {
                throw StorageError(.unknownIndex)
            }
            var rows: [RowID] = []
            try snapshot.scanIndex(index, range: .all, reversed: reversed) { batch in
                for position in 0..<batch.count { rows.append(batch.rowID(at: position)) }
                return true
            }
            return rows
        }
    }
}

/// The kind of the storage error that the closure throws; nil when it throws none.
func storageError(_ body: () throws -> Void) -> StorageError.Kind? {
    do {
        try body()
        return nil
    } catch {
        return (error as? StorageError)?.kind
    }
}
