import LMDB

extension Store {
    /// Changes the schema. No record is rewritten; an added or rebuilt index is built while saves go on, and the call
    /// returns when it is ready.
    ///
    /// Making an index costs O(n log n) for the entity's rows. Making a property or a to-one required reads all rows,
    /// and so does an inverse for a to-one that had none. What is removed is deleted in small steps, O(what is
    /// removed). All other changes cost as much as the catalog is large.
    ///
    /// - Parameter progress: for building an index: rows read, and of how many.
    /// - Throws: `invalidSchema` or `invalidIndex` where the change makes no sense, an unknown or existing name
    ///   (`unknownEntity`, `propertyExists` and the like), `loadInProgress`, `uniqueViolation` where rows break a
    ///   unique index, `rowWithoutValue`, `readOnlyStore`. The schema is then as it was; an index that was begun is
    ///   taken out again, but a relationship that was added stays, and its index is built by whoever changes the
    ///   schema next.
    package func apply(_ change: SchemaChange, progress: ((Int, Int) -> Void)? = nil) throws {
        if case .addIndex(let definition, let entity) = change { return try add(definition, to: entity, progress) }
        try takeAwayLeftovers()
        switch change {
        case .rebuildIndex(let name, let entity):
            try rebuild(name, of: entity, progress)
        case .makeRequired, .widen, .changeRelationship, .addInverse, .makeToMany:
            try changeSchema { try $0.apply(change) }
        case .addRelationship(let definition, let entity, let inverse):
            let process = ProcessMark.begin()
            defer { process.end() }
            let ids = try changeCatalog { document in
                let ids = try document.addRelationship(definition, to: entity, inverse: inverse)
                for id in ids { document.builders[id] = process }
                return ids
            }
            // What others have taken meanwhile, a move of the relationship say, they have made anew; or it is gone.
            if try !build(ids, as: process, progress).isEmpty {
                _ = try catalog().document.relationship(definition.name, of: entity)
            }
        default:
            try changeCatalog(isDeletion: change.isRemoval) { try $0.apply(change) }
            sweepWhatCanBe()
        }
    }

    /// Adds an index, or finishes one of the same definition that somebody has begun to add: a process that is gone, or
    /// one that goes on beside this.
    private func add(_ definition: IndexDefinition, to entity: String, _ progress: ((Int, Int) -> Void)?) throws {
        let process = ProcessMark.begin()
        defer { process.end() }
        try requireWritable()
        try abandonDeadLoads()
        // Before what is left is dealt with: that would finish this index too, and it would then be there already.
        let id = try changeCatalog { [environment] document in
            try document.requireNoLoad(of: entity)
            let begun = try document.begunIndex(like: definition, of: entity)
            let id = try begun ?? document.addIndex(definition, to: entity, state: .building).id
            if document.builders[id]?.isAlive(in: environment) != true { document.builders[id] = process }
            return id
        }
        try takeAwayLeftovers()
        try build(id, like: definition, of: entity, as: process, progress)
    }

    /// Builds an index, or the one that somebody puts in its place meanwhile.
    ///
    /// - Throws: `unknownIndex` where it was dropped meanwhile.
    private func build(
        _ id: IndexID, like definition: IndexDefinition, of entity: String, as process: ProcessMark,
        _ progress: ((Int, Int) -> Void)?
    ) throws {
        var id = id
        while try !build([id], as: process, progress).isEmpty {
            guard let next = try catalog().document.index(like: definition, of: entity) else {
                throw StorageError(.unknownIndex, entity: entity, index: definition.name)
            }
            if next.state == .ready { return }
            id = next.id
        }
    }

    /// A change of the catalog's document in a transaction of its own.
    ///
    /// - Parameter isDeletion: it only takes things out, and may use the reserve of a full map.
    @discardableResult
    func changeCatalog<R: Sendable>(
        isDeletion: Bool = false, _ body: @escaping @Sendable (inout CatalogDocument) throws -> R
    ) throws -> R {
        let result = Box<R>()
        try run(
            WriterJob(isDeletion: isDeletion) { transaction, state in
                result.value = try CatalogStorage.change(in: &transaction, state: state, body)
            })
        guard let value = result.value else { throw StorageError(.storeClosed) }
        return value
    }

