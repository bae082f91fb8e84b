import Foundation
import LoamStorage

/// A store reached from outside the package, below any model: for the programs under `Tools/Benchmarks`, which compare
/// the store with others. It goes when the models are in; nothing else may use it.
///
/// Calls are coarse, so that the boundary costs nothing that could be measured: a load, a range, a scan is one call
/// with a closure per row.
///
/// ```swift
/// let store = try LoamStore(path: "quakes.loam")
/// try store.load(description, rowCount: quakes.count) { position, row in
///     try row.set(quakes[position].magnitude, at: 2)
/// }
/// let entity = try store.entity("Quake")
/// let quakes = try store.read { try $0.objects(of: entity) { try Quake($0) } }
/// ```
public final class LoamStore: Sendable {
    let store: Store

    /// Opens the file, or makes it. Saves are durable when they return.
    ///
    /// - Throws: the store's error, which names what is wrong and where.
    public init(path: String) throws {
        store = try Store.open(path: path)
    }

    /// Makes an entity with its indexes and loads rows under the ids 1 to `rowCount`, all with one commit.
    ///
    /// - Parameter encode: sets the properties of the row at a position, in their order.
    /// - Throws: the store's error, which names what is wrong and where.
    public func load(
        _ entity: EntityDescription, rowCount: Int, encode: (_ position: Int, inout RowWriter) throws -> Void
    ) throws {
        let ids = LoadedRowIDs(range: try store.reserveRowIDs(through: RowID(rowCount)), isUnused: true)
        _ = try store.load(.newEntity(entity.definition), rowIDs: ids, rowCount: rowCount) { load in
            for position in 0..<rowCount {
                try load.appendRow { writer in
                    try withUnsafeMutablePointer(to: &writer) { pointer in
                        var row = RowWriter(pointer: pointer)
                        try encode(position, &row)
                    }
                }
            }
        }
    }

    /// An entity with its indexes, for as long as the schema stays.
    ///
    /// - Throws: the store's error, which names what is wrong and where.
    public func entity(_ name: String) throws -> EntityHandle {
        let catalog = try store.catalog()
        return EntityHandle(entity: try store.read { try $0.entity(named: name) }, catalog: catalog)
    }

    /// Saves one new row and waits for its commit. Returns its row id.
    ///
    /// - Throws: the store's error, which names what is wrong and where.
    @discardableResult
    public func save(_ values: [FieldValue], as entity: EntityHandle) throws -> UInt64 {
        let (batch, rowID) = try batch(values, entity)
        try store.save(batch)
        return rowID
    }

    /// Saves each list from a task of its own, all at once, row after row, and waits for them all.
    ///
    /// - Throws: the store's error, which names what is wrong and where.
    public func saveConcurrently(_ lists: [[[FieldValue]]], as entity: EntityHandle) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for list in lists {
                group.addTask {
                    for row in list {
                        let (batch, _) = try self.batch(row, entity)
                        _ = try await self.store.save(batch) as SaveResult
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func batch(_ values: [FieldValue], _ entity: EntityHandle) throws -> (WriteBatch, UInt64) {
        let record = try entity.catalog.encode(values.map(\.value), as: entity.entity.id)
        let rowID = try store.makeRowID()
        var batch = WriteBatch()
        batch.insert(record, into: entity.entity.id, rowID: rowID)
        return (batch, rowID)
    }

    /// Runs the closure over one state of the store.
    ///
    /// - Throws: the store's error, which names what is wrong and where.
    public func read<R>(_ body: (StoreSnapshot) throws -> R) throws -> R {
        try store.read { try body(StoreSnapshot(snapshot: $0)) }
    }

    /// What is wrong with the store, in words; empty when all is well.
    ///
    /// - Throws: the store's error, which names what is wrong and where.
    public func faults() throws -> [String] {
        try store.check().faults.map { "\($0)" }
    }
}
