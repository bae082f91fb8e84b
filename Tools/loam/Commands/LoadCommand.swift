import ArgumentParser
import Foundation
import LoamStorage

/// `loam load`: reads a dump into a store.
struct LoadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Load a dump into a new store, or into one without its entities.",
        discussion: """
            Rows keep their ids, so a store that has given out the same ids refuses the dump. A dump of the loaded \
            store is the same, byte by byte.
            """)

    @OptionGroup var target: StoreArgument

    @Argument(help: "The dump; - reads standard input.", completion: .file())
    var file: String

    func run() throws {
        if file != "-" { try target.files.refuseOwn(file) }
        let source = file == "-" ? ByteSource(standardInput: ()) : try ByteSource(path: file)
        // The header is read before a store is made, so that a file that is no dump leaves none behind.
        var reader = try DumpReader(source)
        let store = try target.writing(createsFile: true)
        let progress = Progress("Loading", total: reader.header.rowCount)
        defer { progress.finish() }
        let count = try store.discardedOnFailure {
            try StoreDump.load(&reader, into: store) { progress.update($0) }
        }
        progress.finish()
        if Terminal.isError { Terminal.writeError("\(Grouped.text(count)) rows loaded.\n") }
    }
}
