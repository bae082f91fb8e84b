import Foundation
import LoamLive
import LoamQuery
import LoamStorage
import RandomQueries

/// Many results of one entity, each over a range of times of its own in the earlier half of all.
struct DisjointLists {
    /// The most threads, and readers, that many results may take more than one.
    static let mostMore = 4
    private static let routings = 100_000

    private let quakes: QuakeStore
    private let count: Int

    init(_ quakes: QuakeStore, count: Int) throws { (self.quakes, self.count) = (quakes, count) }

    func faults() throws -> [String] {
        let store = quakes.store
        var none: [LiveResult] = []
        let alone = try routing("no result", &none)
        var lists = [try open(0)]
        let (threads, readers) = (try ProcessUse.threads(), try store.info().readers.count)
        let one = try routing("1 result", &lists)
        let time = try milliseconds { for number in 1..<max(count, 1) { lists.append(try open(number)) } }
        say("\(lists.count) results opened in \(Int(time)) ms, \(lists.reduce(0) { $0 + $1.state.count }) rows")
        let more = (try ProcessUse.threads() - threads, try store.info().readers.count - readers)
        let many = try routing("\(lists.count) results", &lists)
        say(
            "threads +\(more.0), readers +\(more.1); what a save of rows that nobody shows costs: "
                + String(
                    format: "%.2f µs with one more than with none, %.2f µs with all more than with one", one - alone,
                    many - one))
        if let first = lists.first { try hub(first) }
        try updates(&lists)
        return max(more.0, more.1) > Self.mostMore
            ? ["\(count) results take \(more.0) threads and \(more.1) readers more than one"] : []
    }

    private func open(_ number: Int) throws -> LiveResult {
        let half = Double(quakes.dayCount) * 86_400 / 2
        let bounds = [number, number + 1].map {
            Value.date(quakes.time((half * Double($0) / Double(count)).rounded()))
        }
        let live = try LiveResult(
            Query(
                entity: "Quake", predicate: try PredicateParser.parse("time >= %@ AND time < %@", arguments: bounds),
                sort: [SortKey("time")]), in: quakes.store
        ) { _ in }
        live.start()
        return live
    }

    /// The microseconds of processor time, of all threads, for a save of one row that none of the results shows.
    private func routing(_ name: String, _ lists: inout [LiveResult]) throws -> Double {
        let (rows, entity, felt) = try later(4_000)
        var best = Double.infinity
        for turn in 0..<5 {
            let start = Self.processorTime
            for (number, rowID) in rows.enumerated() {
                var batch = WriteBatch(policy: .storeWins)
                batch.update(rowID, of: entity.id, base: nil, changes: [felt: .int(Int64(turn * 7 + number % 7))])
                try quakes.store.save(batch)
            }
            lists.first?.settle()
            best = min(best, (Self.processorTime - start) / Double(max(rows.count, 1)) * 1e6)
        }
        say("a save of a row of no result, with \(name): \(String(format: "%.2f", best)) µs of all processors")
        return best
    }

    /// The time in which a commit of one row that none of the results shows is found to touch none, without the save.
    private func hub(_ list: LiveResult) throws {
        let (rows, entity, felt) = try later(1)
        guard let rowID = rows.first else { return }
        let reader = quakes.store.changes.reader(after: try quakes.store.read { try $0.lastSave() })
        reader.follow([entity.id])
        var batch = WriteBatch(policy: .storeWins)
        batch.update(rowID, of: entity.id, base: nil, changes: [felt: .int(987_654)])
        try quakes.store.save(batch)
        // Afterwards the commit is handed out.
        list.settle()
        guard let set = reader.take().sets.last else { throw CampaignError("the save was not handed out") }
        var touched = 0
        let time = try quakes.store.read { snapshot in
            milliseconds {
                for _ in 0..<Self.routings { touched += list.countOfTouchedResults(by: set, in: snapshot) }
            }
        }
        say(
            "routing a commit of one row that no result shows, \(Self.routings) times: "
                + String(format: "%.3f µs each", time / Double(Self.routings) * 1_000))
        guard touched == 0 else { throw CampaignError("a row of no result is taken to touch some") }
    }

    /// Changes rows of every result in one save, and waits until all are current.
    private func updates(_ lists: inout [LiveResult]) throws {
        let (_, entity, felt) = try later(1)
        var times: [Double] = []
        for turn in 0..<5 {
            var batch = WriteBatch(policy: .storeWins)
            var rows = 0
            for list in lists {
                for rowID in list.state.rowIDs.prefix(max(1, 10_000 / lists.count)) {
                    batch.update(rowID, of: entity.id, base: nil, changes: [felt: .int(Int64(1_000 + turn))])
                    rows += 1
                }
            }
            try quakes.store.save(batch)
            times.append(
                milliseconds {
                    for list in lists { list.settle() }
                    for list in lists { _ = list.take() }
                })
            if turn == 4 {
                say(
                    "\(rows) updates of \(lists.count) results, from the save to the last: "
                        + String(format: "%.1f ms", times.sorted()[times.count / 2]))
            }
        }
    }

    /// Rows of the later half of all times.
    private func later(_ count: Int) throws -> (rows: [RowID], entity: Entity, felt: PropertyID) {
        try quakes.store.read { snapshot in
            let entity = try snapshot.entity(named: "Quake")
            guard let felt = entity.properties.first(where: { $0.name == "felt" }) else {
                throw CampaignError("the rows have no 'felt'")
            }
            let bound = Value.date(quakes.time(Double(quakes.dayCount) * 86_400 * 0.75))
            var work = Work()
            let query = Query(
                entity: "Quake", predicate: try PredicateParser.parse("time > %@", arguments: [bound]),
                sort: [SortKey("time")], limit: count)
            let rows = try Planner.plan(query, in: snapshot).rows(in: snapshot, work: &work)
            return (rows.map { $0.0 }, entity, felt.id)
        }
    }

    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
