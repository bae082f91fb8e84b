package import LoamStorage

/// What to fetch: which rows of an entity, in which order, and what of them.
///
/// ```
/// let query = Query(
///     entity: "City", predicate: try PredicateParser.parse("population > 1000000"),
///     sort: [SortKey("country"), SortKey("population", .descending)], limit: 20)
/// ```
package struct Query: Hashable, Sendable {
    package var entity: String
    package var predicate: QueryPredicate?
    /// Rows that are equal in all keys come in row id order, in the direction of the last key; without keys, ascending.
    package var sort: [SortKey]
    package var limit: Int?
    package var offset: Int
    /// Key paths whose values are handed out, or functions of these; nil for all properties, empty for the row id alone.
    package var columns: [String]?
    /// The key path that cuts the result into sections, or a function of one. It leads the order: in the direction and
    /// the form of the first sort key on the same path, ascending and exact where there is none. What is equal in the
    /// form is one section.
    package var section: String?
    /// The section of rows that have none: where it is given, ``PlacementRule`` places a nil as it places this value,
    /// so that both make one section. The plan's own order keeps them apart.
    package var sectionOfNil: Value?
    /// What the caller is going to ask of the plan; a plan for rows answers everything, only not as cheaply.
    package var result: ResultKind
    /// The room that the rows have where they are sorted. The result does not depend on it.
    package var sortSpace = SortSpace()
    /// Whether rows may come in any order where there is neither ``sort`` nor ``section``: to whoever takes them into
    /// groups. Then nothing is spent on the order of ids.
    package var isUnordered = false

    package init(
        entity: String, predicate: QueryPredicate? = nil, sort: [SortKey] = [], limit: Int? = nil, offset: Int = 0,
        columns: [String]? = nil, section: String? = nil, result: ResultKind = .rows
    ) {
        self.entity = entity
        self.predicate = predicate
        self.sort = sort
        self.limit = limit
        self.offset = offset
        self.columns = columns
        self.section = section
        self.result = result
    }
}

package enum ResultKind: Hashable, Sendable {
    case rows
    /// The number of rows, after offset and limit.
    case count
    /// The sections' values with their sizes, whatever offset and limit.
    case sections
}

/// One key of an order.
package struct SortKey: Hashable, Sendable {
    /// A property's name, a key path with dots, or a function of either as the format grammar writes it:
    /// `length(name)`, `startOfDay(time, 'Europe/Berlin')`.
    package var path: String
    package var direction: SortDirection
    /// In which form strings are compared.
    package var form: StringForm

    package init(_ path: String, direction: SortDirection = .ascending, form: StringForm = .exact) {
        self.path = path
        self.direction = direction
        self.form = form
    }

    /// The order of row ids, which leaves nothing open: keys behind it have no effect.
    package static func identifier(_ direction: SortDirection = .ascending) -> SortKey {
        SortKey(identifierPath, direction: direction)
    }

    /// The name of the row id in sort keys, the same as in predicates.
    static let identifierPath = "SELF"
}
