package import LoamStorage

/// A query whose names were looked up and whose predicate was checked and normalized.
package struct ResolvedQuery: Hashable, Sendable {
    private var frame: Frame
    package private(set) var predicate: TypedPredicate
    /// Whether the predicate reads other rows: that of a query of the same shape does, too.
    private let predicateReadsRelations: Bool
    package var limit: Int?
    package var offset: Int
    package var sortSpace = SortSpace()

    /// What queries of one shape have in common.
    private struct Parts: Hashable, Sendable {
        var entity: Entity
        var order: [ResolvedSortKey] = []
        var rowIDDirection = SortDirection.ascending
        var columns: [PropertyPath] = []
        var section: PropertyPath?
        var sectionOfNil: Value?
        var result: ResultKind
        var isUnordered = false
    }

    /// Queries are handed on often, so copies of one share these parts.
    private final class Frame: Hashable, Sendable {
        let parts: Parts
        /// Whether any of the columns is read of a row itself.
        let hasOwnColumns: Bool
        /// Whether any column, or key of the order, is read of other rows.
        let readsRelations: Bool

        init(_ parts: Parts) {
            self.parts = parts
            hasOwnColumns = parts.columns.contains { $0.own != nil }
            readsRelations =
                parts.order.contains { $0.path.related != nil } || parts.columns.contains { $0.related != nil }
        }

        static func == (left: Frame, right: Frame) -> Bool { left === right || left.parts == right.parts }

        func hash(into hasher: inout Hasher) { hasher.combine(parts) }
    }

    private var parts: Parts {
        get { frame.parts }
        set { frame = Frame(newValue) }
    }

    package var entity: Entity {
        get { frame.parts.entity }
        set { parts.entity = newValue }
    }
    /// The order in force: the section first, then the sort keys on other paths, each path once.
    package var order: [ResolvedSortKey] {
        get { frame.parts.order }
        set { parts.order = newValue }
    }
    /// In which direction rows that are equal in ``order`` follow each other by id.
    package var rowIDDirection: SortDirection {
        get { frame.parts.rowIDDirection }
        set { parts.rowIDDirection = newValue }
    }
    package var columns: [PropertyPath] {
        get { frame.parts.columns }
        set { parts.columns = newValue }
    }
    /// Whether any of the columns is read of a row itself, and not of related ones.
    var hasOwnColumns: Bool { frame.hasOwnColumns }
    /// The first key of ``order`` when the result has sections.
    package var section: PropertyPath? {
        get { frame.parts.section }
        set { parts.section = newValue }
    }
    /// The section of rows that have none (``Query/sectionOfNil``).
    package var sectionOfNil: Value? { frame.parts.sectionOfNil }
    /// Whether rows may come in any order (``Query/isUnordered``).
    package var isUnordered: Bool { frame.parts.isUnordered }
    package var result: ResultKind {
        get { frame.parts.result }
        set { if newValue != result { parts.result = newValue } }
    }

    /// - Throws: ``QueryError`` naming the part that cannot be run.
    ///
    /// - Parameter schema: where relationships lead to.
    package init(_ query: Query, in entity: Entity, schema: Schema? = nil) throws(QueryError) {
        guard query.offset >= 0 else {
            throw QueryError(.invalidQuery("the offset is negative"), part: "\(query.offset)")
        }
        if let limit = query.limit, limit < 0 {
            throw QueryError(.invalidQuery("the limit is negative"), part: "\(limit)")
        }
        frame = Frame(
            Parts(
                entity: entity, rowIDDirection: query.sort.last?.direction ?? .ascending,
                sectionOfNil: query.sectionOfNil, result: query.result, isUnordered: query.isUnordered))
        predicate =
            try query.predicate.map { (predicate) throws(QueryError) in
                try TypeChecker(entity: entity, schema: schema).check(predicate).normalized
            } ?? .constant(true)
        predicateReadsRelations = predicate.readsRelations
        limit = query.limit
        offset = query.offset
        sortSpace = query.sortSpace
        let schema = schema ?? Schema(entities: [entity])
        try resolveOrder(query, schema: schema)
        try resolveColumns(query, schema: schema)
    }

    /// All rows for which a predicate holds, in the order of ids.
    init(_ entity: Entity, predicate: TypedPredicate, columns: [PropertyPath] = [], isUnordered: Bool = false) {
        frame = Frame(Parts(entity: entity, columns: columns, result: .rows, isUnordered: isUnordered))
        self.predicate = predicate.normalized
        predicateReadsRelations = self.predicate.readsRelations
        (limit, offset) = (nil, 0)
    }

    /// A query of the same shape as another one, with what differs from query to query.
    ///
    /// - Parameter predicate: that of the other one with the constants of this query, normalized.
    init(_ query: borrowing Query, like known: borrowing ResolvedQuery, predicate: consuming TypedPredicate) {
        (frame, self.predicate) = (known.frame, predicate)
        predicateReadsRelations = known.predicateReadsRelations
        (limit, offset, sortSpace) = (query.limit, query.offset, query.sortSpace)
    }

    private mutating func resolveOrder(_ query: Query, schema: Schema) throws(QueryError) {
        var keys: [ResolvedSortKey] = []
        for key in query.sort {
            if key.isIdentifier(of: entity) {
                rowIDDirection = key.direction
                break
            }
            keys.append(
                ResolvedSortKey(
                    path: try orderedPath(key.path, schema: schema), direction: key.direction, form: key.form))
            if key.form != .exact, keys.last?.path.type != .string {
                throw QueryError(.typeMismatch("only strings have a folded or localized order"), part: key.path)
            }
        }
        if let name = query.section {
            let path = try orderedPath(name, schema: schema)
            section = path
            let key = keys.first { $0.path == path }
            order.append(
                ResolvedSortKey(path: path, direction: key?.direction ?? .ascending, form: key?.form ?? .exact))
        } else if query.result == .sections {
            throw QueryError(.invalidQuery("sections need a section key path"))
        }
        for key in keys where !order.contains(where: { $0.decides(key) }) { order.append(key) }
    }

    private mutating func resolveColumns(_ query: Query, schema: Schema) throws(QueryError) {
        guard let names = query.columns else {
            let visible = entity.properties.indices.filter { !entity.properties[$0].isHidden }
            columns = visible.map { PropertyPath($0, of: entity) }
            return
        }
        for name in names { columns.append(try path(name, schema: schema)) }
    }

    private func orderedPath(_ name: String, schema: Schema) throws(QueryError) -> PropertyPath {
        let path = try path(name, schema: schema)
        guard path.type.isOrdered else {
            throw QueryError(.typeMismatch("values of type \(path.type) have no order"), part: name)
        }
        return path
    }

    /// A property of exactly this name wins over a key path with dots, and that over a function: there are names with
    /// parentheses.
    private func path(_ name: String, schema: Schema) throws(QueryError) -> PropertyPath {
        if entity.position(of: name) != nil { return try PropertyPath([name], in: entity) }
        guard SortKey.isFunction(name) else { return try keyPath(name, schema: schema) }
        if let path = try? keyPath(name, schema: schema) { return path }
        return try function(name, schema: schema)
    }

    private func keyPath(_ name: String, schema: Schema) throws(QueryError) -> PropertyPath {
        let names = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try TreeDepth.check(path: names)
        switch try TypeChecker(entity: entity, schema: schema).keyPath(names) {
        case .property(let path): return path
        case .related(let hops, .property(let leaf)): return PropertyPath(hops, leaf: leaf)
        default: throw QueryError(.typeMismatch("the path leads to a row, not to a value"), part: name)
        }
    }

    private func function(_ text: String, schema: Schema) throws(QueryError) -> PropertyPath {
        let expression = try PredicateParser.expression(text)
        let typed = try TypeChecker(entity: entity, schema: schema).typed(expression, beside: nil)
        guard let call = PathCall(typed) else {
            throw QueryError(
                .unsupported("anything but a key path, or one function of a key path, such as length(name)"), part: text
            )
        }
        return PropertyPath(call)
    }
}

