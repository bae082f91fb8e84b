import CSwiftRuntime
import LoamStorage
import Synchronization

/// Which object of a context stands for a row of an entity: found without keeping the object alive.
///
/// Keyed by entity and row, because identifiers come from outside, too: one that names another entity than its row's
/// leads to an object without a row, beside the row's own one. An object that is alive is never replaced by another,
/// unless an insert became an update of its row: then the one that was inserted stands for the row, and the other
/// shares its backing.
///
/// A weak reference would do, but it costs an allocation per object and moves badly when a table grows. Instead the
/// table holds the address of the object's backing, which removes itself when it goes.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `tables` | its mutex | the context; backings that go, on whichever thread released them last | the context goes |
///
/// Why a look-up never meets freed memory: what is in the table is a backing whose `deinit` has not passed the mutex,
/// so under the mutex its memory is valid. It has an unowned reference to its model, which keeps the memory of the
/// model's reference count. The count says whether the model is still alive, in the same step in which it is retained.
final class IdentityMap: Sendable {
    /// The table of an entity's rows. Only under the mutex.
    private final class EntityTable {
        @exclusivity(unchecked) var rows = RowTable()
    }

    /// The tables by entity.
    private struct Tables: ~Copyable {
        private var byEntity: [EntityID: EntityTable] = [:]
        /// The one that was asked for last, which is mostly the next one too.
        private var recent: (entity: EntityID, table: EntityTable)?

        /// The table of an entity; nil where no object of the entity was ever registered.
        mutating func table(_ entity: EntityID) -> EntityTable? {
            if let recent, recent.entity == entity { return recent.table }
            guard let table = byEntity[entity] else { return nil }
            recent = (entity, table)
            return table
        }

        mutating func makeTable(_ entity: EntityID) -> EntityTable {
            if let known = table(entity) { return known }
            let made = EntityTable()
            byEntity[entity] = made
            recent = (entity, made)
            return made
        }

        var all: some Sequence<EntityTable> { byEntity.values }
    }

    private let tables = Mutex(Tables())

    /// The object that stands for a row, retained; nil where there is none, or its last reference was just released.
    func object(_ row: RowID, of entity: EntityID) -> AnyObject? {
        let address = tables.withLock { tables -> UInt in
            guard let backing = tables.table(entity)?.rows[row], backing != 0 else { return 0 }
            return Self.retainModel(backing)
        }
        return Self.takeRetained(address)
    }

    /// The object of a row and the binding of the object's entity; nil where the row has no object.
    func model(_ row: RowID, of entity: EntityID) -> (object: AnyObject, binding: EntityBinding)? {
        let (address, binding) = tables.withLock { tables -> (UInt, EntityBinding?) in
            guard let backing = tables.table(entity)?.rows[row], backing != 0 else { return (0, nil) }
            return (Self.retainModel(backing), Self.binding(backing))
        }
        guard let object = Self.takeRetained(address), let binding else { return nil }
        return (object, binding)
    }

    /// The objects of a range of rows, in their order; nil where a row has no object. Empty where no row of the entity
    /// has one.
    func objects(of rows: [FetchedRow], _ range: Range<Int>, entity: EntityID) -> [AnyObject?] {
        let addresses = tables.withLock { tables -> [UInt] in
            guard let table = tables.table(entity), table.rows.count > 0 else { return [] }
            return range.map { index in
                let backing = table.rows[rows[index].rowID]
                return backing == 0 ? 0 : Self.retainModel(backing)
            }
        }
        if addresses.isEmpty { return Array(repeating: nil, count: range.count) }
        return addresses.map(Self.takeRetained)
    }

    /// All objects, retained, in no order.
    func models() -> [(object: AnyObject, binding: EntityBinding)] {
        let found = tables.withLock { tables in
            var found: [(UInt, EntityBinding?)] = []
            for table in tables.all {
                table.rows.forEach { found.append((Self.retainModel($1), Self.binding($1))) }
            }
            return found
        }
        return found.compactMap { address, binding in
            guard let object = Self.takeRetained(address), let binding else { return nil }
            return (object, binding)
        }
    }

