import ArgumentParser
import Foundation
import LoamStorage
import SeededRandom

/// The other process: saves now and then, leaves no row, and prints `saved TIMES`.
struct SoakWorker: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "soak-worker", shouldDisplay: false)

    @Argument var store: String
    @Option var seed: UInt64
    @Option var seconds: Double

    func run() throws {
        let end = ContinuousClock.now + .seconds(seconds)
        let rows = try SoakRows(Store.open(path: store, options: SoakRows.options))
        var writer = SoakWriter(rows, towns: 50, random: SeededGenerator(seed: seed))
        try writer.fill(reports: 10)
        var saves = 2
        while ContinuousClock.now < end {
            _ = try writer.save()
            saves += 1
            Thread.sleep(forTimeInterval: 5 * writer.pause())
        }
        try writer.clear()
        say("saved \(saves)")
    }
}
