import LMDB

/// Inserts that become updates of rows with the same unique values: stored ones, and others of the batch.
///
/// An insert is compared with the batch's final state: a row that the batch deletes or gives other values takes none.
/// The first unique index that has such a row decides; what then still conflicts, the check of uniqueness throws.
struct Upserts {
    private let state: WriterState
    private let unclaimed: [EntityID: Unclaimed]
    private(set) var outcomes: [RowOutcome]
    /// For each id of an insert the row that it became.
    private(set) var mapping: [RowID: RowID] = [:]
    private var outcomeNumbers: [RowID: Int]
    private var claims: [IndexID: Claims] = [:]

    /// What the batch does to one unique index.
    private struct Claims {
        var rows: [[UInt8]: RowsOfKey] = [:]
        /// Stored rows by their values, where several have a key: read once for each key.
        var stored: [[UInt8]: [[Value]: RowID]] = [:]
        /// Rows whose stored entries no longer count.
        var released: Set<RowID> = []
    }

    init(_ outcomes: [RowOutcome], unclaimed: [EntityID: Unclaimed], state: WriterState) {
        self.state = state
        self.unclaimed = unclaimed
        self.outcomes = outcomes
        outcomeNumbers = Dictionary(uniqueKeysWithValues: outcomes.enumerated().map { ($1.rowID, $0) })
    }

    /// - Parameter outcome: of an insert.
    mutating func add(
        _ outcome: RowOutcome, resolver: borrowing OutcomeResolver, in transaction: borrowing WriteTransaction
    ) throws {
        try state.catalog.patchReferences(of: outcome, mapping)
        guard let image = outcome.new else { return }
        for index in uniqueIndexes(of: outcome.access) {
            guard let existing = try row(like: image, index: index, in: transaction) else { continue }
            mapping[outcome.rowID] = existing
            try merge(image, into: existing, resolver: resolver, in: transaction)
            return
        }
        append(outcome)
        try claim(outcome)
    }

    private func uniqueIndexes(of access: EntityAccess) -> [IndexAccess] {
        let others = unclaimed[access.entity.id]?.constraints ?? []
        return access.indexes.filter { $0.isEnforced && !others.contains($0.index.id) }
    }

    private mutating func append(_ outcome: RowOutcome) {
        outcomeNumbers[outcome.rowID] = outcomes.count
        outcomes.append(outcome)
    }

    /// The row that has the values of a new one in an index; nil where there is none, or where one of them is nil.
    private mutating func row(
        like image: RowImage, index: IndexAccess, in transaction: borrowing WriteTransaction
    ) throws -> RowID? {
        let values = try index.componentValues(of: image)
        guard !values.contains(where: \.isNull) else { return nil }
        let key = try index.entry(of: image).key
        try makeClaims(index, of: image.access)
        if let row = try claimingRow(with: values, key: key, index: index) { return row }
        let row = try storedRow(with: values, key: key, index: index, access: image.access, in: transaction)
        return row.flatMap { claims[index.index.id]?.released.contains($0) == true ? nil : $0 }
    }

    /// The row of the batch that takes the values.
    private mutating func claimingRow(with values: [Value], key: [UInt8], index: IndexAccess) throws -> RowID? {
        // Taken out meanwhile, so that it is not copied.
        guard var known = claims[index.index.id]?.rows.removeValue(forKey: key) else { return nil }
        defer { claims[index.index.id]?.rows[key] = known }
        return try known.row(with: values) { row in
            state.comparedRecords += 1
            return try outcomeNumbers[row].flatMap { outcomes[$0].new }.map(index.componentValues)
        }
    }

    private mutating func storedRow(
        with values: [Value], key: [UInt8], index: IndexAccess, access: EntityAccess,
        in transaction: borrowing WriteTransaction
    ) throws -> RowID? {
        if let known = claims[index.index.id]?.stored[key] { return known[values] }
        var rows: [RowID] = []
        let reader = IndexReader(shape: index.blockShape, databases: state.databases.blocks)
        try reader.scan(.prefix(key), reversed: false, in: transaction) { batch in
            for position in 0..<batch.count { rows.append(batch.rowID(at: position)) }
            return true
        }
        var byValues: [[Value]: RowID] = [:]
        for row in rows {
            state.comparedRecords += 1
            guard let stored = try RowImage.read(row, of: access, in: transaction) else { continue }
            byValues[try index.componentValues(of: stored)] = row
        }
        if rows.count > 1 { claims[index.index.id]?.stored[key] = byValues }
        return byValues[values]
    }

