import LoamStorage

/// Does one thread's steps on a store.
struct StepPerformer {
    let store: Store
    private(set) var partition: Partition
    private var rowIDs: [RowName: RowID]
    private let thread: Int
    /// Whether the killed process had begun to add the extra index. The thread that changes the schema first finishes
    /// it.
    private var hasBegunExtra: Bool

    /// Takes up the work in the state in which the store is.
    init(store: Store, thread: Int) throws {
        self.store = store
        self.thread = thread
        (partition, rowIDs, hasBegunExtra) = try store.read { snapshot in
            let stored = try StoredRows(snapshot)
            let extra = try snapshot.state(ofItemIndex: WorkEntity.extraIndex.name)
            let partition = Partition(
                rows: stored.rows(ofThread: thread), hasExtraIndex: thread == 0 && extra == .ready)
            return (partition, stored.rowIDs, extra == .building)
        }
    }

    mutating func perform(_ step: WorkStep) throws {
        let item = WorkEntity.item.rawValue
        switch step {
        case .batch(let operations, let policy, let isRefused):
            try save(operations, policy, isRefused: isRefused)
        case .load(let rows):
            try load(rows, into: .existingEntity(item))
        case .loadEntity(let rows):
            try load(rows, into: .newEntity(WorkEntity.bulk.definition))
        case .removeEntity:
            try store.apply(.removeEntity(WorkEntity.bulk.rawValue))
        case .addIndex:
            try addExtraIndex(to: item)
        case .dropIndex:
            try store.apply(.dropIndex(WorkEntity.extraIndex.name, from: item))
        case .rebuildIndex:
            try store.apply(.rebuildIndex(WorkEntity.rebuiltIndex, of: item))
        }
        partition = partition.applying(step)
    }

    private mutating func save(_ operations: [WorkOperation], _ policy: MergePolicy, isRefused: Bool) throws {
        let catalog = try store.catalog()
        var batch = WriteBatch(author: "thread \(thread)", policy: policy)
        var inserted: [RowName: RowID] = [:]
        for operation in operations {
            switch operation {
            case .insert(let name, let values):
                let entity = try catalog.entity(name.entity)
                let id = try store.makeRowID()
                batch.insert(try catalog.encode(values, as: entity.id), into: entity.id, rowID: id)
                inserted[name] = id
            case .update(let name, let changes, let hasBase):
                let entity = try catalog.entity(name.entity)
                let id = try rowID(of: name)
                let base = hasBase ? try store.read { try $0.record(id, of: entity) } : nil
                let byProperty = Dictionary(
                    changes.map { (entity.properties[$0.key].id, $0.value) }, uniquingKeysWith: { $1 })
                batch.update(id, of: entity.id, base: base, changes: byProperty)
            case .delete(let name):
                batch.delete(try rowID(of: name), of: try catalog.entity(name.entity).id)
            }
        }
        do {
            try store.save(batch)
            guard !isRefused else { throw CampaignError("A batch that breaks a unique index was saved.") }
            rowIDs.merge(inserted) { _, new in new }
        } catch let error as StorageError {
            guard isRefused, case .uniqueViolation = error.kind else { throw error }
        }
    }

    private mutating func addExtraIndex(to entity: String) throws {
        defer { hasBegunExtra = false }
        do {
            try store.apply(.addIndex(WorkEntity.extraIndex, to: entity))
        } catch let error as StorageError where error.kind == .indexExists && hasBegunExtra {
            // Another thread has finished the index.
        }
    }

    private mutating func load(_ rows: [RowName: [Value]], into target: LoadTarget) throws {
        // With so small a budget the sorters use their files.
        _ = try store.load(target, rowCount: rows.count, sortBudget: 64 << 10) { load in
            for (_, values) in rows.sorted(by: { $0.key < $1.key }) { try load.append(values) }
        }
        rowIDs = try store.read { try StoredRows($0).rowIDs }
    }

    private func rowID(of name: RowName) throws -> RowID {
        guard let id = rowIDs[name] else { throw CampaignError("\(name) has no row id.") }
        return id
    }
}

extension Catalog {
    fileprivate func entity(_ entity: WorkEntity) throws -> Entity {
        guard let found = schema.entity(named: entity.rawValue) else {
            throw CampaignError("The store has no entity \(entity.rawValue).")
        }
        return found
    }
}
