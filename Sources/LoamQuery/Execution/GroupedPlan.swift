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
    package init(_ query: GroupedQuery, in snapshot: Snapshot) throws {
        guard let entity = snapshot.schema.entity(named: query.entity) else {
            throw QueryError(.unknownEntity, part: query.entity)
        }
        guard !query.keys.isEmpty || !query.aggregates.isEmpty else {
            throw QueryError(.invalidQuery("groups need a key or an aggregate"))
        }
        self.query = query
        self.entity = entity
        let named = try query.namedAggregates
        var inputs: [String] = []
        for path in query.keys + named.compactMap(\.path) where !inputs.contains(path) { inputs.append(path) }
        let paths = try ResolvedQuery(
            Query(entity: query.entity, columns: inputs), in: entity, schema: snapshot.schema
        ).columns
        let byName = Dictionary(uniqueKeysWithValues: zip(inputs, paths))
        keys = query.keys.compactMap { byName[$0] }
        for key in keys where !key.type.isOrdered {
            throw QueryError(.typeMismatch("values of type \(key.type) cannot be grouped by"), part: key.description)
        }
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

    /// The condition and the order as a query over the groups as rows.
    fileprivate var overGroups: Query {
        let predicate = having?.mapped {
            $0.mappingKeyPaths { names in
                names.count > 1 && keys.contains(names.joined(separator: ".")) ? [names.joined(separator: ".")] : nil
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