    private mutating func makeClaims(_ index: IndexAccess, of access: EntityAccess) throws {
        guard claims[index.index.id] == nil else { return }
        claims[index.index.id] = Claims()
        for outcome in outcomes where outcome.access === access { try claim(outcome, in: index) }
    }

    private mutating func claim(_ outcome: RowOutcome) throws {
        for index in uniqueIndexes(of: outcome.access) where claims[index.index.id] != nil {
            try claim(outcome, in: index)
        }
    }

    private mutating func claim(_ outcome: RowOutcome, in index: IndexAccess) throws {
        if outcome.old != nil { claims[index.index.id]?.released.insert(outcome.rowID) }
        if let new = outcome.new {
            claims[index.index.id]?.rows[try index.entry(of: new).key, default: RowsOfKey()].append(outcome.rowID)
        }
    }

    /// Gives a row the values of a new one. References that the new one leaves nil stay as they are.
    private mutating func merge(
        _ image: RowImage, into row: RowID, resolver: borrowing OutcomeResolver,
        in transaction: borrowing WriteTransaction
    ) throws {
        let access = image.access
        var changes: [Int: Value] = [:]
        let others = unclaimed[access.entity.id]?.properties ?? []
        for (position, property) in access.entity.properties.enumerated()
        where !property.isHidden && !others.contains(property.id) {
            let value = try image.value(position)
            if property.role == .attribute || !value.isNull { changes[position] = value }
        }
        if let number = outcomeNumbers[row] {
            guard let current = outcomes[number].new else { return }
            let values = try access.entity.properties.indices.map { try changes[$0] ?? current.value($0) }
            try outcomes[number].replace(with: values)
            return try claim(outcomes[number])
        }
        guard let stored = try RowImage.read(row, of: access, in: transaction) else {
            throw StorageError(.inconsistent("an index entry has no record"), entity: access.entity.name, rowID: row)
        }
        try stored.verifyChecksum()
        let named = Dictionary(uniqueKeysWithValues: changes.map { (access.entity.properties[$0.key].id, $0.value) })
        guard let outcome = try resolver.update(of: stored, base: nil, changes: named, access) else { return }
        append(outcome)
        try claim(outcome)
    }
}

extension Catalog {
    /// Lets references to inserts that became updates lead to the rows that they became.
    func patchReferences(of outcome: RowOutcome, _ mapping: [RowID: RowID]) throws {
        guard !mapping.isEmpty else { return }
        for access in relationships.references(of: outcome.access.entity.id) {
            guard let target = try outcome.new?.reference(access.property), let mapped = mapping[target] else {
                continue
            }
            try outcome.set(access.property, to: .uint(mapped))
        }
    }
}

extension WriteBatch {
    /// The batch without the places of fresh rows, which come last anyway.
    func leavingOut(_ fresh: FreshRows) -> WriteBatch {
        guard !fresh.isEmpty, !places.isEmpty else { return self }
        return replacing(places: places.filter { !fresh.contains($0.rowID) }, links: links)
    }

    /// The batch with the places and links of inserts that became updates.
    func patched(_ mapping: [RowID: RowID]) -> WriteBatch {
        guard !mapping.isEmpty else { return self }
        func row(_ id: RowID) -> RowID { mapping[id] ?? id }
        func place(_ place: LinkPlace) -> LinkPlace {
            if case .after(let neighbour) = place { .after(row(neighbour)) } else { place }
        }
        return replacing(
            places: places.map {
                PlaceWrite(
                    entity: $0.entity, rowID: row($0.rowID), relationship: $0.relationship, place: place($0.place))
            },
            links: links.map {
                LinkWrite(
                    entity: $0.entity, relationship: $0.relationship, source: row($0.source),
                    destination: row($0.destination), place: $0.place.map(place), onlyMoves: $0.onlyMoves)
            })
    }
}
