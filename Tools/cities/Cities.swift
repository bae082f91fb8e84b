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

    func run() async throws {
        try await Tour(store: URL(fileURLWithPath: store), samples: URL(fileURLWithPath: samples)).run()
    }
}
