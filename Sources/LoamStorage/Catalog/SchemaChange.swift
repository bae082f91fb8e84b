/// A property that is to be added: what its author says; the catalog gives the id.
package struct PropertyDefinition: Hashable, Sendable {
    package var name: String
    package var type: ValueType
    package var isOptional: Bool
    /// The default: what rows written before the property was added read for it, and what new rows get from programs
    /// that do not know it.
    package var initialValue: Value
    /// What rows written before the property was added read for it where there is no default. One of the two is needed
    /// when it is not optional.
    package var filler: Value
    /// Names that older models know it by, where nothing else has them.
    package var formerNames: [String]
    /// Whether the history keeps its value when a row is deleted.
    package var isPreserved: Bool

    package init(
        _ name: String, type: ValueType, isOptional: Bool = false, initialValue: Value = .null, filler: Value = .null,
        formerNames: [String] = [], isPreserved: Bool = false
    ) {
        self.formerNames = formerNames
        self.isPreserved = isPreserved
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.initialValue = initialValue
        self.filler = filler
    }
}

/// An entity that is to be added.
package struct EntityDefinition: Hashable, Sendable {
    package var name: String
    package var properties: [PropertyDefinition]
    package var relationships: [RelationshipDefinition]
    /// A to-one relationship that the entity keeps can be a component, by its name.
    package var indexes: [IndexDefinition]
    /// The version of the models that its rules are from, where it is known; see ``SchemaDraft/noteRules(of:for:)``.
    var rulesVersion: SchemaVersion?
    /// Where the relationships of an entity that is loaded are kept; they are attached when all entities are loaded.
    var planned: [PlannedRelationship] = []

    package init(
        _ name: String, properties: [PropertyDefinition], relationships: [RelationshipDefinition] = [],
        indexes: [IndexDefinition] = []
    ) {
        self.name = name
        self.properties = properties
        self.relationships = relationships
        self.indexes = indexes
    }
}

/// A change of the schema that rewrites no record.
package enum SchemaChange: Hashable, Sendable {
    case addEntity(EntityDefinition)
    /// Several that have relationships to each other, or to themselves.
    case addEntities([EntityDefinition])
    case renameEntity(String, to: String)
    /// Relationships that lead to the entity go with it.
    case removeEntity(String)
    case addProperty(PropertyDefinition, to: String)
    /// Programs that know it by its former name still find it.
    case renameProperty(String, to: String, in: String)
    /// Lets an attribute be nil from now on.
    case makeOptional(String, in: String)
    /// Lets an attribute be nil no more. Rows that have nil read the value from then on; without one there may be none,
    /// and all rows are read to see that.
    case makeRequired(String, nilValue: Value = .null, in: String)
    /// Gives an attribute a type that has all values of the one that it has, see ``ValueType/widens(to:)``.
    case widen(String, to: ValueType, in: String)
    /// Lets the history keep an attribute's value when a row is deleted, or no longer.
    case preserve(String, Bool, in: String)
    /// Indexes that use the property go with it.
    case removeProperty(String, from: String)
    /// Adds a relationship, with its other side where it has one. A to-one that is not optional can be added only where
    /// there are no rows.
    case addRelationship(RelationshipDefinition, to: String, inverse: RelationshipDefinition? = nil)
    /// Adds a relationship as the other side of one that has led one way so far. The members of a new to-many stand in
    /// the order of their rows. Where it is a to-one, no two rows may lead to the same one. What the two are read by is
    /// made with the change; records are rewritten only where a to-one is added to a to-many.
    case addInverse(RelationshipDefinition, to: String, of: String)
    /// Lets a to-one relationship lead to several rows. Links are made with the change; records are rewritten where its
    /// inverse is a to-one that has to keep what it kept.
    case makeToMany(String, in: String)
    /// Removes a relationship and its inverse; without the inverse, that leads one way from then on. The side of a pair
    /// that keeps the reference goes only with the other.
    case removeRelationship(String, from: String, withInverse: Bool = true)
    case renameRelationship(String, to: String, in: String)
    /// Takes over the delete rule and the bounds, which later saves keep; nothing else of the relationship may differ,
    /// but whether it is optional. A to-one that no longer is may be nil in no row, and all are read to see that.
    case changeRelationship(RelationshipDefinition, of: String)
    /// Builds the index over the rows that are there; saves go on meanwhile.
    case addIndex(IndexDefinition, to: String)
    case dropIndex(String, from: String)
    /// Builds the index again under a new id, also when it is stale.
    case rebuildIndex(String, of: String)

    /// Whether it makes room, so that it may use the reserve of a full map.
    var isRemoval: Bool {
        switch self {
        case .removeEntity, .removeProperty, .removeRelationship, .dropIndex: true
        default: false
        }
    }
}
