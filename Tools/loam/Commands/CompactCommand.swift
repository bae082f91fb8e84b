import ArgumentParser
import LoamStorage

/// `loam compact`: makes a copy without free pages.
struct CompactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Write a copy of a store without its free pages.",
        discussion: """
            The copy is one consistent state; others may go on reading and writing meanwhile. It appears when it is \
            complete, readable by you alone.
            """)

    @OptionGroup var target: StoreArgument

    @Argument(help: "The copy, which must not exist yet.", completion: .file())
    var destination: String

    func run() throws {
        try target.files.refuse(destination)
        let store = try target.reading()
        let file = try ReplacedFile(path: destination, existing: .refused)
        try store.compact(into: file.output.descriptor, path: destination)
        try file.commit()
    }
}
