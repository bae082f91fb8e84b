import CSwiftRuntime
import LoamStorage
import Synchronization

/// Which object of a context stands for a row: found without keeping the object alive.
///
/// A weak reference would do, but it costs an allocation per object and moves badly when a table grows. Instead the
/// table holds the address of the object's backing, which removes itself when it goes.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `table` | its mutex | the context; backings that go, on whichever thread released them last | the context goes |
///
/// Why a look-up never meets freed memory: what is in the table is a backing whose `deinit` has not passed the mutex,
/// so under the mutex its memory is valid. It has an unowned reference to its model, which keeps the memory of the
/// model's reference count. The count says whether the model is still alive, in the same step in which it is retained.
final class IdentityMap: Sendable {
    private let table = Mutex(RowTable())

    /// The object that stands for a row, retained; nil where there is none, or its last reference was just released.
    func object(_ row: RowID) -> AnyObject? {
        let address = table.withLock { table in
            let backing = table[row]
            return backing == 0 ? 0 : Self.retainModel(backing)
        }
        return Self.takeRetained(address)
    }

    /// The same with the object's entity.
    func model(_ row: RowID) -> (object: AnyObject, binding: EntityBinding)? {
        let (address, binding) = table.withLock { table -> (UInt, EntityBinding?) in
            let backing = table[row]
            return backing == 0 ? (0, nil) : (Self.retainModel(backing), Self.binding(backing))
        }
        guard let object = Self.takeRetained(address), let binding else { return nil }
        return (object, binding)
    }

    /// The same for a run of rows, in their order.
    func objects(of rows: [FetchedRow], _ run: Range<Int>) -> [AnyObject?] {
        let addresses = table.withLock { table -> [UInt] in
            if table.count == 0 { return [] }
            return run.map { place in
                let backing = table[rows[place].rowID]
                return backing == 0 ? 0 : Self.retainModel(backing)
            }
        }
        if addresses.isEmpty { return Array(repeating: nil, count: run.count) }
        return addresses.map(Self.takeRetained)
    }

    /// All objects, retained, in no order.
    func models() -> [(object: AnyObject, binding: EntityBinding)] {
        let found = table.withLock { table in
            var found: [(UInt, EntityBinding?)] = []
            table.forEach { found.append((Self.retainModel($1), Self.binding($1))) }
            return found
        }
        return found.compactMap { address, binding in
            guard let object = Self.takeRetained(address), let binding else { return nil }
            return (object, binding)
        }
    }

    /// Makes the model of a backing the one that stands for its row.
    func insert(_ backing: _ModelBacking) {
        let (row, address) = (backing.rowID, Self.address(backing))
        table.withLock { _ = $0.set(row, to: address) }
    }

    /// A backing that is to be registered.
    struct Entry {
        let place: Int
        fileprivate let row: RowID
        fileprivate let address: UInt

        init(_ backing: _ModelBacking, place: Int) {
            self.place = place
            row = backing.rowID
            address = IdentityMap.address(backing)
        }
    }

    /// Registers several under one lock. Returns the objects of rows that have got one already, with the place of the
    /// entry that is not registered therefore.
    func insert(_ entries: [Entry]) -> [(place: Int, object: AnyObject)] {
        let others = table.withLock { table -> [(Int, UInt)] in
            var others: [(Int, UInt)] = []
            for entry in entries {
                let other = table.set(entry.row, to: entry.address)
                let model = other == 0 ? 0 : Self.retainModel(other)
                guard model != 0 else { continue }
                table.set(entry.row, to: other)
                others.append((entry.place, model))
            }
            return others
        }
        return others.compactMap { place, address in Self.takeRetained(address).map { (place, $0) } }
    }

    /// Forgets the model of a backing, if it stands for its row.
    func remove(_ backing: _ModelBacking) {
        let (row, address) = (backing.rowID, Self.address(backing))
        table.withLock { $0.remove(row, leadingTo: address) }
    }

    /// Makes room for more objects.
    func reserve(_ more: Int) {
        table.withLock { $0.reserve($0.count + more) }
    }

    var count: Int { table.withLock { $0.count } }

    // MARK: Addresses, which may cross the mutex

    private static func address(_ backing: _ModelBacking) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(backing).toOpaque())
    }

    /// Only under the mutex. 0 where the model is being destroyed.
    private static func retainModel(_ backing: UInt) -> UInt {
        guard let pointer = UnsafeRawPointer(bitPattern: backing) else { return 0 }
        return Unmanaged<_ModelBacking>.fromOpaque(pointer)._withUnsafeGuaranteedRef { backing in
            backing.modelAddress.map { UInt(bitPattern: swift_tryRetain($0)) } ?? 0
        }
    }

    /// Only under the mutex.
    private static func binding(_ backing: UInt) -> EntityBinding? {
        guard let pointer = UnsafeRawPointer(bitPattern: backing) else { return nil }
        return Unmanaged<_ModelBacking>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.binding }
    }

    private static func takeRetained(_ model: UInt) -> AnyObject? {
        guard let pointer = UnsafeRawPointer(bitPattern: model) else { return nil }
        return Unmanaged<AnyObject>.fromOpaque(pointer).takeRetainedValue()
    }
}
