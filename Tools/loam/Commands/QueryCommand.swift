import ArgumentParser
import LoamQuery
import LoamStorage

/// `loam query`: rows of an entity, their number, their sections, or the plan that finds them.
struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Find rows of an entity; print them, count them or explain how they are found.",
        discussion: """
            The predicate is written in Core Data's format: =, !=, <, <=, >, >=, BETWEEN {a, b}, IN {a, b}, BEGINSWITH, \
            ENDSWITH, CONTAINS, LIKE, MATCHES (with [c], [d] or [cd] to ignore case and diacritics), AND, OR, NOT, nil, \
            TRUEPREDICATE, arithmetic and parentheses. Nil equals only nil; it sorts first. A string compared with a \
            date is read as ISO 8601.

            csv, json and ndjson keep every digit; dates are ISO 8601 in UTC, data is base64, NaN and the infinities are \
            written NaN, Infinity and -Infinity. The table escapes control characters and cuts values at 60 columns.

            Examples:
              loam query f.loam flights --where 'dest = "HNL"' --sort=-distance
              loam query f.loam flights --section carrier
              loam query f.loam flights --where 'tailnum = nil' --count
            """)

    @OptionGroup var target: StoreArgument

    @Argument(help: "The entity whose rows are wanted.")
    var entity: String

    @Option(
        name: .customLong("where"), parsing: .unconditional,
        help: ArgumentHelp("Only rows for which this holds.", valueName: "format"))
    var predicate: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The order: keys, a minus means descending.", valueName: "a,-b"))
    var sort: KeyList?

    @Option(
        help: ArgumentHelp(
            "Group rows by this key, which leads the order. Without --columns, print each section with its number of rows.",
            valueName: "key"))
    var section: String?

    @Option(help: ArgumentHelp("Print at most this many rows (or sections).", valueName: "n"))
    var limit: Int?

    @Option(help: ArgumentHelp("Leave out this many rows (or sections) at the start.", valueName: "n"))
    var offset: Int = 0

    @Option(help: ArgumentHelp("The keys to print; all properties without it.", valueName: "a,b"))
    var columns: NameList?

    @Flag(help: "Print the number of rows alone.")
    var count = false

    @Flag(help: "Print the plan and the work that it took, not the rows.")
    var explain = false

    @Option(help: ArgumentHelp("How rows are written.", valueName: "format"))
    var output: OutputFormat = .table

    func validate() throws {
        guard limit ?? 0 >= 0, offset >= 0 else { throw ValidationError("--limit and --offset are not negative.") }
        guard !count || section == nil else {
            throw ValidationError("--count gives one number; --section prints the count of each section.")
        }
        guard !count || columns == nil else { throw ValidationError("--count prints no columns.") }
    }

    func run() throws {
        let query = try makeQuery()
        let stream = OutputStream.standard
        try target.reading().read { snapshot in
            _ = try snapshot.schema.requireEntity(entity)
            let plan = try Planner.plan(query, in: snapshot)
            switch query.result {
            case _ where explain: try stream.write(explanation(of: plan, in: snapshot))
            case .count:
                var work = Work()
                try stream.write("\(plan.count(in: snapshot, work: &work))\n")
            case .sections: try writeSections(of: plan, in: snapshot, to: stream)
            case .rows: try writeRows(of: plan, in: snapshot, to: stream)
            }
        }
        try stream.flush()
    }

    private func makeQuery() throws -> Query {
        let keys = sort?.keys.map { SortKey($0.path, $0.direction) } ?? []
        let kind: ResultKind = count ? .count : section != nil && columns == nil ? .sections : .rows
        var paths = columns?.names
        if let section, let given = paths, !given.contains(section) { paths = [section] + given }
        return Query(
            entity: entity, predicate: try predicate.map { try PredicateParser.parse($0) }, sort: keys, limit: limit,
            offset: offset, columns: paths, section: section, result: kind)
    }

    private func writeRows(of plan: Plan, in snapshot: Snapshot, to stream: OutputStream) throws {
        let columns = plan.query.columns.map { OutputColumn(name: $0.names.joined(separator: "."), type: $0.type) }
        var writer = try output.writer(columns, to: stream, style: Style(hasColours: Terminal.hasColours))
        var work = Work()
        try plan.execute(in: snapshot, work: &work) { _, values in
            try writer.append(values)
            return true
        }
        try writer.finish()
    }

    private func writeSections(of plan: Plan, in snapshot: Snapshot, to stream: OutputStream) throws {
        var work = Work()
        let sections = try plan.sections(in: snapshot, work: &work).dropFirst(offset).prefix(limit ?? .max)
        let columns = [
            OutputColumn(name: section ?? "", type: plan.query.section?.type ?? .string),
            OutputColumn(name: "count", type: .int64),
        ]
        var writer = try output.writer(columns, to: stream, style: Style(hasColours: Terminal.hasColours))
        for section in sections { try writer.append([section.value, .int(Int64(section.count))]) }
        try writer.finish()
    }

    /// The plan with the work that it took; the rows are found and dropped.
    private func explanation(of plan: Plan, in snapshot: Snapshot) throws -> String {
        var work = Work()
        switch plan.query.result {
        case .count: _ = try plan.count(in: snapshot, work: &work)
        case .sections: _ = try plan.sections(in: snapshot, work: &work)
        case .rows: try plan.execute(in: snapshot, work: &work) { _, _ in true }
        }
        let lines = plan.explanation(with: work).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { Printable.escaped(String($0)) }.joined(separator: "\n") + "\n"
    }
}
