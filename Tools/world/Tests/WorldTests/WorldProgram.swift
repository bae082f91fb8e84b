import Foundation
import Testing

@testable import world

/// The program that is tested, and stores for it.
enum WorldProgram {
    /// Its file, which stands beside that of the tests.
    static func path() throws -> String {
        let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let candidates = [products, URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()]
        return try #require(
            candidates.map { $0.appending(path: "world").path }.first(where: FileManager.default.isExecutableFile))
    }

    /// Runs it to its end; its status, and what it has written to both outputs.
    static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: try path())
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (pipe, pipe)
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}

/// A folder with a small store.
final class SmallWorld: Sendable {
    let folder: URL
    var path: String { folder.appending(path: "small.loam").path }

    /// A name that would clear a terminal, end a script and end an event.
    static let hostileName = "Zz\u{1B}[2J\u{9B}31m</script><b>\n\ndata: x\u{202E}"

    /// Countries: Laos, 日本 and Chad, with numbered ones, and one with a hostile name where that is asked for.
    init(isHostile: Bool = false, more: Int = 0) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "world-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let store = try open()
        try store.fill { insert in
            insert(Country(code: "LA", name: "Laos", continent: "Asia", capital: "Vientiane", population: 7_061_507))
            insert(Country(code: "JP", name: "日本", continent: "Asia", capital: "東京", population: 126_529_100))
            insert(Country(code: "TD", name: "Chad", continent: "Africa", capital: "N'Djamena", population: 15_477_751))
            if isHostile {
                insert(Country(code: "ZZ", name: Self.hostileName, continent: "Zz", capital: Self.hostileName))
            }
            for number in 0..<more {
                insert(Country(code: "N\(number)", name: "Number \(number)", continent: "Numbers"))
            }
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func open() throws -> WorldStore { try WorldStore(path: path, samples: nil) }

    /// Marks a country from another process.
    func visitElsewhere(_ code: String) throws {
        let result = try WorldProgram.run(["visit", code, "--store", path])
        #expect(result.status == 0, "\(result.output)")
    }
}
