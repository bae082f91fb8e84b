import ArgumentParser
import LoamStorage

/// Lets several processes and threads write the same rows, and looks whether every acknowledged write is there.
struct ConcurrentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "concurrent", abstract: "Write the same rows from several processes and threads.",
        discussion: """
            Each thread writes a field of its own, merged property by property, and all of them increment a counter \
            under the error policy, again after each conflict. Meanwhile and at the end the store is checked.
            """)

    @Argument(help: "The folder for the store.")
    var folder: String

    @Option(help: "How long they write.")
    var seconds = 60.0

    @Option(help: "Writing processes.")
    var processes = 2

    @Option(help: "Threads of each process.")
    var threads = 4

    @Option(help: "What the writes are derived from.")
    var seed: UInt64 = freshSeed()

    @Option(help: "How far a save goes to the disk: durable, recent or unsynced.")
    var durability = WorkDurability.recent

    func validate() throws {
        guard seconds > 0, processes > 0, threads > 0 else { throw ValidationError("Numbers must be above 0.") }
    }

    func run() throws {
        say("concurrent: seed \(seed)")
        let path = try StoreFolder.prepare(folder)
        let store = try durability.open(path)
        try SharedRows(writers: processes * threads).create(in: store)
        let children = try (0..<processes).map { process in
            try ChildProcess([
                "concurrent-worker", path, "--seed", "\(seed)", "--first-writer", "\(process * threads)", "--threads",
                "\(threads)", "--seconds", "\(seconds)", "--durability", durability.rawValue,
            ])
        }
        var tally = ConcurrentTally()
        var checks = 0
        for child in children {
            while !child.isAtEnd {
                try tally.read(child.lines(until: .now + .seconds(5)))
                checks += 1
                try tally.add(store.check())
            }
        }
        for child in children { tally.add(child.wait()) }
        try tally.compare(with: store)
        for fault in tally.faults.prefix(20) { say("fault: \(fault)") }
        say(
            "concurrent: \(processes) processes, \(threads) threads each, \(seconds) s: \(tally.saves) saves, "
                + "\(tally.increments) of them increments with \(tally.retries) retries, \(checks) checks, "
                + "\(tally.faults.count) faults")
        if !tally.faults.isEmpty { throw ExitCode.failure }
    }
}

/// Compares the writes that were acknowledged with what the store holds.
struct ConcurrentTally {
    private var written: [Int: [Int: Int]] = [:]
    private var counted: [Int: Int] = [:]
    private(set) var saves = 0
    private(set) var retries = 0
    private(set) var faults: [String] = []

    var increments: Int { counted.values.reduce(0, +) }

    mutating func read(_ lines: [String]) throws {
        for line in lines {
            let words = line.split(separator: " ")
            let numbers = words.dropFirst().compactMap { Int($0) }
            switch (words.first, numbers.count) {
            case ("wrote", 3): written[numbers[0], default: [:]][numbers[1]] = numbers[2]
            case ("counted", 3): counted[numbers[1], default: 0] += numbers[2]
            case ("retried", 2): retries += numbers[1]
            case ("saved", 2): saves += numbers[1]
            default: faults.append(line)
            }
        }
    }

    mutating func add(_ report: CheckReport) {
        faults += report.faults.map { "check: \($0)" }
    }

    mutating func add(_ ending: ChildProcess.Ending) {
        if ending != .exited(0) { faults.append("a process ended with \(ending)") }
    }

    mutating func compare(with store: Store) throws {
        add(try store.check())
        let entity = try SharedRows.entity(in: try store.catalog())
        for (number, row) in try SharedRows.rowIDs(in: store).enumerated() {
            guard let values = try store.read({ try $0.values(row, of: entity) }) else {
                faults.append("row \(number) is gone")
                continue
            }
            let found = Dictionary(uniqueKeysWithValues: zip(entity.properties.map(\.name), values))
            if found["counter"] != .int(Int64(counted[number] ?? 0)) {
                faults.append("row \(number) counts \(found["counter"] ?? .null), not \(counted[number] ?? 0)")
            }
            for (writer, rows) in written {
                let expected = rows[number].map { SharedRows.value(writer, $0) } ?? .null
                if found[SharedRows.field(writer)] != expected {
                    faults.append("row \(number) lost the last write of writer \(writer)")
                }
            }
        }
    }
}
