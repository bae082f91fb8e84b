import LMDB
import LoamStorage

/// A store whose map may not grow.
struct MapFilling {
    let path: String
    let bytes: Int
    let seed: UInt64

    func run() throws -> FullTally.Result {
        var filling = Filling(seed: seed, reason: .mapFull)
        var deletes = 0
        do {
            let store = try open()
            guard try filling.fill(store) else { return .refusedAtOnce }
            try filling.verify(store, "on the full map")
        } catch let error where filling.isDue(error) && filling.saves == 0 {
            return .refusedAtOnce
        }
        do {
            let store = try open()
            try filling.verify(store, "opened again")
            deletes = try filling.deleteAll(store)
            try filling.saveOne(store, "after the deletes")
            try filling.verify(store, "at the end")
        }
        return .filled(saves: filling.saves, deletes: deletes)
    }

    private func open() throws -> Store {
        var options = StoreOptions()
        options.durability = .unsynced
        options.mapSize = bytes
        options.maximumMapSize = bytes
        return try Store.open(path: path, options: options)
    }
}
