import LoamStorage

/// Reads a predicate, and notes the ways along relationships and what is read at their ends.
struct ChainReader {
    private(set) var chains: Set<[RelationHop]> = []
    /// What is read of the rows of each entity that are reached along relationships.
    private(set) var paths: [EntityID: Set<PropertyPath>] = [:]
    private let references: (entity: Entity, schema: Schema)?

    /// - Parameter references: the entity of the row, where ways are wanted to the rows that references name too.
    init(references: (entity: Entity, schema: Schema)? = nil) {
        self.references = references
    }

    /// - Parameter scopes: the way to the row of each scope, outermost first.
    mutating func read(_ predicate: TypedPredicate, scopes: [[RelationHop]]) {
        switch predicate {
        case .exists(let hops, let inner): read(inner, scopes: scopes + [go(hops, scopes: scopes)])
        case .existsElement(let array, let inner):
            read(array, scopes: scopes)
            read(inner, scopes: scopes + [scopes.last ?? []])
        case .hasElement(let path, let element, _):
            read(.property(path), scopes: scopes)
            read(element, scopes: scopes)
        case .constant, .comparison, .text, .between, .isIn, .and, .or, .not:
            predicate.forEachChild(predicate: { read($0, scopes: scopes) }, expression: { read($0, scopes: scopes) })
        }
    }

    mutating func read(_ expression: TypedExpression, scopes: [[RelationHop]]) {
        switch expression {
        case .property(let path): note(path, at: scopes.last ?? [])
        case .related(let hops, let leaf): read(leaf, scopes: [go(hops, scopes: scopes)])
        case .reference(let hop): _ = go([hop], scopes: scopes)
        case .count(let hops, let predicate):
            let way = go(hops, scopes: scopes)
            if let predicate { read(predicate, scopes: scopes + [way]) }
        case .conditional(let predicate, let first, let second):
            read(predicate, scopes: scopes)
            read(first, scopes: scopes)
            read(second, scopes: scopes)
        case .aggregate(let aggregate): _ = read(aggregate.collection, scopes: scopes)
        case .outer(let inner): read(inner, scopes: scopes.dropLast())
        case .constant, .identifier, .call: expression.forEachChild { read($0, scopes: scopes) }
        }
    }

    /// Returns the way to what the collection has, or to the row of which it is.
    private mutating func read(_ collection: TypedCollection, scopes: [[RelationHop]]) -> [RelationHop] {
        let here = scopes.last ?? []
        switch collection {
        case .list(let values): for value in values { read(value, scopes: scopes) }
        case .elements(let array, let predicate):
            read(array, scopes: scopes)
            read(predicate, scopes: scopes + [here])
        case .rows(let hops, let predicate, let value, let start):
            let way = go(hops, scopes: [start.map { self.way(to: $0, scopes: scopes) } ?? here])
            read(predicate, scopes: scopes + [way])
            read(value, scopes: scopes + [way])
            return way
        }
        return here
    }

    /// The way to a row that an expression names: one further out, or the first or the last of related rows.
    private mutating func way(to row: TypedExpression, scopes: [[RelationHop]]) -> [RelationHop] {
        switch row {
        case .outer(let inner): way(to: inner, scopes: scopes.dropLast())
        case .aggregate(let aggregate): read(aggregate.collection, scopes: scopes)
        default: scopes.last ?? []
        }
    }

    private mutating func go(_ hops: [RelationHop], scopes: [[RelationHop]]) -> [RelationHop] {
        var way = scopes.last ?? []
        for hop in hops {
            if let reference = hop.reference { note(reference, at: way) }
            way.append(hop)
            if let reference = hop.inverseReference { note(reference, at: way) }
        }
        chains.insert(way)
        return way
    }

    private mutating func note(_ path: PropertyPath, at way: [RelationHop]) {
        guard !path.isInElement else { return }
        if let entity = way.last?.destination.id { paths[entity, default: []].insert(path) }
        guard path.isReference, let references else { return }
        let entity = way.last?.destination ?? references.entity
        let relationship = entity.relationships.first { $0.referenceProperty == path.property }
        guard let relationship, let hop = try? RelationHop(relationship, of: entity, in: references.schema) else {
            return
        }
        chains.insert(way + [hop])
    }
}
