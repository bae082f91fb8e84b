import ArgumentParser
import Foundation
import Loam

/// Shows Loam with two models: stores countries and cities, fetches them, and changes them while a result follows.
@main
struct Cities: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cities", abstract: "Store the sample countries and cities as models, and work with them.")

    @Argument(help: "The store to make.")
    var store: String

    @Argument(help: "The folder with countries.csv and cities.csv.")
    var samples: String

    @Option(help: "Only delete the city of this name from the store, which is there already.")
    var delete: String?

    func run() async throws {
        if let delete {
            let container = try Tour.open(URL(fileURLWithPath: store))
            return try await Editor(modelContainer: container).delete(delete)
        }
        try await Tour(store: URL(fileURLWithPath: store), samples: URL(fileURLWithPath: samples)).run()
    }
}
