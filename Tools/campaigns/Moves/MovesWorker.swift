import ArgumentParser
import Foundation
import LMDB
import SeededRandom

/// One of the two writing processes. It prints `saved FILE WRITER NUMBER` for each acknowledged save, with the number
/// of the file that it has open; `told REASON` when it is told that files were moved; or `failed TEXT`.
struct MovesWorker: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "moves-worker", shouldDisplay: false)

    @Argument var store: String
    @Option var writer: Int
    @Option var seed: UInt64
    /// The path of a file that is made when the worker is to end.
    @Option var stop: String

    private var isStopped: Bool { FileManager.default.fileExists(atPath: stop) }

    func run() throws {
        var number = 0
        var random = SeededGenerator(seed: seed, stream: UInt64(writer))
        while !isStopped {
            do {
                try write(&number, &random)
            } catch let error as LMDBError where error.kind.tellsOfMoves {
                say("told \(error.kind)")
            } catch {
                say("failed writer \(writer): \(error)")
                return
            }
        }
    }

    /// Writes into the store that is at the path, until the worker is to end or is told of a move.
    private func write(_ number: inout Int, _ random: inout SeededGenerator) throws {
        let notes = try Notes(path: store)
        let file = try openFile()
        while !isStopped {
            number += 1
            try notes.insert(.init(writer: writer, number: number))
            say("saved \(file) \(writer) \(number)")
            // A writer that rests is not told of a move before the other one opens the path again, and may be refused.
            if random.percent(10) { usleep(UInt32.random(in: 0...60_000, using: &random)) }
            if random.percent(1) { usleep(1_500_000) }
        }
    }

    /// The number of the data file that this process has open, whatever its name is: the system is asked for it, not
    /// the store. The writer of the store that was open before may take a moment to close its file.
    private func openFile() throws -> UInt64 {
        for _ in 0..<10_000 {
            let found = try openFiles()
            if let file = found.keys.first, found.count == 1 { return file }
            usleep(1_000)
        }
        let files = try openFiles().sorted { $0.key < $1.key }.map { "\($0.key) at \($0.value)" }
        throw CampaignError("\(files.count) files are open: \(files.joined(separator: ", "))")
    }

    /// The paths of the data files that this process has open, as the system has them now, by their numbers.
    private func openFiles() throws -> [UInt64: String] {
        let name = URL(fileURLWithPath: store).lastPathComponent
        var found: [UInt64: String] = [:]
        for entry in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            guard let descriptor = Int32(entry),
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(entry)"),
                target.contains(name), !target.contains("-lock")
            else { continue }
            var status = stat()
            if fstat(descriptor, &status) == 0 { found[UInt64(status.st_ino)] = target }
        }
        return found
    }
}
