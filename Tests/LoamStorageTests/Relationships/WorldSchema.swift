import LoamStorage

/// Countries with cities, a capital and borders, and cities with tags: one relationship of every kind.
enum WorldSchema {
    static let definitions = [
        EntityDefinition(
            "Country", properties: [PropertyDefinition("name", type: .string)],
            relationships: [
                RelationshipDefinition("cities", to: "City", isToMany: true, inverse: "country"),
                RelationshipDefinition("capital", to: "Capital", deleteRule: .cascade),
            ]),
        EntityDefinition(
            "City", properties: [PropertyDefinition("name", type: .string)],
            relationships: [
                RelationshipDefinition("country", to: "Country"),
                RelationshipDefinition("tags", to: "Tag", isToMany: true),
                RelationshipDefinition("twins", to: "City", isToMany: true, inverse: "twins"),
            ],
            indexes: [IndexDefinition([.init("country"), .init("name")])]),
        EntityDefinition(
            "Capital", properties: [PropertyDefinition("name", type: .string)],
            relationships: [RelationshipDefinition("country", to: "Country", isOptional: false, inverse: "capital")]),
        EntityDefinition(
            "Tag", properties: [PropertyDefinition("name", type: .string)],
            relationships: [RelationshipDefinition("cities", to: "City", isToMany: true, inverse: "tags")]),
    ]
}
