import LoamQuery
import LoamStorage

/// A row of a result, before there is an object for it.
struct FetchedRow {
    let rowID: RowID
    /// Nil for rows that the context has an object of already because of its pending changes, or that are read later.
    var record: DetachedRecord?
}

extension StoreContext {
    /// The rows of the result. Records are copied out first: no object is made, and so no code of the user's runs,
    /// while the store is being read.
    func rows<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, readsRecords: Bool = true
    ) throws -> [FetchedRow] {
        let query = try descriptor.query(in: containerStore.id)
        let overlay = descriptor.includePendingChanges ? try overlay() : nil
        return try store.read { try Self.rows(of: query, readsRecords: readsRecords, overlay: overlay, in: $0) }
    }

    /// The rows of a query in a state of the store. Runs no code of the user's.
    static func rows(
        of query: Query, readsRecords: Bool = true, overlay: Overlay?, in snapshot: Snapshot
    ) throws -> [FetchedRow] {
        var query = query
        query.columns = readsRecords ? nil : []
        let plan = try Planner.plan(query, in: snapshot)
        let records = try DetachedRecord.Source(snapshot.entity(named: query.entity).id, in: snapshot.catalog)
        var work = Work()
        var rows: [FetchedRow] = []
        guard readsRecords else {
            try plan.execute(in: snapshot, overlay: overlay, work: &work) { rowIDs, _ in
                for rowID in rowIDs { rows.append(FetchedRow(rowID: rowID, record: nil)) }
            } boxed: { rowID, _ in
                rows.append(FetchedRow(rowID: rowID, record: nil))
            }
            return rows
        }
        try plan.readRecords(in: snapshot, overlay: overlay, work: &work) { rowIDs, stored in
            for (rowID, bytes) in zip(rowIDs, stored) {
                rows.append(FetchedRow(rowID: rowID, record: try bytes.map { try records.copy($0, rowID: rowID) }))
            }
        }
        return rows
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
                let range = count..<min(rows.count, count + Self.registeredTogether)
                makeObjects(of: &rows, range: range, binding: binding, in: objects)
                count = range.upperBound
            }
        }
        try relationships.prefetch(prefetching, of: objects, binding: binding)
        return objects
    }

    /// So many objects are looked up, and registered, under one lock.
    private static var registeredTogether: Int { 256 }

    /// Initializes the objects of a range of rows, at the same indexes.
    private func makeObjects<T: PersistentModel>(
        of rows: inout [FetchedRow], range: Range<Int>, binding: EntityBinding,
        in objects: UnsafeMutableBufferPointer<T>
    ) {
        let known = identities.objects(of: rows, range, entity: binding.entity.id)
        var made: [IdentityMap.Entry] = []
        made.reserveCapacity(range.count)
        for index in range {
            let record = rows[index].record.take()
            if let known = known[index - range.lowerBound], let model = Self.downcast(known, to: T.self) {
                if let record { refresh(model, with: record, binding: binding) }
                objects.initializeElement(at: index, to: model)
                continue
            }
            let backing = _ModelBacking(rowID: rows[index].rowID, binding: binding, context: self, record: record)
            let model = T(_backing: backing)
            backing.bind(to: model)
            made.append(IdentityMap.Entry(backing, index: index))
            objects.initializeElement(at: index, to: model)
        }
        // Making an object may run the user's code, which may have made one for the same row.
        for (index, object) in identities.insert(made, of: binding.entity.id) {
            guard let model = Self.downcast(object, to: T.self) else { continue }
            objects[index]._$backing?.loseContext()
            objects[index] = model
        }
        if !changes.concernsMadeObjects { return }
        for entry in made {
            if let backing = objects[entry.index]._$backing { changes.noteMade(objects[entry.index], backing: backing) }
        }
    }
}