extension ResolvedQuery {
    /// Whether rows of other entities, or other rows of its own, take part.
    package var readsRelations: Bool { predicateReadsRelations || frame.readsRelations }

    /// Every path besides those of the predicate.
    private var relatedPaths: [PropertyPath] { order.map(\.path) + columns }

    /// The ways along relationships on which other rows are read, and what is read there.
    ///
    /// - Parameter schema: given where ways are wanted to the rows that references name, too.
    func relationReader(in schema: Schema? = nil) -> ChainReader {
        var reader = ChainReader(references: schema.map { (entity, $0) })
        reader.read(predicate, scopes: [[]])
        for case .some(let expression) in relatedPaths.map(\.related) { reader.read(expression, scopes: [[]]) }
        return reader
    }
}

/// A key of the order in force.
package struct ResolvedSortKey: Hashable, Sendable {
    package var path: PropertyPath
    package var direction: SortDirection
    package var form: StringForm

    /// Whether rows that are equal in this key are equal in `other` too: the exact form decides all forms, and nearly all
    /// functions of the value.
    func decides(_ other: ResolvedSortKey) -> Bool {
        if path == other.path { return form == .exact || form == other.form }
        return form == .exact && other.path.call?.argument == path && other.path.call?.isDecidedByArgument == true
    }
}

extension PathCall {
    /// Whether arguments that are equal in an order have equal results: not `-0.0` and `0.0`, or `1.0` and `1.00`, as
    /// texts, and not texts of equal characters in capital letters, where a mark can become a letter and then stands
    /// before another mark or behind it, or as URLs, which are made of scalars.
    var isDecidedByArgument: Bool {
        let type = argument.type
        guard !type.isFloatingPoint, type != .decimal, type.isOrdered else { return false }
        return function.function != .uppercase && function.function != .toURL
    }
}

extension ResolvedSortKey: CustomStringConvertible {
    package var description: String {
        let form = form == .exact ? "" : " (\(form.rawValue))"
        return (direction == .descending ? "-" : "") + path.description + form
    }
}
