import ArgumentParser
import Foundation
import SeededRandom

/// Spoils bytes of a store's file and checks the store in a child process, which may crash.
struct PagesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pages", abstract: "Spoil bytes of a store's file, and check it in a child process each time.",
        discussion: """
            LMDB trusts its pages, so the child may be ended by a signal; the campaign goes on. What must not happen: \
            the check finds nothing although the rows are others.
            """)

    @Argument(help: "The folder for the store.")
    var folder: String

    @Option(help: "How often.")
    var flips = 2000

    @Option(help: "What the store and the damages are derived from.")
    var seed: UInt64 = freshSeed()

    @Option(help: "Seconds that a check may take.")
    var limit = 20.0

    func run() throws {
        say("pages: seed \(seed)")
        let path = try StoreFolder.prepare(folder)
        try SmallStore.fill(WorkDurability.unsynced.open(path), seed: seed, steps: 6)
        var campaign = try PagesCampaign(path: path, limit: .seconds(limit))
        var random = SeededGenerator(seed: seed, stream: .max)
        let start = ContinuousClock.now
        for number in 1...max(1, flips) {
            try campaign.spoil(.random(fileBytes: campaign.fileBytes, &random))
            if number % 500 == 0 { say("  \(number): \(campaign.summary)") }
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        say("pages: \(flips) damages in \(String(format: "%.0f", seconds)) s: \(campaign.summary)")
        for damage in campaign.timeouts { say("timed out: \(damage)") }
        for miss in campaign.misses { say("missed: \(miss)") }
        if !campaign.misses.isEmpty { throw ExitCode.failure }
    }
}

/// The parent's side: it never maps the spoilt file itself.
struct PagesCampaign {
    private let path: String
    private let limit: Duration
    private let sound: [UInt8]
    private let content: String
    private var endings: [String: Int] = [:]
    private(set) var misses: [String] = []
    private(set) var timeouts: [String] = []

    init(path: String, limit: Duration) throws {
        let (ending, lines) = try Self.check(path, limit: limit)
        guard ending == .exited(0), let line = lines.last, line.hasPrefix("clean ") else {
            throw CampaignError("The sound store is not found clean: \(lines), \(String(describing: ending))")
        }
        (self.path, self.limit, content) = (path, limit, line)
        sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    var fileBytes: Int { sound.count }

    var summary: String {
        endings.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }

    mutating func spoil(_ damage: PageDamage) throws {
        try write(damage.bytes(in: sound), at: damage.range.lowerBound)
        let (ending, lines) = try Self.check(path, limit: limit)
        try write(Array(sound[damage.range]), at: damage.range.lowerBound)
        endings[judge(ending, lines, damage), default: 0] += 1
    }

    private mutating func judge(_ ending: ChildProcess.Ending?, _ lines: [String], _ damage: PageDamage) -> String {
        guard let ending else {
            timeouts.append("\(damage)")
            return "timed out"
        }
        if case .signal(let number) = ending { return "ended by signal \(number)" }
        guard let line = lines.last else { return "without a word, \(ending)" }
        guard line.hasPrefix("clean ") else { return String(line.prefix { $0 != " " }) }
        if line == content { return "clean" }
        if damage.isInMetaPage { return "in the state before" }
        misses.append("\(damage): found clean, with other rows")
        return "MISSED"
    }

    /// - Returns: a nil ending where the child took too long.
    private static func check(
        _ path: String, limit: Duration
    ) throws -> (ending: ChildProcess.Ending?, lines: [String]) {
        let child = try ChildProcess(["pages-worker", path], silencesErrors: true)
        let lines = try child.lines(until: .now + limit)
        let isLate = !child.isAtEnd
        if isLate { child.killAtOnce() }
        let ending = child.wait()
        return (isLate ? nil : ending, lines)
    }

    private func write(_ bytes: [UInt8], at offset: Int) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: bytes)
        try file.close()
    }
}
