/// A store's schema while somebody decides how to change it: what is done to the draft becomes one change of the
/// catalog, in one transaction, or none at all.
///
/// ```swift
/// try store.changeSchema { draft in
///     guard draft.schema.entity(named: "City") == nil else { return }
///     try draft.apply(.addEntity(city))
/// }
/// ```
package struct SchemaDraft {
    private(set) var document: CatalogDocument
    /// Indexes that have to be built over the rows that are there.
    private(set) var building: [IndexID] = []
    /// Indexes that are made with the change itself: relationships are read by them, or only what the change writes
    /// tells whether they can be made.
    private(set) var filling: [IndexID] = []
    /// Properties that may be nil in no row that is there.
    private(set) var required: [(entity: EntityID, property: PropertyID)] = []
    private let hasRows: (EntityID) throws -> Bool
    /// The layouts of before: records may have them.
    private let oldLayouts: [RecordLayout.Description]
    private var hasChanges = false

    /// - Parameter hasRows: whether a stored entity has records; others are empty.
    init(_ document: CatalogDocument, hasRows: @escaping (EntityID) throws -> Bool) {
        self.document = document
        self.hasRows = hasRows
        oldLayouts = document.layouts
    }

    /// The schema with what was done so far.
    package var schema: Schema { document.schema }

    /// Makes a change. An index over an entity without rows is ready at once, others are built after the commit.
    ///
    /// - Throws: what keeps the change from being made, naming entity and property; the draft is spoilt then.
    package mutating func apply(_ change: SchemaChange) throws {
        hasChanges = true
        switch change {
        case .addIndex(let definition, let name):
            try document.requireNoLoad(of: name)
            let isEmpty = try isEmpty(document.entity(name).id)
            let index = try document.addIndex(definition, to: name, state: isEmpty ? .ready : .building)
            if !isEmpty { building.append(index.id) }
        case .addRelationship(let definition, let name, let inverse):
            let (document, hasRows) = (document, hasRows)
            building += try self.document.addRelationship(definition, to: name, inverse: inverse) {
                try document.schema.entity(withID: $0) == nil || !hasRows($0)
            }
        case .makeRequired(let property, let nilValue, let name):
            try document.requireNoLoad(of: name)
            try document.makeRequired(property, in: name, nilValue: nilValue)
            if nilValue.isNull { try require(property, in: name) } else { try remakeIndexes(over: property, in: name) }
        case .widen(let property, let type, let name):
            try document.requireNoLoad(of: name)
            try document.widen(property, to: type, in: name)
            try remakeIndexes(over: property, in: name)
        case .addInverse(let definition, let name, let inverse):
            try document.requireNoLoad(of: definition.destination)
            try document.requireNoLoad(of: name)
            if let index = try document.addInverse(definition, to: name, of: inverse) { filling.append(index) }
        case .makeToMany(let property, let name):
            try document.requireNoLoad(of: name)
            if let destination = try document.destination(of: property, in: name) {
                try document.requireNoLoad(of: destination)
            }
            if let index = try document.makeToMany(property, of: name) { filling.append(index) }
        case .changeRelationship(let definition, let name):
            let wasOptional = try document.relationship(definition.name, of: name).isOptional
            if wasOptional != definition.isOptional { try document.requireNoLoad(of: name) }
            try document.apply(change)
            if !definition.isToMany, wasOptional, !definition.isOptional { try require(definition.name, in: name) }
        case .rebuildIndex: throw StorageError(.invalidSchema("an index is rebuilt by itself, not with other changes"))
        default: try document.apply(change)
        }
    }

    /// Forgets layouts that only lay between two changes, and checks the rest; a draft without changes was checked when
    /// it was read.
    mutating func finish() throws {
        guard hasChanges else { return }
        let (current, before) = (document.currentLayouts, Set(oldLayouts))
        document.layouts.removeAll { current[$0.entity] != $0.id && !before.contains($0) }
        // Those that a later change of the draft has put others in the place of.
        let indexes = Set(document.schema.entities.lazy.flatMap(\.indexes).map(\.id))
        building.removeAll { !indexes.contains($0) }
        filling.removeAll { !indexes.contains($0) }
        try fillOverNewReferences()
        try document.validate()
    }

    /// Has unique indexes over references that the change writes made with it: the records of before lack these, and
    /// do not tell whether rows are unique by them.
    private mutating func fillOverNewReferences() throws {
        guard !building.isEmpty, !filling.isEmpty else { return }
        var known: Set<PropertyID> = []
        for layout in oldLayouts { known.formUnion(layout.fields.map(\.property)) }
        for entity in document.schema.entities {
            var written: Set<PropertyID> = []
            for index in entity.indexes where index.kind == .reference && filling.contains(index.id) {
                written.formUnion(index.properties)
            }
            written.subtract(known)
            for (position, index) in entity.indexes.enumerated()
            where index.kind == .unique && building.contains(index.id) && !written.isDisjoint(with: index.properties) {
                building.removeAll { $0 == index.id }
                filling.append(index.id)
                try document.update(entity.name) { $0.indexes[position].state = .ready }
            }
        }
    }

    private mutating func require(_ property: String, in name: String) throws {
        let entity = try document.entity(name)
        guard let position = entity.position(of: property), try hasRows(entity.id) else { return }
        required.append((entity.id, entity.properties[position].id))
    }

    private mutating func remakeIndexes(over property: String, in name: String) throws {
        let isEmpty = try isEmpty(document.entity(name).id)
        let (new, whole) = (Set(building).union(filling), isEmpty)
        let made = try document.remakeIndexes(
            over: property, in: name, state: { whole || $0 == .unique ? .ready : .building }, isNew: new.contains)
        guard !isEmpty else { return }
        let unique = Set(try document.entity(name).indexes.lazy.filter { $0.kind == .unique }.map(\.id))
        building += made.filter { !unique.contains($0) }
        filling += made.filter(unique.contains)
    }

    private func isEmpty(_ entity: EntityID) throws -> Bool { try !hasRows(entity) }

    // MARK: Rules

    /// Whether models of this version may change an entity's delete rules, bounds and what may be nil: where no newer
    /// ones have.
    ///
    /// - Throws: `unknownEntity` where the draft has no such entity.
    package func acceptsRules(of version: SchemaVersion, for entity: String) throws -> Bool {
        try rules(of: entity).map { $0 <= version } ?? true
    }

    /// The version of the models that an entity's rules are from; nil where none is known.
    ///
    /// - Throws: `unknownEntity` where the draft has no such entity.
    package func rules(of entity: String) throws -> SchemaVersion? {
        document.ruleVersions?[try document.entity(entity).id]
    }

    /// Notes that an entity's rules are those of models of this version.
    ///
    /// - Throws: `unknownEntity` where the draft has no such entity.
    package mutating func noteRules(of version: SchemaVersion, for entity: String) throws {
        let id = try document.entity(entity).id
        guard document.ruleVersions?[id] != version else { return }
        hasChanges = true
        document.ruleVersions = (document.ruleVersions ?? [:]).merging([id: version]) { $1 }
    }
}