    /// Builds indexes that are in the catalog as building, and makes each ready. One that fails is taken out again,
    /// unless another process is named as its builder: that one decides.
    ///
    /// - Returns: those that a change of the schema took out of the catalog meanwhile: it has dropped them, or put
    ///   others in their place, which are made with it or built by whoever made it.
    @discardableResult
    func build(
        _ ids: [IndexID], as process: ProcessMark, _ progress: ((Int, Int) -> Void)? = nil,
        whenReady change: @escaping @Sendable (inout CatalogDocument) throws -> Void = { _ in }
    ) throws -> [IndexID] {
        var gone: [IndexID] = []
        for id in ids {
            do {
                try IndexBuilder(store: self).build(id, progress: progress)
                try run(WriterJob { try IndexBuilder.finish([id], in: &$0, state: $1, change: change) })
            } catch {
                _ = try? changeCatalog(isDeletion: true) { document in
                    if document.builders[id] == process { document.retire(index: id) }
                }
                sweepWhatCanBe()
                guard (error as? StorageError)?.kind == .unknownIndex else { throw error }
                gone.append(id)
            }
            sweepWhatCanBe()
        }
        return gone
    }

    /// Builds the index anew under another id, and puts that in the old one's place: again where somebody else does so
    /// meanwhile.
    private func rebuild(_ name: String, of entity: String, _ progress: ((Int, Int) -> Void)?) throws {
        let process = ProcessMark.begin()
        defer { process.end() }
        var isDone = false
        while !isDone {
            let (old, new) = try changeCatalog { document in
                try document.requireNoLoad(of: entity)
                let known = try document.entity(entity)
                guard let index = known.indexes.first(where: { $0.name == name }) else {
                    throw StorageError(.unknownIndex, entity: entity, index: name)
                }
                let new = try document.addReplacement(of: index, in: entity).id
                document.builders[new] = process
                return (index.id, new)
            }
            isDone = try build([new], as: process, progress) { try $0.replace(index: old, by: new) }.isEmpty
        }
    }

    /// Deals with what processes that are gone have left: takes away loads half done, copies of indexes half made and
    /// the data of what was removed, and goes on with building other indexes, which saves have kept up since.
    func takeAwayLeftovers() throws {
        try requireWritable()
        try abandonDeadLoads()
        if try catalog().document.hasAbandonedBuilds(in: environment) { try takeOverBuilds() }
        if try catalog().document.hasRetiredData { sweepWhatCanBe() }
    }

    private func takeOverBuilds() throws {
        let process = ProcessMark.begin()
        defer { process.end() }
        // One that cannot be built is taken out again. It is not this program's: who declares it builds it anew, and is
        // told why that fails.
        let taken = try changeCatalog { [environment] in $0.takeOverBuilds(as: process, in: environment) }
        for id in taken { _ = try? build([id], as: process) }
    }

    /// Deletes what the catalog no longer names, in small steps between which saves go on.
    func sweepRetired() throws {
        while try sweepStep() {}
    }

    /// Deletes as much as can be deleted of what the catalog no longer names. Called after a commit that stays whatever
    /// becomes of this. The next change of the schema deletes the rest.
    func sweepWhatCanBe() { try? sweepRetired() }

    private func sweepStep() throws -> Bool {
        let isDone = Box<Bool>()
        try run(
            WriterJob(isDeletion: true) { transaction, state in
                isDone.value = try RetiredData.sweep(in: &transaction, state: state)
            })
        return isDone.value == false
    }
}

extension CatalogDocument {
    mutating func apply(_ change: SchemaChange) throws {
        switch change {
        case .addEntity(let definition): try addEntities([definition])
        case .addEntities(let definitions): try addEntities(definitions)
        case .renameEntity(let name, let newName): try renameEntity(name, to: newName)
        case .removeEntity(let name):
            try requireNoLoad(of: name)
            try removeEntity(name)
        case .addProperty(let definition, let entity): try addProperty(definition, to: entity)
        case .renameProperty(let name, let newName, let entity): try renameProperty(name, to: newName, in: entity)
        case .makeOptional(let name, let entity): try makeOptional(name, in: entity)
        case .preserve(let name, let isPreserved, let entity): try preserve(name, isPreserved: isPreserved, in: entity)
        case .removeProperty(let name, let entity):
            try requireNoLoad(of: entity)
            try removeProperty(name, from: entity)
        case .removeRelationship(let name, let entity, let withInverse):
            try requireNoLoad(of: entity)
            if let destination = try destination(of: name, in: entity) { try requireNoLoad(of: destination) }
            try removeRelationship(name, from: entity, withInverse: withInverse)
        case .renameRelationship(let name, let newName, let entity):
            try renameRelationship(name, to: newName, in: entity)
        case .changeRelationship(let definition, let entity):
            try changeRelationship(definition, of: entity)
        case .dropIndex(let name, let entity):
            try requireNoLoad(of: entity)
            try dropIndex(name, from: entity)
        case .addIndex, .rebuildIndex, .addRelationship, .makeRequired, .widen, .addInverse, .makeToMany:
            throw StorageError(.invalidSchema("what needs its rows is changed by the store, not by its catalog"))
        }
    }

