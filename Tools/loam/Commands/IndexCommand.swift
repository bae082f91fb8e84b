import ArgumentParser
import LoamStorage

/// `loam index`: lists, adds, drops, rebuilds and analyzes indexes.
struct IndexCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "List, add, drop, rebuild or analyze indexes.",
        usage: """
            loam index <store> list [--json]
                   loam index <store> add <entity> <a,-b> [--unique] [--fold <a>]...
                   loam index <store> add <entity> <a> --trigrams
                   loam index <store> drop <name>
                   loam index <store> rebuild [<name>]
                   loam index <store> analyze [<name>]
            """,
        discussion: """
            Examples:
              loam index flights.loam list
              loam index flights.loam add flights origin,-time_hour
              loam index flights.loam add flights 'length(dest),-distance'
              loam index flights.loam add flights 'startOfDay(time_hour, "America/New_York")'
              loam index flights.loam add flights tailnum --trigrams
              loam index flights.loam drop flights.origin,-time_hour
              loam index flights.loam rebuild
              loam index flights.loam analyze

            To analyze is to count the values of indexes, for plans of queries that nothing better is known for.
            """)

    enum Action: String, CaseIterable, ExpressibleByArgument {
        case list, add, drop, rebuild, analyze
    }

    @OptionGroup var target: StoreArgument

    @Argument(help: "list, add, drop, rebuild or analyze.")
    var action: Action = .list

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp(
            "For add, ENTITY and the keys, as in a,-b, or functions of them, as in 'lowercase(a)' or 'year(a, \"Europe/Berlin\")'; for drop, NAME; for "
                + "rebuild and analyze, NAME or nothing for all of them. "
                + "A name that several entities use is written ENTITY.NAME.",
            valueName: "arguments"))
    var arguments: [String] = []

    @Flag(help: "With add: no two rows may have the same values; rows with a nil among them may.")
    var unique = false

    @Option(
        help: ArgumentHelp(
            "With add: these of the keys are compared without case and diacritics, which serves [cd].", valueName: "a"))
    var fold: [NameList] = []

    @Flag(
        help:
            "With add: parts of a text are found by its trigrams, which serves CONTAINS[cd]. It takes several times the room of another index; an OR over several texts needs one for each, and for its other parts an index that serves them."
    )
    var trigrams = false

    @Flag(help: "With list: write JSON.")
    var json = false

    func validate() throws {
        if let option = arguments.first(where: { $0.hasPrefix("--") }) {
            throw ValidationError("Unknown option '\(Printable.escaped(option, limit: 60))'.")
        }
        let (counts, usage): (ClosedRange<Int>, String) =
            switch action {
            case .list: (0...0, "list")
            case .add: (2...2, "add ENTITY a,-b")
            case .drop: (1...1, "drop NAME")
            case .rebuild, .analyze: (0...1, "\(action.rawValue) [NAME]")
            }
        guard counts.contains(arguments.count) else { throw ValidationError("Write: loam index STORE \(usage).") }
        guard action == .add || (!unique && fold.isEmpty && !trigrams) else {
            throw ValidationError("--unique, --fold and --trigrams belong to add.")
        }
        guard !trigrams || (!unique && fold.isEmpty) else {
            throw ValidationError("--trigrams stands alone: it is of one text, without case and diacritics.")
        }
        guard action == .list || !json else { throw ValidationError("--json belongs to list.") }
        if action == .add { _ = try definition() }
    }

    func run() throws {
        switch action {
        case .list: try list()
        case .add: try add()
        case .drop: try drop()
        case .rebuild: try rebuild()
        case .analyze: try analyze()
        }
    }

    private func definition() throws -> IndexDefinition {
        guard let text = arguments.last, let keys = KeyList(argument: text) else {
            throw ValidationError("The keys of an index are names separated by commas, as in a,-b.")
        }
        if trigrams { return IndexDefinition(keys, kind: .trigrams, folded: Set(keys.keys.map(\.path))) }
        let folded = Set(fold.flatMap(\.names))
        if let name = folded.subtracting(keys.keys.map(\.path)).min() {
            throw ValidationError("--fold names '\(Printable.escaped(name, limit: 60))', which is no key of the index.")
        }
        return IndexDefinition(keys, kind: unique ? .unique : .ordered, folded: folded)
    }

    private func list() throws {
        let schema = try target.reading().read { $0.schema }
        let output = OutputStream.standard
        let all = schema.entities.flatMap { entity in entity.indexes.map { (entity, $0) } }
        if json {
            try output.write(JSONOutput.text(["indexes": all.map { IndexJSON($1, of: $0) }]))
        } else {
            for (entity, index) in all {
                try output.write(Printable.escaped("\(entity.name).\(SchemaText.text(index))") + "\n")
            }
        }
        try output.flush()
    }

    private func add() throws {
        let store = try target.writing()
        let entity = try store.read { try $0.schema.requireEntity(arguments.first ?? "") }
        let definition = try definition()
        for component in definition.components { try entity.requireProperty(component.keyPath) }
        try withProgress("Building") { progress in
            try store.apply(.addIndex(definition, to: entity.name)) { rows, _ in progress.show(rows) }
        }
    }

    private func drop() throws {
        let store = try target.writing()
        let (entity, index) = try store.read { try $0.schema.requireIndex(arguments.first ?? "") }
        try store.apply(.dropIndex(index.name, from: entity.name))
    }

    private func rebuild() throws {
        let store = try target.writing()
        var chosen = try chosenIndexes(store.read { $0.schema })
        // An index that this version cannot rebuild comes last, so that the others are rebuilt before the error.
        chosen = chosen.filter(\.index.isUnderstood) + chosen.filter { !$0.index.isUnderstood }
        for (entity, index) in chosen {
            try withProgress("Rebuilding \(Printable.escaped(index.name, limit: 40))") { progress in
                try store.apply(.rebuildIndex(index.name, of: entity.name)) { rows, _ in progress.show(rows) }
            }
        }
    }

    private func analyze() throws {
        let store = try target.writing()
        let chosen = try chosenIndexes(store.read { $0.schema })
        for (_, index) in chosen {
            try withProgress("Analyzing \(Printable.escaped(index.name, limit: 40))") { _ in
                _ = try store.analyze([index])
            }
        }
    }

    /// The index that is named; all indexes where none is.
    private func chosenIndexes(_ schema: Schema) throws -> [(entity: Entity, index: Index)] {
        if let name = arguments.first { return [try schema.requireIndex(name)] }
        return schema.entities.flatMap { entity in entity.indexes.map { (entity: entity, index: $0) } }
    }

    private func withProgress(_ label: String, _ body: (Progress) throws -> Void) throws {
        let progress = Progress(label)
        defer { progress.finish() }
        try body(progress)
    }
}
