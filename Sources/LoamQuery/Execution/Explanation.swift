/// How a query is run, as a tree of operators: what each does, what it was expected to read, and what it read.
///
/// ```
/// City: rows where country == 'PE' AND name CONTAINS 'a', by -population, limit 10
///   limit 10 (estimated 10 rows; actual 10 rows)
///     filter name CONTAINS 'a' (estimated 10 rows; actual 10 of 143 rows)
///       fetch records in the order of the index (estimated 100 records, cost 1800; actual 143 records)
///         index country,-population, forwards, 1 range: country == 'PE' (estimated 100 entries, cost 18; …)
///   estimated 100 entries, 100 records, 10 rows, cost 1818
///   actual 1 range, 2 blocks, 143 entries, 143 records, 10 rows
/// ```
///
/// Rows go from the innermost operator to the outermost. In JSON, which is made and read by `Codable`, members are named
/// as the properties here, levels and kinds of operators by their raw values; what is nil is left out. JSON of a later
/// version is read, too: operators that are not known here keep their name, and members that are not are left out.
public struct Explanation: Hashable, Sendable {
    /// The version of the JSON that is written here. It grows where a member is added, or a kind of operator.
    public static let currentVersion = 3

    /// How much is told. Only ``work`` runs the query.
    public enum Level: String, Hashable, Sendable, Codable, CaseIterable {
        /// The operators.
        case plan
        /// And what they are expected to read.
        case estimates
        /// And what they have read and how long that took: the query is run, and its rows are dropped.
        case work
    }

    /// One step of a plan.
    public struct Operator: Hashable, Sendable, Codable {
        /// What an operator does. The raw values stand in texts and JSON; those of a later version may have others than
        /// these here.
        public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
            /// The name in texts and JSON.
            public let rawValue: String

            /// The kind of a name.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The rows of the result, as the root of the tree.
            public static let rows = Kind(rawValue: "rows")
            /// The number of rows, as the root of the tree.
            public static let count = Kind(rawValue: "count")
            /// The sections of the result, as the root of the tree.
            public static let sections = Kind(rawValue: "sections")
            /// Groups of rows: the root of the tree, and below it who makes them.
            public static let groups = Kind(rawValue: "groups")
            /// Passes on each combination of values once.
            public static let distinct = Kind(rawValue: "distinct")
            /// Passes on so many rows, or all, after so many others.
            public static let limit = Kind(rawValue: "limit")
            /// Reads records again, of rows that were sorted.
            public static let refetch = Kind(rawValue: "refetch")
            /// Sorts all rows.
            public static let sort = Kind(rawValue: "sort")
            /// Keeps the first so many rows of an order.
            public static let top = Kind(rawValue: "top")
            /// Sorts rows that are equal in the keys that an index serves.
            public static let partialSort = Kind(rawValue: "partial sort")
            /// Lays changes that are not saved yet over the stored rows.
            public static let pending = Kind(rawValue: "pending changes")
            /// Tests rows.
            public static let filter = Kind(rawValue: "filter")
            /// Reads the records of rows by their ids.
            public static let fetch = Kind(rawValue: "fetch")
            /// Reads records in the order of their ids.
            public static let table = Kind(rawValue: "table")
            /// Reads the records of rows that the query names.
            public static let lookUp = Kind(rawValue: "look-up")
            /// Reads ranges of an index one after another.
            public static let index = Kind(rawValue: "index")
            /// Reads ranges of an index side by side.
            public static let merge = Kind(rawValue: "merge")
            /// Reads ranges of an index behind each value of its first component.
            public static let skipScan = Kind(rawValue: "skip scan")
            /// The rows that any of several scans reaches, each once.
            public static let union = Kind(rawValue: "union")
            /// The rows that all of several scans reach.
            public static let intersection = Kind(rawValue: "intersection")
            /// The rows from which a relationship leads to others.
            public static let join = Kind(rawValue: "join")
            /// No row can match.
            public static let nothing = Kind(rawValue: "nothing")
            /// A search that turned out to be dear, and was left for the operators behind it.
            public static let abandoned = Kind(rawValue: "abandoned")
        }

        /// What it does.
        public var kind: Kind
        /// What it works on, in words.
        public var details: String
        /// The operators whose rows it takes.
        public var children: [Operator]
        /// Nil where the level is ``Level/plan``, or nothing is expected of it by itself.
        public var estimate: Estimate?
        /// Nil but where the level is ``Level/work``.
        public var actual: Actual?

        init(_ kind: Kind, _ details: String, over children: [Operator] = []) {
            (self.kind, self.details, self.children) = (kind, details, children)
        }
    }

    /// What an operator is expected to read and to give; nil where nothing is known by itself.
    public struct Estimate: Hashable, Sendable, Codable {
        /// Rows that it gives.
        public var rows: Int?
        /// Entries of an index.
        public var entries: Int?
        /// Records of rows.
        public var records: Int?
        /// What the planner takes it to cost by itself, without those whose rows it takes; of the root what all cost
        /// together. The unit is a record that a scan of the table reads.
        public var cost: Double?
    }

    /// What an operator did itself, without those whose rows it takes.
    public struct Actual: Hashable, Sendable, Codable {
        /// Rows that it took; nil where they are not counted.
        public var rowsIn: Int?
        /// Rows that it gave; nil where they are not counted.
        public var rowsOut: Int?
        /// Ranges of indexes that were sought.
        public var ranges = 0
        /// Blocks of indexes.
        public var blocks = 0
        /// Entries of indexes.
        public var entries = 0
        /// Numbers of rows that were told by sums, without looking at rows.
        public var sums = 0
        /// Records of rows.
        public var records = 0
        /// Rows that went through a sort.
        public var sorted = 0
        /// Of a sort whose rows exceeded its memory, the sorted runs that it wrote to a temporary file; nil of others.
        public var spilledRuns: Int?
        /// The bytes that it wrote, those of runs that were merged into longer ones once more; nil where none were.
        public var spilledBytes: Int?
        /// Rows with changes that are not saved yet, tested.
        public var pending = 0
        /// Of the whole: entries and records that were read in vain, by a search that was left.
        public var abandoned = 0
        /// Its own time.
        public var nanoseconds = 0
    }

    /// That of the JSON that it was read from; else ``currentVersion``.
    public let version: Int
    /// How much is told.
    public let level: Level
    /// The result; its details say what was asked, its estimate is that of the whole.
    public let root: Operator
    /// What all operators did together; nil but where the query was run. Entries and records of a search that was left
    /// are among it, and in ``Actual/abandoned`` besides.
    public internal(set) var total: Actual?
    /// Indexes that would have served: one, or where a condition has several parts one for each that lacks it. Empty
    /// where one serves, none would, or the rows are so few that it does not matter.
    public internal(set) var advice: [AdvisedIndex] = []
    /// The components of the first of ``advice``.
    public var advisedIndex: [String]? { advice.first?.components }

    init(_ root: Operator, level: Level) { (self.root, self.level, version) = (root, level, Self.currentVersion) }

    /// Sets the work of the whole, with the operators' time.
    mutating func setTotal(_ work: Work, rowsOut: Int?) {
        var total = Actual(work, rowsOut: rowsOut)
        for other in operators { total.nanoseconds += other.actual?.nanoseconds ?? 0 }
        self.total = total
    }
}

extension Explanation {
    /// The operators, from the outermost to the innermost; those below a join and in a search that was left, too.
    public var operators: [Operator] { root.withChildren }
}

extension Explanation.Operator {
    fileprivate var withChildren: [Self] { [self] + children.flatMap(\.withChildren) }
}
