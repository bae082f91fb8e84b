import ArgumentParser
import LoamStorage

/// The store that a command works on.
struct StoreArgument: ParsableArguments {
    @Argument(help: "The store's file.", completion: .file())
    var store: String

    /// The files that no output may go onto.
    var files: StoreFiles { StoreFiles(path: store) }

    /// Opens the store for reading only; it must exist.
    func reading() throws -> Store {
        try files.refuseStandardStreams()
        var options = StoreOptions()
        options.isReadOnly = true
        options.createsFile = false
        return try Store.open(path: store, options: options)
    }

    /// Opens the store for writing.
    func writing(createsFile: Bool = false) throws -> Store {
        try files.refuseStandardStreams()
        var options = StoreOptions()
        options.createsFile = createsFile
        return try Store.open(path: store, options: options)
    }
}

extension Store {
    /// Runs the first work on a store. Where the work fails, a store that was made for it is removed.
    func discardedOnFailure<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch {
            try? discardIfUnused()
            throw error
        }
    }
}

extension Schema {
    /// The entity of this name. Throws an error that lists those that exist where there is none.
    func requireEntity(_ name: String) throws -> Entity {
        if let entity = entity(named: name) { return entity }
        throw ArgumentError(.unknownEntity(name, known: entities.map(\.name)))
    }

    /// The index that a name stands for: its own name where no other entity has it too, or `ENTITY.NAME`.
    func requireIndex(_ name: String) throws -> (entity: Entity, index: Index) {
        let all = entities.flatMap { entity in entity.indexes.map { (entity: entity, index: $0) } }
        let qualified = all.filter { "\($0.entity.name).\($0.index.name)" == name }
        let found = qualified.isEmpty ? all.filter { $0.index.name == name } : qualified
        guard let first = found.first else {
            throw ArgumentError(.unknownIndex(name, known: all.map { "\($0.entity.name).\($0.index.name)" }))
        }
        guard found.count == 1 else {
            throw ArgumentError(.ambiguousIndex(name, names: found.map { "\($0.entity.name).\($0.index.name)" }))
        }
        return first
    }
}

extension Entity {
    /// Throws, listing the properties that exist, unless the key path begins with one of them.
    func requireProperty(_ keyPath: String) throws {
        let name = keyPath.split(separator: ".").first.map(String.init) ?? keyPath
        guard position(of: name) == nil else { return }
        throw ArgumentError(.unknownProperty(keyPath, entity: self.name, known: properties.map(\.name)))
    }
}
