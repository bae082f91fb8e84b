import ArgumentParser
import Foundation
import LoamViews

/// Countries in a terminal, or in a browser.
@main struct World: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows countries to search, sort and mark, in the terminal or in a browser.",
        subcommands: [Show.self, Visit.self, Soak.self], defaultSubcommand: Show.self)
}

/// Where the countries are.
struct StoreOptions: ParsableArguments {
    @Option(help: "The store. Without one it is temporary.") var store: String?
    @Option(help: "The folder with countries.csv and cities.csv, for an empty store.") var samples: String?

    /// The samples of the project that the program was built in.
    private static var projectSamples: URL {
        URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../../Samples").standardizedFileURL
    }

    func open() throws -> WorldStore {
        try WorldStore(path: store, samples: samples.map { URL(fileURLWithPath: $0) } ?? Self.projectSamples)
    }
}

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the countries. Keys: arrows, letters to search, enter, tab to mark, escape, control-c.")

    @OptionGroup var place: StoreOptions
    @Flag(help: "Serve pages on 127.0.0.1 in place of the terminal.") var serve = false
    @Option(help: "The server's port; 0 for a free one.") var port = 0

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("A port is a number from 0 to 65535.") }
    }

    @MainActor func run() async throws {
        if !serve { _ = try TerminalDevice() }
        let store = try place.open()
        let signal: Int32?
        do {
            signal = try await serve ? Serving.run(store.container, port: port) : terminal(store.container)
            try store.container.mainContext.save()
        } catch {
            store.remove()
            throw error
        }
        store.remove()
        if let signal { Signals.end(by: signal) }
    }

    @MainActor private func terminal(_ container: ModelContainer) async throws -> Int32? {
        try await TerminalSession.run(ContentView().modelContainer(container))
    }
}

struct Visit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Marks a country in a store: a second process beside one that shows it.")

    @OptionGroup var place: StoreOptions
    @Argument(help: "The country's code: LA") var code: String
    @Flag(help: "Takes the mark away.") var not = false

    func run() async throws {
        guard try place.open().mark(code: code, visited: !not) else {
            throw ValidationError("There is no country with the code '\(code)'.")
        }
    }
}
