import ArgumentParser
import LoamLive
import LoamQuery
import LoamStorage

/// `loam watch`: shows rows of an entity, and what becomes of them as anybody saves.
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print rows of an entity, and then every change of them as it is saved.",
        discussion: """
            Prints the rows, with their places, and then a line for each row that comes, goes, moves or changes, and for \
            each section: when any process has saved something, at once, and then at most once a second, with all that \
            was saved meanwhile. Nothing is printed where no row of the result has changed. It keeps no writer waiting. \
            Where an index has the rows in their order, they are read in a state of the store that is held for some \
            saves: a watch that is stopped (Ctrl-Z) keeps its pages from being used again, until it goes on or ends. What \
            cannot be read is an error on standard error, and watching goes on.

            It ends when it is asked to, with Ctrl-C or SIGTERM and status 0, behind what is being printed (at once when \
            asked twice), and quietly when nobody reads its output any more.

            Places count from 0, without --section in a single section 0. In the table they are an item, or section/item.

            ndjson is one object in a line, each with a kind and the number of the save that it is of:
              state          the result at the start: count, and with --section the sections, each with value and count
              row            a row of that state: section, item, row (its id), values (null where it has just been deleted)
              delete         the row at section and item is gone
              moveFrom       the row at section and item is taken out, for a moveTo that follows
              deleteSection  the section of this number, empty by now, is gone
              insertSection  a section with this value comes in at this number, without rows
              insert         a row comes in at section and item, with values
              moveTo         a row that was taken out comes in at section and item, with values, and where it was in from
              update         the row at section and item has other values
              end            all lines of a state or of a difference are there: count, and with --explain kept
                             and trace: how the result is kept current, and what was done for that
              reset          anything may be different: as state, in place of all that was printed before
              error          a save could not be read: message; what was printed before stays until an end
            Lines are done one after the other: each says where a row is when the lines before it are done. A reset comes \
            where the store does not tell which rows a save has changed, as of 'loam import', and the result has more than \
            \(Grouped.text(WatchFeed.batchSize)) rows.

            Examples:
              loam watch f.loam flights --where 'dest = "HNL"' --sort=-distance --limit 10
              loam watch f.loam flights --section carrier --columns carrier,distance --output ndjson
            """)

    @OptionGroup var target: StoreArgument

    @Argument(help: "The entity whose rows are watched.")
    var entity: String

    @Option(
        name: .customLong("where"), parsing: .unconditional,
        help: ArgumentHelp("Only rows for which this holds; 'loam query --help' has the language.", valueName: "format")
    )
    var predicate: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The order: keys, or functions of keys, as 'loam query' takes them; a minus means descending.",
            valueName: "a,-b"))
    var sort: KeyList?

    @Option(
        help: ArgumentHelp(
            "Group rows by this key, or a function of it, which leads the order.", valueName: "key"))
    var section: String?

    @Option(help: ArgumentHelp("Watch the first so many rows.", valueName: "n"))
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "The keys to print; all properties without it. Changes of others are not shown.", valueName: "a,b"))
    var columns: NameList?

    @Flag(
        inversion: .prefixedNo,
        help: "Print the rows that are there at the start, and after a reset; without them, their number and sections.")
    var rows = true

    @Flag(help: "Print how the result is kept current, and what was done for that, behind each difference.")
    var explain = false

    @Option(help: ArgumentHelp("How rows and changes are written.", valueName: "format"))
    var output: WatchFormat = .text

    func validate() throws {
        guard limit ?? 0 >= 0 else { throw ValidationError("--limit is not negative.") }
    }

    func run() throws {
        let query = try makeQuery()
        let events = WatchEvents()
        events.followSignals()
        let store = try target.reading()
        _ = try store.read { try $0.schema.requireEntity(entity) }
        let live = try LiveResult(query, in: store) { _ in events.noteNews() }
        defer { live.cancel() }
        var feed = try WatchFeed(
            live, in: store, events: events, to: makeWriter(), showsRows: rows, explains: explain)
        events.begin()
        try feed.begin()
        while try events.wait() { try feed.goOn() }
    }

    private func makeQuery() throws -> Query {
        let order = try GivenOrder(sort: sort, section: section)
        return Query(
            entity: entity, predicate: try predicate.map { try FormatArgument.predicate($0) }, sort: order.keys,
            limit: limit, columns: columns?.names, section: order.section)
    }

    private func makeWriter() -> any WatchWriter {
        switch output {
        case .text: WatchTextWriter(entity: entity, to: .standard, style: .standard)
        case .ndjson: WatchJSONWriter(to: .standard)
        }
    }
}
