import ArgumentParser
import LoamStorage

/// `loam info`: shows what a store holds and how big it is.
struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show a store's entities, sizes, format, last transaction and readers.")

    @OptionGroup var target: StoreArgument

    @Flag(help: "Write JSON, sizes in bytes.")
    var json = false

    func run() throws {
        let info = try target.reading().info()
        let output = OutputStream.standard
        try output.write(json ? JSONOutput.text(info) : InfoText.text(info, .standard))
        try output.flush()
    }
}
