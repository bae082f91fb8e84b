import ArgumentParser
import Foundation
import LoamStorage

/// `loam compact`: a copy without free pages.
struct CompactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Write a copy of a store without its free pages.",
        discussion: "The copy is one consistent state; others may go on reading and writing meanwhile.")

    @OptionGroup var target: StoreArgument

    @Argument(help: "The copy, which must not exist yet.", completion: .file())
    var destination: String

    func run() throws {
        guard !FileManager.default.fileExists(atPath: destination) else {
            throw ArgumentError(.fileExists(destination))
        }
        try target.reading().compact(to: destination)
    }
}
