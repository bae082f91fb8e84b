import ArgumentParser
import Foundation
import LoamStorage

/// `loam schema`: entities with their properties and indexes.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Show a store's entities, their properties and their indexes.")

    @OptionGroup var target: StoreArgument

    @Flag(help: "Write JSON.")
    var json = false

    func run() throws {
        let schema = try target.reading().read { $0.schema }
        let output = OutputStream.standard
        try output.write(
            json ? try SchemaText.json(schema) : SchemaText.text(schema, .standard))
        try output.flush()
    }
}
