import LoamQuery
import LoamStorage

extension ModelContext {
    /// The models that match, in order, with the context's unsaved changes.
    ///
    /// - Throws: ``SwiftDataError`` where the descriptor cannot be run or the store cannot be read.
    public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
        try throwKeptError()
        receiveChanges()
        do {
            var rows = try rows(descriptor)
            return try objects(of: &rows, prefetching: descriptor.relationshipKeyPathsForPrefetching)
        } catch {
            throw SwiftDataError(error)
        }
    }

    /// The number of models that ``fetch(_:)`` would give. Reads no model where an index answers.
    public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
        try throwKeptError()
        receiveChanges()
        do {
            let query = try descriptor.query(result: .count, in: ownContainer.storeID)
            let overlay = descriptor.includePendingChanges ? try overlay() : nil
            return try ownContainer.store.read { snapshot in
                var work = Work()
                return try Planner.plan(query, in: snapshot).count(in: snapshot, overlay: overlay, work: &work)
            }
        } catch {
            throw SwiftDataError(error)
        }
    }

    /// The identifiers of the models that ``fetch(_:)`` would give, in order.
    public func fetchIdentifiers<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>
    ) throws -> [PersistentIdentifier] {
        try throwKeptError()
        receiveChanges()
        do {
            var query = try descriptor.query(in: ownContainer.storeID)
            query.columns = []
            let overlay = descriptor.includePendingChanges ? try overlay() : nil
            let origin = PersistentIdentifier.Origin(
                store: ownContainer.storeID, entity: Schema.entityName(for: T.self))
            return try ownContainer.store.read { snapshot in
                var work = Work()
                var identifiers: [PersistentIdentifier] = []
                try Planner.plan(query, in: snapshot).execute(in: snapshot, overlay: overlay, work: &work) {
                    row, _, _ in
                    identifiers.append(PersistentIdentifier(origin, row: row))
                    return true
                }
                return identifiers
            }
        } catch {
            throw SwiftDataError(error)
        }
    }

    /// Calls the closure with each model, holding no more than a batch of them at a time.
    ///
    /// - Parameters:
    ///   - fetch: which models, in which order.
    ///   - batchSize: how many models are made at a time.
    ///   - allowEscapingMutations: whether the closure may leave models changed; otherwise a change throws.
    ///   - block: what is done with each model; what it throws ends the enumeration.
    public func enumerate<T: PersistentModel>(
        _ fetch: FetchDescriptor<T>, batchSize: Int = 5_000, allowEscapingMutations: Bool = false,
        block: (T) throws -> Void
    ) throws {
        try throwKeptError()
        receiveChanges()
        let rows: [FetchedRow]
        do { rows = try self.rows(fetch, readsRecords: false) } catch { throw SwiftDataError(error) }
        let hadChanges = hasChanges
        for start in stride(from: 0, to: rows.count, by: max(1, batchSize)) {
            var batch = Array(rows[start..<min(rows.count, start + max(1, batchSize))])
            let models: [T]
            do {
                models = try objects(of: &batch, prefetching: fetch.relationshipKeyPathsForPrefetching)
            } catch {
                throw SwiftDataError(error)
            }
            for model in models { try block(model) }
            guard allowEscapingMutations || hadChanges || !hasChanges else {
                throw SwiftDataError(
                    .modelValidationFailure,
                    "The closure of enumerate changed models; pass allowEscapingMutations: true to allow it.")
            }
        }
    }

    /// How the store runs a descriptor, and what that costs: runs it, unsaved changes left out, and counts the work.
    ///
    /// Costs as much as the fetch itself. No object is made.
    ///
    /// - Throws: ``SwiftDataError`` where the descriptor cannot be run or the store cannot be read.
    public func explanation<T: PersistentModel>(of descriptor: FetchDescriptor<T>) throws -> FetchExplanation {
        do {
            let query = try descriptor.query(in: ownContainer.storeID)
            return try ownContainer.store.read { snapshot in
                let plan = try Planner.plan(query, in: snapshot)
                var work = Work()
                try plan.forEachRecord(in: snapshot, work: &work) { _, _ in true }
                return FetchExplanation(description: plan.explanation(with: work))
            }
        } catch {
            throw SwiftDataError(error)
        }
    }
}

