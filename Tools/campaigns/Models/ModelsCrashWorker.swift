import ArgumentParser
import Foundation
import Loam
import SeededRandom

/// The process that is killed: contexts on several threads change models for ever, in saves that are whole each.
///
/// Its lines: `ready` once it begins; `done THREAD SAVE` after a save has returned; `failed TEXT`.
struct ModelsCrashWorker: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "models-crash-worker", shouldDisplay: false)

    @Argument var store: String
    @Option var seed: UInt64
    @Option var threads: Int

    func run() throws {
        do {
            let container = try CrashPlayers.open(store)
            for thread in 0..<threads { try CrashPlayers.prepare(thread, in: ModelContext(container)) }
            say("ready")
            for thread in 0..<threads { start(thread, container) }
            while true { pause() }
        } catch {
            say("failed \(error)")
            throw ExitCode.failure
        }
    }

    private func start(_ thread: Int, _ container: ModelContainer) {
        let seed = seed
        Thread.detachNewThread {
            do {
                let context = ModelContext(container)
                var random = SeededGenerator(seed: seed, stream: UInt64(thread))
                while true {
                    let save = try CrashPlayers.change(thread, in: context, &random)
                    try context.save()
                    say("done \(thread) \(save)")
                }
            } catch {
                say("failed thread \(thread): \(error)")
                Foundation.exit(EXIT_FAILURE)
            }
        }
    }
}

/// The models that the worker writes, by which its parent can tell a whole save from a part of one.
///
/// Each thread has a ledger, a player whose score counts the thread's saves and whose nick names the players that the
/// last one changed. All of those have the save's number as score and are in the team that the number says. Teams are
/// shared by all threads, players are not.
enum CrashPlayers {
    static let teams = 3
    private static let playersPerThread = 12

    static func open(_ path: String) throws -> ModelContainer {
        try ModelContainer(
            for: Player.self, configurations: ModelConfiguration(url: URL(fileURLWithPath: path)))
    }

    static func ledgerKey(_ thread: Int) -> Int { -(thread + 1) }

    static func find<T: Keyed>(_ key: Int, in context: ModelContext) throws -> T? {
        try context.fetch(FetchDescriptor<T>(predicate: T.with(key: key))).first
    }

    /// Makes what is missing of the thread's ledger, its players and the teams.
    static func prepare(_ thread: Int, in context: ModelContext) throws {
        for key in 0..<teams where try find(key, in: context) as Team? == nil {
            context.insert(Team(key: key, title: "team \(key)"))
        }
        if try find(ledgerKey(thread), in: context) as Player? == nil {
            context.insert(Player(key: ledgerKey(thread), name: "ledger", score: 0))
        }
        try context.save()
    }

    /// Makes the changes of one save: players inserted, changed, moved to another team, some deleted. Returns its
    /// number.
    static func change(_ thread: Int, in context: ModelContext, _ random: inout SeededGenerator) throws -> Int {
        guard let ledger = try find(ledgerKey(thread), in: context) as Player?,
            let team = try find((ledger.score + 1) % teams, in: context) as Team?
        else { throw CampaignError("the ledger or a team of thread \(thread) is gone") }
        let save = ledger.score + 1
        var keys = Set<Int>()
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            keys.insert(thread * 1_000 + Int.random(in: 0..<playersPerThread, using: &random))
        }
        for key in keys {
            if let player = try find(key, in: context) as Player? {
                player.score = save
                player.team = team
            } else {
                let player = Player(key: key, name: String(repeating: "n", count: key % 700), score: save)
                player.team = team
                context.insert(player)
            }
        }
        if random.percent(30) {
            let key = thread * 1_000 + Int.random(in: 0..<playersPerThread, using: &random)
            if !keys.contains(key), let player = try find(key, in: context) as Player? { context.delete(player) }
        }
        ledger.score = save
        ledger.nick = keys.sorted().map(String.init).joined(separator: ",")
        return save
    }

    /// Throws where the store does not hold the acknowledged saves, each of them whole.
    static func verify(_ acknowledged: [Int], in context: ModelContext) throws {
        for (thread, save) in acknowledged.enumerated() {
            guard let ledger = try find(ledgerKey(thread), in: context) as Player? else {
                guard save == 0 else { throw CampaignError("the ledger of thread \(thread) is gone") }
                continue
            }
            guard ledger.score >= save else {
                throw CampaignError("thread \(thread) is at save \(ledger.score), and \(save) was acknowledged")
            }
            for key in (ledger.nick ?? "").split(separator: ",").compactMap({ Int($0) }) {
                let player = try find(key, in: context) as Player?
                guard let player, player.score == ledger.score, player.team?.key == ledger.score % teams,
                    player.team?.members.contains(player) == true
                else { throw CampaignError("save \(ledger.score) of thread \(thread) is there in part: player \(key)") }
            }
        }
    }
}
