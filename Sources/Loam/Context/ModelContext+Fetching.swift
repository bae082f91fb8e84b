import LoamQuery
import LoamStorage

extension ModelContext {
    /// The models that match, in order, with the context's unsaved changes unless the descriptor leaves them out.
    ///
    /// Every record of the result is read at once; properties are decoded when they are first used. There is one object
    /// per row: a row that has an object already gives that one.
    ///
    /// Costs as many look-ups as rows have to be tested. Where an index answers the predicate and the order, these
    /// are the models of the result. Where no index answers the predicate, they are all rows; where none gives the
    /// order, the models that match are sorted.
    ///
    /// - Throws: ``SwiftDataError`` where the descriptor cannot be run or the store cannot be read, and once what
    ///   could not be thrown where it happened, as in a setter or an autosave.
    public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
        try throwKeptError()
        receiveChanges()
        do {
            let store = try store(of: T.self)
            var rows = try store.rows(descriptor)
            return try store.objects(of: &rows, prefetching: descriptor.relationshipKeyPathsForPrefetching)
        } catch {
            throw SwiftDataError(error)
        }
    }

    /// The number of models that ``fetch(_:)`` would give, limit and offset included.
    ///
    /// Of all models the number is kept: O(1). Reads no record where an index answers the whole predicate: then it costs
    /// a few look-ups and a walk over the sums of the index, one for every 64 to 256 blocks of entries. Otherwise it costs
    /// as much as testing the rows.
    ///
    /// - Throws: as ``fetch(_:)``.
    public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
        try throwKeptError()
        receiveChanges()
        do {
            let store = try store(of: T.self)
            let query = try descriptor.query(result: .count, in: store.containerStore.id)
            let overlay = descriptor.includePendingChanges ? try store.overlay() : nil
            return try store.store.read { try query.count(in: $0, overlay: overlay) }
        } catch {
            throw SwiftDataError(error)
        }
    }

    /// Whether a fetch of the predicate finds a model.
    ///
    /// - Throws: as ``fetch(_:)``.
    func hasMatch<T: PersistentModel>(of predicate: Predicate<T>) throws -> Bool {
        try fetchCount(FetchDescriptor(predicate: predicate)) > 0
    }

    /// The identifiers of the models that ``fetch(_:)`` would give, in order. Makes no object, and reads records only
    /// where no index answers the predicate and the order. Costs as much as ``fetch(_:)`` otherwise.
    ///
    /// - Throws: as ``fetch(_:)``.
    public func fetchIdentifiers<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>
    ) throws -> [PersistentIdentifier] {
        try throwKeptError()
        receiveChanges()
        do {
            let store = try store(of: T.self)
            var query = try descriptor.query(in: store.containerStore.id)
            query.columns = []
            let overlay = descriptor.includePendingChanges ? try store.overlay() : nil
            let origin = PersistentIdentifier.Origin(
                store: store.containerStore.id, entity: ModelType.of(T.self).entityName)
            return try store.store.read { snapshot in
                var work = Work()
                var identifiers: [PersistentIdentifier] = []
                try Planner.plan(query, in: snapshot).execute(in: snapshot, overlay: overlay, work: &work) { rows, _ in
                    identifiers.append(contentsOf: rows.lazy.map { PersistentIdentifier(origin, row: $0) })
                } boxed: { row, _ in
                    identifiers.append(PersistentIdentifier(origin, row: row))
                }
                return identifiers
            }
        } catch {
            throw SwiftDataError(error)
        }
    }

    /// Calls the closure with each model. Makes a batch of objects at a time and keeps those of no other batch.
    ///
    /// Which models there are, and their order, is decided when the call begins: O(rows) of memory.
    /// A record is read when the closure first reads a property of its model.
    ///
    /// - Parameters:
    ///   - fetch: which models, in which order.
    ///   - batchSize: how many models are made at a time; one where it is not above 0.
    ///   - allowEscapingMutations: whether the closure may leave models changed. Where it may not, the context is
    ///     looked at after each batch, unless it had unsaved changes before the call.
    ///   - block: what is done with each model; what it throws ends the enumeration.
    /// - Throws: what the closure throws; ``SwiftDataError/modelValidationFailure`` after a batch in which the
    ///   closure left changes that are not allowed, which stay in the context; else as ``fetch(_:)``.
    public func enumerate<T: PersistentModel>(
        _ fetch: FetchDescriptor<T>, batchSize: Int = 5_000, allowEscapingMutations: Bool = false,
        block: (T) throws -> Void
    ) throws {
        try throwKeptError()
        receiveChanges()
        let (store, rows): (StoreContext, [FetchedRow])
        do {
            store = try self.store(of: T.self)
            rows = try store.rows(fetch, readsRecords: false)
        } catch {
            throw SwiftDataError(error)
        }
        let hadChanges = hasChanges
        for start in stride(from: 0, to: rows.count, by: max(1, batchSize)) {
            var batch = Array(rows[start..<min(rows.count, start + max(1, batchSize))])
            let models: [T]
            do {
                models = try store.objects(of: &batch, prefetching: fetch.relationshipKeyPathsForPrefetching)
            } catch {
                throw SwiftDataError(error)
            }
            for model in models { try block(model) }
            guard allowEscapingMutations || hadChanges || !hasChanges else {
                throw SwiftDataError(
                    .modelValidationFailure,
                    detail: "The closure of enumerate changed models; pass allowEscapingMutations: true to allow it.")
            }
        }
    }

    /// How the store runs a descriptor, and what that costs.
    ///
    /// ```swift
    /// print(try context.explanation(of: descriptor, level: .estimates))
    /// ```
    ///
    /// With the level `work` it runs the fetch, with the context's unsaved changes unless the descriptor leaves them
    /// out, makes no object, and measures each operator: that costs some times as much as the fetch. The other levels
    /// read a few entries of indexes, as planning does. Where a plan costs much and another index might serve, each
    /// level looks at up to a thousand records besides, and there at the properties that the index would have. It reads
    /// no value that is so long that it lies outside of its record.
    ///
    /// - Throws: as ``fetch(_:)``.
    public func explanation<T: PersistentModel>(
        of descriptor: FetchDescriptor<T>, level: FetchExplanation.Level = .work
    ) throws -> FetchExplanation {
        try throwKeptError()
        receiveChanges()
        do {
            let store = try store(of: T.self)
            let query = try descriptor.query(in: store.containerStore.id)
            let overlay = level == .work && descriptor.includePendingChanges ? try store.overlay() : nil
            return try store.store.read { snapshot in
                let plan = try Planner.plan(query, in: snapshot)
                return try plan.explanation(level, in: snapshot, overlay: overlay, readsRecords: true)
            }
        } catch {
            throw SwiftDataError(error)
        }
    }
}