    /// Makes the model of a backing the one that stands for its row.
    func insert(_ backing: _ModelBacking, of entity: EntityID) {
        let (row, address) = (backing.rowID, Self.address(backing))
        tables.withLock { _ = $0.makeTable(entity).rows.set(row, to: address) }
    }

    /// Makes the model of a backing the one that stands for its row, unless the row has an object, which is returned
    /// then.
    func insertIfAbsent(_ backing: _ModelBacking, of entity: EntityID) -> AnyObject? {
        let (row, address) = (backing.rowID, Self.address(backing))
        let known = tables.withLock { tables -> UInt in
            let table = tables.makeTable(entity)
            let other = table.rows.set(row, to: address)
            let model = other == 0 ? 0 : Self.retainModel(other)
            if model != 0 { table.rows.set(row, to: other) }
            return model
        }
        return Self.takeRetained(known)
    }

    /// A backing that is to be registered.
    struct Entry {
        let index: Int
        fileprivate let row: RowID
        fileprivate let address: UInt

        init(_ backing: _ModelBacking, index: Int) {
            self.index = index
            row = backing.rowID
            address = IdentityMap.address(backing)
        }
    }

    /// Registers several under one lock. Returns the objects of rows that have got one already, with the index of the
    /// entry that is not registered therefore.
    func insert(_ entries: [Entry], of entity: EntityID) -> [(index: Int, object: AnyObject)] {
        let others = tables.withLock { tables -> [(Int, UInt)] in
            let table = tables.makeTable(entity)
            var others: [(Int, UInt)] = []
            for entry in entries {
                let other = table.rows.set(entry.row, to: entry.address)
                let model = other == 0 ? 0 : Self.retainModel(other)
                guard model != 0 else { continue }
                table.rows.set(entry.row, to: other)
                others.append((entry.index, model))
            }
            return others
        }
        return others.compactMap { index, address in Self.takeRetained(address).map { (index, $0) } }
    }

    /// Forgets the model of a backing, if it stands for its row.
    func remove(_ backing: _ModelBacking, of entity: EntityID) {
        let (row, address) = (backing.rowID, Self.address(backing))
        tables.withLock { $0.table(entity)?.rows.remove(row, leadingTo: address) }
    }

    /// Makes room for more objects.
    func reserve(_ more: Int, of entity: EntityID) {
        tables.withLock { tables in
            let table = tables.makeTable(entity)
            table.rows.reserve(table.rows.count + more)
        }
    }

    /// The number of rows that have an object. O(entities).
    var count: Int { tables.withLock { $0.all.reduce(0) { $0 + $1.rows.count } } }

    // MARK: Addresses, which may cross the mutex

    private static func address(_ backing: _ModelBacking) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(backing).toOpaque())
    }

    /// Retains the model of a backing and returns its address; 0 where the model is being destroyed and no other one
    /// shares the backing. Called only under the mutex.
    private static func retainModel(_ backing: UInt) -> UInt {
        guard let pointer = UnsafeRawPointer(bitPattern: backing) else { return 0 }
        return Unmanaged<_ModelBacking>.fromOpaque(pointer)._withUnsafeGuaranteedRef { backing in
            guard let model = backing.modelAddress else { return 0 }
            let retained = UInt(bitPattern: swift_tryRetain(model))
            guard retained == 0, let twin = backing.livingTwin else { return retained }
            return UInt(bitPattern: Unmanaged.passRetained(twin).toOpaque())
        }
    }

    /// The binding of a backing. Called only under the mutex.
    private static func binding(_ backing: UInt) -> EntityBinding? {
        guard let pointer = UnsafeRawPointer(bitPattern: backing) else { return nil }
        return Unmanaged<_ModelBacking>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.binding }
    }

    private static func takeRetained(_ model: UInt) -> AnyObject? {
        guard let pointer = UnsafeRawPointer(bitPattern: model) else { return nil }
        return Unmanaged<AnyObject>.fromOpaque(pointer).takeRetainedValue()
    }
}
