import LoamLive
import LoamQuery
import LoamStorage
import SeededRandom
import Synchronization

/// One step after the other over the open results.
struct LiveSchedule {
    private let path: String
    private let stores: [LiveRows]
    private let queries: [Query]
    private let count: Int
    private var random: SeededGenerator
    private var shown: [ShownResult] = []
    private let groups: ShownGroups
    /// States that are kept, with what they show.
    private var kept: [(state: ResultState, rows: SectionedRows)] = []
    private var tally = ShownResult.Tally()

    private var (saves, changed, foreign, recalls, virtual) = (0, 0, 0, 0, 0)
    /// How often closed results were brought up by what was worked out before a commit was made.
    private var foreseen = 0
    private let foresight: Foresight

    init(_ path: String, results: Int, seed: UInt64) throws {
        self.path = path
        random = SeededGenerator(seed: seed)
        let store = try Store.open(path: path, options: LiveRows.options)
        try LiveRows.create(in: store)
        stores = [try LiveRows(store), try LiveRows(Store.open(path: path, options: LiveRows.options))]
        queries = try LiveRows.queries()
        count = results
        foresight = Foresight(store)
        for _ in 0..<30 { try store.save(stores[0].changes(&random, atMost: 8)) }
        groups = try ShownGroups(in: stores)
        for _ in 0..<count { try open() }
        // Behind the engine's, which is there from the first result on.
        foresight.begin(with: shown.map(\.live))
    }

    var faults: [String] { tally.faults }

    var text: String {
        "\(saves) saves and \(foreign) of another process, \(tally.deliveries) deliveries of which "
            + "\(tally.resets) resets, \(changed) queries changed in place, \(virtual) virtual results, \(recalls) times without snapshots, "
            + "\(foreseenRounds) rounds foreseen, \(groups.work.placed) changes of groups and \(groups.work.reads) readings of them"
    }

    /// What should have been done and was not, as a participle.
    var idleParts: [String] {
        [
            (foreseenRounds, "foreseen"), (foreign, "saved by another process"), (changed, "asked anew in place"),
            (recalls, "taken away"),
            (virtual, "virtual"), (groups.work.placed, "taken into groups"), (tally.deliveries, "delivered"),
        ].filter { $0.0 == 0 }.map(\.1)
    }

    private var foreseenRounds: Int { shown.reduce(foreseen) { $0 + $1.live.foreseenRounds } }

    private mutating func open() throws {
        let query = queries[Int.random(in: queries.indices, using: &random)]
        let store = stores[Int.random(in: 0..<2, using: &random)].store
        let live = try LiveResult(query, in: store, isPlacedWhereTold: Bool.random(using: &random)) { _ in }
        if case .virtual = live.kind { virtual += 1 }
        shown.append(ShownResult(live))
    }

    mutating func step(_ step: Int) throws {
        let place = Int.random(in: shown.indices, using: &random)
        switch Int.random(in: 0..<1_000, using: &random) {
        case 0..<450: try save()
        case 450..<750: try look(at: place)
        case 750..<850:
            shown[place].live.place()
            shown[place].take(&tally)
        case 850..<900:
            changed += 1
            try shown[place].live.change(to: queries[Int.random(in: queries.indices, using: &random)])
        case 900..<950:
            if Bool.random(using: &random) { shown[place].live.cancel() }
            foreseen += shown.remove(at: place).live.foreseenRounds
            try open()
        case 950..<985: keep(shown[place].live.state)
        case 985..<990: try loseSnapshots()
        case 990: try saveElsewhere()
        default:
            let number = Int.random(in: 0..<8, using: &random)
            try stores[number % 2].store.save(stores[0].changes(&random, atMost: 80))
        }
        if step % 20 == 0 { tally.faults += try groups.faults(in: stores[0].store, refreshes: false) }
        if step % 500 == 0 { for place in shown.indices { try look(at: place) } }
    }

    // MARK: Changes

    private mutating func save() throws {
        saves += 1
        let rows = stores[Int.random(in: 0..<2, using: &random)]
        let isForeseen = Bool.random(using: &random)
        foresight.isAwaited.store(isForeseen, ordering: .relaxed)
        try rows.store.save(rows.changes(&random, atMost: isForeseen ? 2 : 6))
        foresight.isAwaited.store(false, ordering: .relaxed)
    }

    /// Another process saves, and all results follow it.
    private mutating func saveElsewhere() throws {
        let saves = Int.random(in: 1...4, using: &random)
        let worker = try ChildProcess(["live-worker", path, "--seed", "\(random.next() >> 1)", "--saves", "\(saves)"])
        let lines = try worker.lines()
        let ending = worker.wait()
        if ending != .exited(0) { tally.faults.append("the other process: \(ending), \(lines)") }
        foreign += saves
        for place in shown.indices { try look(at: place, refreshes: true) }
        tally.faults += try groups.faults(in: stores[0].store, refreshes: true)
    }

    /// To drop a database, the store waits until no snapshot of this process is open.
    private mutating func loseSnapshots() throws {
        recalls += 1
        let definition = IndexDefinition([.init("note"), .init("height")])
        try stores[0].store.apply(.addIndex(definition, to: "Town"))
        try stores[0].store.apply(.dropIndex("note,height", from: "Town"))
    }

    // MARK: Looking

    private mutating func keep(_ state: ResultState) {
        kept.append((state, SectionedRows(state)))
        guard kept.count > 8 else { return }
        let (state, rows) = kept.remove(at: Int.random(in: kept.indices, using: &random))
        if SectionedRows(state) != rows { tally.faults.append("a state that was kept shows other rows") }
    }

    private mutating func look(at place: Int, refreshes: Bool = false) throws {
        let live = shown[place].live
        if refreshes { live.refresh() }
        if Bool.random(using: &random) { live.place() }
        live.settle()
        shown[place].take(&tally)
        // Others may have saved meanwhile: nobody does here.
        tally.faults += try shown[place].faults(in: stores[0])
    }
}
