package import LoamStorage

extension SortKey {
    /// Whether it is the order of row ids, which leaves nothing open: a property that is called like them is that
    /// property.
    package func isIdentifier(of entity: Entity) -> Bool {
        path == Self.identifierPath && entity.position(of: path) == nil
    }

    /// The key as predicates write it, as a fetch of the entity understands it: a property that is called like a function
    /// is that property.
    ///
    /// - Throws: ``QueryError`` for what is no key of the entity.
    package func expression(in entity: Entity, schema: Schema) throws -> QueryExpression {
        let columns = Query(entity: entity.name, columns: [path])
        guard let found = try ResolvedQuery(columns, in: entity, schema: schema).columns.first else {
            return expression
        }
        return found.expression
    }
}
