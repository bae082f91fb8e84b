import ArgumentParser
import Foundation
import LoamStorage

/// `loam schema`: shows entities with their properties and indexes, or drops some.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Show a store's entities, their properties and their indexes, or drop some.",
        usage: """
            loam schema <store> [--json]
                   loam schema <store> drop <name> [--yes]
            """,
        discussion: """
            What a program's models lack stays in the store, for programs of another version. drop takes it away for \
            good: an entity, or a property, a relationship, a unique constraint or an index of one. It says what goes \
            with it, and asks.

            Examples:
              loam schema trips.loam
              loam schema trips.loam drop Trip.rating
              loam schema trips.loam drop 'Trip.unique code' --yes
              loam schema trips.loam drop Guide
            """)

    enum Action: String, CaseIterable, ExpressibleByArgument {
        case show, drop
    }

    @OptionGroup var target: StoreArgument

    @Argument(help: "show or drop.")
    var action: Action = .show

    @Argument(help: "With drop: ENTITY, or ENTITY.NAME with the name of a property, a relationship or an index.")
    var name: String?

    @Flag(help: "With drop: do not ask.")
    var yes = false

    @Flag(help: "Write JSON.")
    var json = false

    func validate() throws {
        guard (action == .drop) == (name != nil) else {
            throw ValidationError("Write: loam schema STORE drop NAME, or loam schema STORE.")
        }
        guard action == .drop || !yes else { throw ValidationError("--yes belongs to drop.") }
        guard action == .show || !json else { throw ValidationError("--json shows the schema; it drops nothing.") }
    }

    func run() throws {
        if let name { try drop(name) } else { try show() }
    }

    private func drop(_ name: String) throws {
        let store = try target.writing()
        let drop = try store.read { try SchemaDrop(name, in: $0) }
        Terminal.writeError(Printable.escaped(drop.summary) + "\n")
        guard try yes || Terminal.confirms("Drop it for good?") else {
            Terminal.writeError("Nothing was dropped.\n")
            throw ExitCode.failure
        }
        try store.apply(drop.change)
    }

    private func show() throws {
        let schema = try target.reading().read { $0.schema }
        let output = OutputStream.standard
        try output.write(
            json ? try SchemaText.json(schema) : SchemaText.text(schema, .standard))
        try output.flush()
    }
}
