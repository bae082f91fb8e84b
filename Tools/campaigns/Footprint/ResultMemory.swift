import Foundation
import LoamLive
import LoamQuery
import LoamStorage
import RandomQueries
import SeededRandom

/// The memory of one result over all earthquakes.
struct ResultMemory {
    /// The most that a result may add that an index has.
    static let mostVirtual = 2 << 20
    /// The most bytes for each row of a result in memory, and what else the result may take.
    static let (mostOfRow, allowance) = (24, 256 << 10)

    private let quakes: QuakeStore
    private var random: SeededGenerator

    init(_ quakes: QuakeStore, seed: UInt64) {
        self.quakes = quakes
        random = SeededGenerator(seed: seed)
    }

    /// Opens sections of an index. What they may add is measured with all titles and sizes in hand.
    func virtualFaults() throws -> [String] {
        let query = Query(entity: "Quake", sort: [SortKey("day"), SortKey("time")], section: "day")
        // What the first result of a file costs is not the result's.
        let first = try LiveResult(query, in: quakes.store) { _ in }
        let before = try ProcessUse.heapInUse()
        var live: LiveResult?
        var sections: [ResultState.Section] = []
        let time = try milliseconds {
            live = try LiveResult(query, in: quakes.store) { _ in }
            sections = live?.state.sections ?? []
        }
        return try withExtendedLifetime((first, live)) {
            let bytes = try ProcessUse.heapInUse() - before
            let reads = live?.trace.reads ?? 0
            say(
                "by an index: \(sections.count) titles and sizes in \(String(format: "%.2f", time)) ms, "
                    + "\(bytes >> 10) KiB, \(reads) records read; \(live?.kind.description ?? "")")
            var faults: [String] = []
            if bytes > Self.mostVirtual { faults.append("a result that an index has takes \(bytes) bytes") }
            if reads > 0 { faults.append("opening read \(reads) records") }
            return faults
        }
    }

    /// Opens results that no index has, by a number and by texts, and changes rows that move in them, with somebody who
    /// takes the deliveries.
    mutating func materializedFaults(changes: Int) throws -> [String] {
        var faults: [String] = []
        let rowIDs = try quakes.rowIDs()
        try warmUp(rowIDs)
        for names in [["felt"], ["place"], ["place", "code"]] {
            let name = names.joined(separator: " and ")
            let before = try ProcessUse.heapInUse()
            let query = Query(entity: "Quake", sort: names.map { SortKey($0) })
            let live = try LiveResult(query, in: quakes.store) { _ in }
            live.start()
            var bytes = [try bytes(live, since: before, name, "at first")]
            try change(names[0], of: rowIDs, count: changes, live)
            bytes.append(try self.bytes(live, since: before, name, "after \(changes) changes"))
            for bytes in bytes where bytes > Self.mostOfRow * live.state.count + Self.allowance {
                faults.append("a result of \(live.state.count) rows by \(name) takes \(bytes) bytes")
            }
        }
        return withExtendedLifetime(rowIDs) { faults }
    }

    /// Opens and changes a result that is let go again: what sorting and saving take once is no result's.
    private mutating func warmUp(_ rowIDs: [RowID]) throws {
        let live = try LiveResult(Query(entity: "Quake", sort: [SortKey("felt")]), in: quakes.store) { _ in }
        live.start()
        try change("felt", of: rowIDs, count: 3_000, live)
    }

    /// Changes a property in random rows, 1,000 in each save.
    private mutating func change(_ name: String, of rowIDs: [RowID], count: Int, _ live: LiveResult) throws {
        let entity = try quakes.store.read { try $0.entity(named: "Quake") }
        guard let property = entity.properties.first(where: { $0.name == name }) else {
            throw CampaignError("the rows have no \(name)")
        }
        for start in stride(from: 0, to: count, by: 1_000) {
            var batch = WriteBatch(policy: .storeWins)
            var named: Set<RowID> = []
            for _ in start..<min(start + 1_000, count) {
                guard let rowID = rowIDs.randomElement(using: &random), named.insert(rowID).inserted else { continue }
                let number = Int.random(in: 0..<100_000, using: &random)
                let value: Value = property.type == .int64 ? .int(Int64(number)) : .string("\(number) km from nowhere")
                batch.update(rowID, of: entity.id, base: nil, changes: [property.id: value])
            }
            try quakes.store.save(batch)
            live.settle()
            _ = live.take()
        }
    }

    private func bytes(_ live: LiveResult, since before: Int, _ name: String, _ moment: String) throws -> Int {
        let bytes = try ProcessUse.heapInUse() - before
        let each = Double(bytes) / Double(max(live.state.count, 1))
        say("in memory by \(name), \(moment): \(String(format: "%.1f", each)) bytes a row; \(live.kind)")
        return bytes
    }
}