    func hasAbandonedBuilds(in environment: Environment) -> Bool {
        builders.values.contains { !$0.isAlive(in: environment) }
    }

    /// Gives the builds of processes that are gone to another, and retires what was only a copy of an index. One that
    /// this process would make other entries for becomes stale.
    mutating func takeOverBuilds(as process: ProcessMark, in environment: Environment) -> [IndexID] {
        var taken: [IndexID] = []
        for (id, builder) in builders.sorted(by: { $0.key < $1.key }) where !builder.isAlive(in: environment) {
            let index = schema.entities.lazy.flatMap(\.indexes).first { $0.id == id }
            builders[id] = nil
            guard let index, index.state == .building else { continue }
            if index.isReplacement {
                retire(index: id)
            } else if !index.isCurrent {
                markStale { $0.id == id }
            } else {
                builders[id] = process
                taken.append(id)
            }
        }
        return taken
    }

    var hasRetiredData: Bool {
        !retiredIndexes.isEmpty || !retiredEntities.isEmpty || !(retiredLinks ?? []).isEmpty
    }

    /// Throws during a load: an index built then would hold rows that nobody may see yet, and what the load writes to
    /// must not go away.
    func requireNoLoad(of name: String) throws {
        let entity = try entity(name)
        guard !loads.contains(where: { $0.entity.id == entity.id }) else {
            throw StorageError(.loadInProgress, entity: name)
        }
    }

    /// An index that is being built, or was until its builder died, and is what a definition would make.
    func begunIndex(like definition: IndexDefinition, of name: String) throws -> IndexID? {
        let index = try index(like: definition, of: name)
        return index?.state == .building ? index?.id : nil
    }

    /// The index that is what a definition would make, whatever its state.
    func index(like definition: IndexDefinition, of name: String) throws -> Index? {
        var entity = try entity(name)
        guard let position = entity.indexes.firstIndex(where: { $0.name == definition.name }) else { return nil }
        let found = entity.indexes.remove(at: position)
        var (scratch, wanted) = (self, found)
        wanted = try scratch.makeIndex(definition, of: entity)
        (wanted.id, wanted.state) = (found.id, found.state)
        return wanted == found ? found : nil
    }

    mutating func retire(index id: IndexID) {
        // A relationship stays: saves may have made use of it. Its index is built by whoever comes next.
        guard relationship(keptInIndex: id) == nil else { return }
        builders[id] = nil
        for entity in schema.entities.indices {
            guard schema.entities[entity].indexes.contains(where: { $0.id == id }) else { continue }
            schema.entities[entity].indexes.removeAll { $0.id == id }
            retiredIndexes.append(id)
        }
    }

    /// Puts an index that was built anew in the place of the one that it copies, under its name.
    mutating func replace(index old: IndexID, by new: IndexID) throws {
        for entity in schema.entities.indices {
            let indexes = schema.entities[entity].indexes
            guard let name = indexes.first(where: { $0.id == old })?.name,
                let position = indexes.firstIndex(where: { $0.id == new })
            else { continue }
            schema.entities[entity].indexes[position].name = name
            for relationship in schema.entities[entity].relationships.indices {
                let storage = schema.entities[entity].relationships[relationship].storage
                guard case .reference(let property, let position, old) = storage else { continue }
                schema.entities[entity].relationships[relationship].storage = .reference(
                    property: property, position: position, index: new)
            }
            retire(index: old)
            return
        }
        throw StorageError(.unknownIndex, index: "#\(old)")
    }

    /// A copy of the index under a new id, being built, with the string forms and functions of this process.
    ///
    /// - Throws: where this version of Loam does not know what the entries are.
    mutating func addReplacement(of index: Index, in name: String) throws -> Index {
        try index.requireUnderstood(in: name)
        var copy = try Index(id: newIndexID(), index.definition, of: try entity(name), state: .building)
        copy.name = index.name + copy.replacementSuffix
        try update(name) { $0.indexes.append(copy) }
        return copy
    }
}
