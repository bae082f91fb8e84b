import Foundation
import LoamStorage

/// A store reached from outside the package, below any model: for the programs under `Tools/Benchmarks`, which compare
/// the store with others. Nothing else may use it.
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
    /// - Throws: an error with the system's reason, where the file cannot be opened or made, or is no store.
    public init(path: String) throws {
        store = try Store.open(path: path)
    }

    /// Makes an entity with its indexes and loads rows under the ids 1 to `rowCount`, all with one commit.
    /// O(rows), and sorting for each index.
    ///
    /// - Parameter encode: sets the properties of the row at a position, in their order.
    /// - Throws: what `encode` throws; an error that names the place, where the entity exists, where a value is
    ///   missing or of another type, or where rows break a unique index. Nothing is loaded then.
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
    /// - Throws: an error that names the entity, where there is none of that name.
    public func entity(_ name: String) throws -> EntityHandle {
        let catalog = try store.catalog()
        return EntityHandle(entity: try store.read { try $0.entity(named: name) }, catalog: catalog)
    }

    /// Saves one new row and waits for its commit. Returns its row id.
    ///
    /// - Throws: an error that names the place, where a value is missing or of another type, where the row breaks a
    ///   unique index, or where the file cannot be written. Nothing is saved then.
    @discardableResult
    public func save(_ values: [FieldValue], as entity: EntityHandle) throws -> UInt64 {
        let (batch, rowID) = try batch(values, entity)
        try store.save(batch)
        return rowID
    }

    /// Saves each list from a task of its own, all at once, row after row, and waits for them all.
    ///
    /// - Throws: the first error of a task, as ``save(_:as:)``. Rows that were saved stay, and the other tasks still
    ///   save theirs.
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
    /// - Throws: what the closure throws, and an error where the store cannot be read.
    public func read<R>(_ body: (StoreSnapshot) throws -> R) throws -> R {
        try store.read { try body(StoreSnapshot(snapshot: $0)) }
    }

    /// What is wrong with the store, in words; empty when all is well. Reads the whole store.
    ///
    /// - Throws: an error where the store cannot be read at all; what is wrong inside it is returned.
    public func faults() throws -> [String] {
        try store.check().faults.map { "\($0)" }
    }
}