/// A row of a result, before there is an object for it.
struct FetchedRow {
    let rowID: RowID
    /// Nil for rows that the context has an object of already because of its pending changes, or that are read later.
    var record: DetachedRecord?
}

extension ModelContext {
    /// The rows of the result. Records are copied out first: no object is made, and so no code of the user's runs, while
    /// the store is being read.
    func rows<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, readsRecords: Bool = true
    ) throws -> [FetchedRow] {
        var query = try descriptor.query(in: ownContainer.storeID)
        query.columns = readsRecords ? nil : []
        let overlay = descriptor.includePendingChanges ? try overlay() : nil
        return try ownContainer.store.read { snapshot in
            let plan = try Planner.plan(query, in: snapshot)
            let records = try DetachedRecord.Source(snapshot.entity(named: query.entity).id, in: snapshot.catalog)
            var work = Work()
            var rows: [FetchedRow] = []
            guard readsRecords else {
                try plan.execute(in: snapshot, overlay: overlay, work: &work) { rowID, _, _ in
                    rows.append(FetchedRow(rowID: rowID, record: nil))
                    return true
                }
                return rows
            }
            try plan.forEachRecord(in: snapshot, overlay: overlay, work: &work) { rowID, bytes in
                rows.append(FetchedRow(rowID: rowID, record: try bytes.map { try records.copy($0, rowID: rowID) }))
                return true
            }
            return rows
        }
    }

    /// The objects of rows, in their order. Takes the records out of the rows.
    func objects<T: PersistentModel>(
        of rows: inout [FetchedRow], prefetching: [PartialKeyPath<T>] = []
    ) throws -> [T] {
        guard !rows.isEmpty else { return [] }
        let binding = try bindings.binding(of: T.self)
        identities.reserve(rows.count, of: binding.entity.id)
        let objects = [T](unsafeUninitializedCapacity: rows.count) { objects, count in
            while count < rows.count {
                let run = count..<min(rows.count, count + Self.registeredTogether)
                makeObjects(of: &rows, run, binding, in: objects)
                count = run.upperBound
            }
        }
        try relationships.prefetch(prefetching, of: objects, binding)
        return objects
    }

    /// So many objects are looked up, and registered, under one lock.
    private static var registeredTogether: Int { 256 }

    /// Initializes the objects of a run of rows at their places.
    private func makeObjects<T: PersistentModel>(
        of rows: inout [FetchedRow], _ run: Range<Int>, _ binding: EntityBinding,
        in objects: UnsafeMutableBufferPointer<T>
    ) {
        let known = identities.objects(of: rows, run, entity: binding.entity.id)
        var made: [IdentityMap.Entry] = []
        made.reserveCapacity(run.count)
        for place in run {
            let record = rows[place].record.take()
            if let known = known[place - run.lowerBound], let model = Self.downcast(known, to: T.self) {
                if let record { refresh(model, with: record, binding) }
                objects.initializeElement(at: place, to: model)
                continue
            }
            let backing = _ModelBacking(rowID: rows[place].rowID, binding: binding, context: self, record: record)
            let model = T(_backing: backing)
            backing.bind(to: model)
            made.append(IdentityMap.Entry(backing, place: place))
            objects.initializeElement(at: place, to: model)
        }
        // Making an object may run the user's code, which may have made one for the same row.
        for (place, object) in identities.insert(made, of: binding.entity.id) {
            guard let model = Self.downcast(object, to: T.self) else { continue }
            objects[place]._$backing?.loseContext()
            objects[place] = model
        }
        if !changes.concernsMadeObjects { return }
        for entry in made {
            if let backing = objects[entry.place]._$backing { changes.noteMade(objects[entry.place], backing) }
        }
    }
}
