import LoamStorage

/// What a predicate or an expression asks of a row.
enum RowReading: Hashable {
    case path(PropertyPath)
    case identifier
    /// A row of another entity.
    case relation(RelationHop)
}

extension TypedExpression {
    /// Calls `body` with all that the expression reads of the row that lies `depth` counts further out.
    func forEachReading(depth: Int = 0, _ body: (RowReading) -> Void) {
        switch self {
        case .constant: break
        case .property(let path): if depth == 0 { body(.path(path)) }
        case .identifier: if depth == 0 { body(.identifier) }
        case .call: forEachChild { $0.forEachReading(depth: depth, body) }
        case .conditional(let predicate, let first, let second):
            predicate.forEachReading(depth: depth, body)
            first.forEachReading(depth: depth, body)
            second.forEachReading(depth: depth, body)
        case .aggregate(let aggregate): aggregate.forEachReading(depth: depth, body)
        case .related(let hops, _): if depth == 0 { Self.read(hops, body) }
        case .reference(let hop): if depth == 0 { Self.read([hop], body) }
        case .count(let hops, let predicate):
            if depth == 0 { Self.read(hops, body) }
            predicate?.forEachReading(depth: depth + 1, body)
        case .outer(let expression): if depth > 0 { expression.forEachReading(depth: depth - 1, body) }
        }
    }

    fileprivate static func read(_ hops: [RelationHop], _ body: (RowReading) -> Void) {
        guard let first = hops.first else { return }
        body(first.reference.map(RowReading.path) ?? .identifier)
        for hop in hops { body(.relation(hop)) }
    }
}

extension TypedAggregate {
    fileprivate func forEachReading(depth: Int, _ body: (RowReading) -> Void) {
        switch collection {
        case .list(let values): for value in values { value.forEachReading(depth: depth, body) }
        case .rows(let hops, let predicate, _, let from):
            if let from, from.withoutOuter != .identifier {
                // The relationships begin at a row that is computed of this one.
                from.forEachReading(depth: depth, body)
                if depth == collection.startLevel { for hop in hops { body(.relation(hop)) } }
            } else if depth == collection.startLevel {
                TypedExpression.read(hops, body)
            }
            predicate.forEachReading(depth: depth + 1, body)
        case .elements(let array, let predicate):
            array.forEachReading(depth: depth, body)
            predicate.forEachReading(depth: depth + 1, body)
        }
    }
}

extension TypedPredicate {
    /// Calls `body` with all that the predicate reads of the row that lies `depth` counts further out.
    func forEachReading(depth: Int = 0, _ body: (RowReading) -> Void) {
        switch self {
        case .exists(let hops, let predicate):
            if depth == 0 { TypedExpression.read(hops, body) }
            predicate.forEachReading(depth: depth + 1, body)
        case .existsElement(let array, let predicate):
            array.forEachReading(depth: depth, body)
            predicate.forEachReading(depth: depth + 1, body)
        case .hasElement(let path, let element, _):
            if depth == 0 { body(.path(path)) }
            element.forEachReading(depth: depth, body)
        case .constant, .comparison, .text, .between, .isIn, .and, .or, .not:
            forEachChild(
                predicate: { $0.forEachReading(depth: depth, body) },
                expression: { $0.forEachReading(depth: depth, body) })
        }
    }

    /// Every property of the row itself that the predicate reads.
    package var paths: Set<PropertyPath> {
        var paths: Set<PropertyPath> = []
        forEachReading { if case .path(let path) = $0 { paths.insert(path) } }
        return paths
    }

    /// The path that is all that the predicate reads of its row; nil where it reads nothing, the row's id, or several
    /// paths.
    var onlyPath: PropertyPath? {
        var only: PropertyPath?
        var isAlone = true
        forEachReading { reading in
            switch reading {
            case .path(let path) where only == nil: only = path
            case .path(let path): isAlone = isAlone && path == only
            case .identifier: isAlone = false
            case .relation: break
            }
        }
        return isAlone ? only : nil
    }

    /// The relationships along which it goes from the row whose predicate it is, on any way.
    var ownHops: Set<RelationHop> {
        var hops: Set<RelationHop> = []
        forEachReading { if case .relation(let hop) = $0 { hops.insert(hop) } }
        return hops
    }

    var withoutNot: TypedPredicate {
        if case .not(let part) = self { part.withoutNot } else { self }
    }

    /// Whether the row id takes part.
    var readsIdentifier: Bool { reads { $0 == .identifier } }

    /// Whether other rows take part.
    package var readsRelations: Bool {
        reads { if case .relation = $0 { true } else { false } }
    }

    /// Whether it stands in a count and reads the row around it.
    var readsOuter: Bool {
        var found = false
        forEachReading(depth: 1) { _ in found = true }
        return found
    }

    private func reads(_ test: (RowReading) -> Bool) -> Bool {
        var found = false
        forEachReading { found = found || test($0) }
        return found
    }
}
