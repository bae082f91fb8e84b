extension EntityDefinition {
    /// Whether the catalog takes a name for an entity or a property: it is not empty, has at most 255 bytes, and holds
    /// neither a dot nor a comma nor a control character.
    package static func isValidName(_ name: String) -> Bool {
        (try? CatalogDocument.validateName(name)) != nil
    }
}
