import ArgumentParser
import LoamQuery
import LoamStorage

/// `loam query`: shows rows of an entity, their number, their sections, or the plan that finds them.
struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Find rows of an entity; print them, count them or explain how they are found.",
        discussion: """
            \(PredicateHelp.text)

            csv, json and ndjson keep every digit and character; dates are ISO 8601 in UTC, data is base64, NaN and the \
            infinities are written NaN, Infinity and -Infinity. JSON escapes characters that steer a terminal, which \
            changes no value; csv does so on a terminal only. The table always does, and cuts values at 60 columns.

            Rows are those of one save as long as the search is short and who reads the output keeps up, or the rest is \
            less than \(WriterThread.room >> 20) MiB. For a longer search, such as a sort of millions of rows, and for a \
            slower reader, such as a pager, other processes are not kept waiting: no state is kept for a second, the rest \
            is searched and read in steps, each from the newest save. No row comes twice, and none is missing that was \
            there all the time; a note says when saves came in between. --snapshot keeps to one save, and then the file \
            grows while others write. So it does for --count, --section without --columns, --group, --aggregate, \
            --distinct and --explain, which are always of one save, and while the target of a relationship is searched.

            Keys of --sort, --section, --columns and --group are names with dots between them, or one of the functions above \
            of such a key, as in startOfDay(time, 'Europe/Berlin'): an index over that function serves them. Texts are \
            sorted by code points, or, with any of these around the key, as \
            \(StringForm.words.keys.sorted().map { $0 + "(a)" }.joined(separator: ", ")) do in indexes, and as \
            \(StringForm.selectorWords.map { $0 + "(a)" }.joined(separator: ", ")) do in Core Data.

            Examples:
              loam query f.loam flights --where 'dest = "HNL"' --sort=-distance
              loam query f.loam flights --section carrier
              loam query f.loam flights --section 'startOfDay(time_hour)' --sort 'localized(carrier)'
              loam query f.loam flights --group carrier --aggregate 'count(),average(distance)' --having 'count() > 9'
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
        help: ArgumentHelp(
            """
            The order: keys, or functions of keys as in 'length(a),-year(b)'; a minus means descending. Texts come in \
            another order as in 'localized(a)'.
            """, valueName: "a,-b"))
    var sort: KeyList?

    @Option(
        help: ArgumentHelp(
            """
            Group rows by this key, or a function of it, which leads the order. Without --columns, print each section with \
            its number of rows.
            """, valueName: "key"))
    var section: String?

    @Option(help: ArgumentHelp("Print at most this many rows (or sections).", valueName: "n"))
    var limit: Int?

    @Option(help: ArgumentHelp("Leave out this many rows (or sections) at the start.", valueName: "n"))
    var offset: Int = 0

    @Option(help: ArgumentHelp("The keys to print; all properties without it.", valueName: "a,b"))
    var columns: NameList?

    @OptionGroup var grouping: GroupingArguments

    @Flag(help: "Print each combination of the columns' values once.")
    var distinct = false

    @Flag(help: "Print the number of rows alone.")
    var count = false

    @Flag(help: "Print the plan and what it is expected to read, not the rows.")
    var explain = false

    @OptionGroup var explanation: ExplanationArguments

    @Flag(
        help: """
            Print rows of one save however long the search and slow the reader of the output; the store's file may grow \
            meanwhile.
            """)
    var snapshot = false

    @Option(help: ArgumentHelp("How rows are written.", valueName: "format"))
    var output: OutputFormat = .table

    func validate() throws {
        guard limit ?? 0 >= 0, offset >= 0 else { throw ValidationError("--limit and --offset are not negative.") }
        guard !count || section == nil else {
            throw ValidationError("--count gives one number; --section prints the count of each section.")
        }
        guard !count || columns == nil else { throw ValidationError("--count prints no columns.") }
        guard !snapshot || !count else { throw ValidationError("--count is always of one save, without --snapshot.") }
        guard !distinct || !count && section == nil else {
            throw ValidationError("--distinct prints columns; it goes with neither --count nor --section.")
        }
        guard !grouping.isGiven || !count && !distinct && section == nil && columns == nil else {
            throw ValidationError(
                "--group and --aggregate print groups; they go with none of --count, --section, --columns and --distinct."
            )
        }
        guard !snapshot || !grouping.isGiven && !distinct else {
            throw ValidationError("--group, --aggregate and --distinct are always of one save, without --snapshot.")
        }
    }

    func run() throws {
        guard explains || !explanation.json else {
            throw ValidationError("--json goes with --explain; rows are written as JSON with --output json.")
        }
        guard explains || explanation.times else {
            throw ValidationError("--no-times goes with --explain; where rows are printed, no times are.")
        }
        guard !explains || output == .table else {
            throw ValidationError("--output is for rows; an explanation is written as JSON with --json.")
        }
        if grouping.isGiven { return try writeGroups() }
        let query = try makeQuery()
        let store = try target.reading()
        if distinct { return try writeDistinctRows(of: query, in: store) }
        guard query.result == .rows, !explains else { return try writeAnswer(to: query, of: store) }
        let output = WriterThread(.standard)
        let stream = OutputStream { try output.send($0) }
        do {
            try writeRows(of: query, in: store, to: stream, output)
        } catch {
            // The rows that were found before the error are worth reading, unless the output has failed.
            if !(error is OutputError) {
                try? stream.flush()
                try? output.waitUntilTaken()
            }
            throw error
        }
    }

    /// Writes an answer that is made in one piece before its first byte is written.
    private func writeAnswer(to query: Query, of store: Store) throws {
        let stream = OutputStream.standard
        let answer: Answer = try store.read { snapshot in
            _ = try snapshot.schema.requireEntity(entity)
            let plan = try Planner.plan(query, in: snapshot)
            if explains {
                return .text(
                    try explanation.text(of: plan.explanation(explanation.told, in: snapshot), store: target.store))
            }
            var work = Work()
            guard query.result == .sections else { return .text("\(try plan.count(in: snapshot, work: &work))\n") }
            return .sections(
                try plan.sections(in: snapshot, work: &work), type: plan.query.section?.type ?? .string)
        }
        switch answer {
        case .text(let text): try stream.write(text)
        case .sections(let sections, let type): try writeSections(sections, type, to: stream)
        }
        try stream.flush()
    }

    private enum Answer {
        case text(String)
        case sections([(value: Value, count: Int)], type: ValueType)
    }

    private func makeQuery() throws -> Query {
        let kind: ResultKind = count ? .count : section != nil && columns == nil ? .sections : .rows
        var paths = columns?.names
        let order = try GivenOrder(sort: sort, section: section)
        if let section = order.section, let given = paths,
            !given.contains(where: { SortKey($0).expression == SortKey(section).expression })
        {
            paths = [section] + given
        }
        return Query(
            entity: entity, predicate: try predicate.map { try FormatArgument.predicate($0) }, sort: order.keys,
            limit: limit, offset: offset, columns: paths, section: order.section, result: kind)
    }

    private func writeRows(
        of query: Query, in store: Store, to stream: OutputStream, _ output: WriterThread
    ) throws {
        _ = try store.read { try $0.schema.requireEntity(entity) }
        let rows = PacedRows(store: store, query: query, keepsSnapshot: snapshot)
        var (writer, saves) = try rows.write(to: output) {
            try self.output.writer($0, to: stream, style: .standard)
        }
        try writer.finish()
        if let note = saves.note, self.output == .table { try stream.write("(\(note))\n") }
        try stream.flush()
        try output.waitUntilTaken()
        if let note = saves.note, self.output != .table { Terminal.writeError("Note: \(note)\n") }
    }

    private func writeSections(
        _ sections: [(value: Value, count: Int)], _ type: ValueType, to stream: OutputStream
    ) throws {
        let columns = [
            OutputColumn(name: section ?? "", type: type), OutputColumn(name: "count", type: .int64),
        ]
        var writer = try output.writer(columns, to: stream, style: .standard)
        for section in sections.dropFirst(offset).prefix(limit ?? .max) {
            try writer.append([section.value, .int(Int64(section.count))])
        }
        try writer.finish()
    }

    /// Whether the plan is wanted in place of the rows.
    var explains: Bool { explain || explanation.level != nil }
}
