package import LoamStorage

/// What will be done to answer a query for groups: a value that can be printed, compared and executed.
package struct GroupedPlan: Hashable, Sendable {
    /// A column of the result.
    package struct Column: Hashable, Sendable {
        package var name: String
        package var type: ValueType
    }

    package let query: GroupedQuery
    /// The keys, then the aggregates that were asked for.
    package let columns: [Column]
    package let method: Method
    let entity: Entity
    let keys: [PropertyPath]
    /// Those that were asked for, then those that only the condition and the order name.
    let aggregates: [TypedGroupAggregate]
    /// Over the groups as rows.
    let output: ResolvedQuery

    /// Where the groups come from.
    package indirect enum Method: Hashable, Sendable {
        /// Every row that matches is taken into its group.
        case rows(Plan)
        /// The values of an index's leading component, by a look-up for each.
        case values(Plan)
        /// The sections of an index with their sizes, from its sums.
        case sections(Plan)
        /// One group: each aggregate is the number of rows, or the first or last row of an order that an index serves.
        case ends([Plan])
    }

    /// - Throws: ``QueryError`` for a query that cannot be run, naming the part.
    package init(_ asked: GroupedQuery, in snapshot: Snapshot) throws {
        guard let entity = snapshot.schema.entity(named: asked.entity) else {
            throw QueryError(.unknownEntity, part: asked.entity)
        }
        guard !asked.keys.isEmpty || !asked.aggregates.isEmpty else {
            throw QueryError(.invalidQuery("groups need a key or an aggregate"))
        }
        let keys = try ResolvedQuery(
            Query(entity: asked.entity, columns: asked.keys), in: entity, schema: snapshot.schema
        ).columns
        for key in keys where !key.type.isOrdered {
            throw QueryError(.typeMismatch("values of type \(key.type) cannot be grouped by"), part: key.description)
        }
        let query = asked.naming(keys, in: entity, schema: snapshot.schema)
        self.query = query
        self.entity = entity
        self.keys = keys
        let named = try query.namedAggregates
        var inputs: [String] = []
        for path in query.keys + named.compactMap(\.path) where !inputs.contains(path) { inputs.append(path) }
        let paths = try ResolvedQuery(
            Query(entity: query.entity, columns: inputs), in: entity, schema: snapshot.schema
        ).columns
        let byName = Dictionary(uniqueKeysWithValues: zip(inputs, paths))
        aggregates = try named.map { try TypedGroupAggregate($0, path: $0.path.flatMap { byName[$0] }) }
        let groups = Self.groups(of: query, keys: keys, aggregates: aggregates)
        output = try ResolvedQuery(query.overGroups, in: groups)
        let shown = query.keys.count + query.aggregates.count
        columns = groups.properties.prefix(shown).map { Column(name: $0.name, type: $0.type) }
        method = try Self.method(query, aggregates: aggregates, inputs: inputs, in: snapshot)
    }

    /// The groups as an entity.
    private static func groups(
        of query: GroupedQuery, keys: [PropertyPath], aggregates: [TypedGroupAggregate]
    ) -> Entity {
        var properties: [Property] = []
        for (name, path) in zip(query.keys, keys) {
            properties.append(
                Property(
                    id: PropertyID(properties.count + 1), name: name, type: path.type,
                    isOptional: path.isOptional || path.related != nil))
        }
        for aggregate in aggregates {
            properties.append(
                Property(
                    id: PropertyID(properties.count + 1), name: aggregate.name, type: aggregate.type,
                    isOptional: aggregate.isOptional))
        }
        return Entity(id: 0, name: "groups of \(query.entity)", properties: properties)
    }
}

extension GroupedQuery {
    /// The aggregates that were asked for, then those that only the condition and the order name, each once.
    fileprivate var namedAggregates: [GroupAggregate] {
        get throws {
            var found = aggregates
            for name in having?.keyPaths.map({ $0.joined(separator: ".") }) ?? [] {
                try Self.add(name, to: &found, besides: keys)
            }
            for key in sort { try Self.add(key.path, to: &found, besides: keys) }
            return found
        }
    }

    private static func add(_ name: String, to aggregates: inout [GroupAggregate], besides keys: [String]) throws {
        guard !keys.contains(name), name.last == ")" else { return }
        let aggregate = try GroupAggregate(name)
        if !aggregates.contains(aggregate) { aggregates.append(aggregate) }
    }

    /// The query with the name of a key wherever the condition calls the function that the key is, and where the order
    /// has the key in other words.
    ///
    /// - Parameter paths: of the keys.
    fileprivate func naming(_ paths: [PropertyPath], in entity: Entity, schema: Schema) -> GroupedQuery {
        func name(_ path: PropertyPath?) -> String? { path.flatMap { paths.firstIndex(of: $0) }.map { keys[$0] } }
        var query = self
        query.having = having?.mapped {
            $0.namingParts { part in
                guard case .call = part,
                    let typed = try? TypeChecker(entity: entity, schema: schema).typed(part, beside: nil)
                else { return nil }
                return name(PathCall(typed).map { PropertyPath($0) })
            }
        }
        for (number, key) in sort.enumerated() where !keys.contains(key.path) {
            let columns = Query(entity: self.entity, columns: [key.path])
            let path = try? ResolvedQuery(columns, in: entity, schema: schema).columns.first
            if let name = name(path) { query.sort[number].path = name }
        }
        return query
    }

    /// The condition and the order as a query over the groups as rows.
    fileprivate var overGroups: Query {
        let predicate = having?.mapped {
            $0.namingParts { part in
                guard case .keyPath(let names) = part, names.count > 1 else { return nil }
                let name = names.joined(separator: ".")
                return keys.contains(name) ? name : nil
            }
        }
        let order = sort.map { key in
            // An aggregate may be written in several ways.
            let name = keys.contains(key.path) ? key.path : (try? GroupAggregate(key.path))?.name ?? key.path
            return SortKey(name, direction: key.direction, form: key.form)
        }
        return Query(entity: entity, predicate: predicate, sort: order, limit: limit, offset: offset, columns: [])
    }
}
