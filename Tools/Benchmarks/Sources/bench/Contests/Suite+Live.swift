import CRawStore
import Foundation
import Loam

/// Results that stay open while rows change. The time of a change is from the return of the commit on the writer's
/// thread to the reader on an isolation of its own.
extension Suite {
    /// Every contest opens what it reads in the first round, and leaves it open to its end.
    var live: [Contest] {
        get throws {
            try [
                openSections, openFirstRows, rowsAtPositions,
                change("live: one change, by index", 0.003, sortBy: bySection),
                change("live: one change, no index", 0.007, sortBy: [SortDescriptor(\.day), SortDescriptor(\.place)]),
                changeOnMainActor, burst, lists, openMany, changeBesideMany, changeBesideViews,
            ]
        }
    }

    var bySection: [SortDescriptor<Earthquake>] { [SortDescriptor(\.day), SortDescriptor(\.time)] }

    // MARK: Opening

    private var openSections: Contest {
        get throws {
            let (loam, raw, grdb, order) = (loam, raw, grdb, bySection)
            let context = try loam.makeContext()
            return Contest(
                name: "live: open, titles and sizes", unit: .time, target: "<= 1 ms", rounds: 21,
                entries: [
                    .init(side: .loam, operations: 1) {
                        let observer = try ResultsObserver(sortBy: order, sectionBy: \.day, modelContext: context)
                        let sections = observer.sections.map(Array.init) ?? []
                        let sizes = sections.map { (title: $0.title, count: $0.count) }
                        return { withExtendedLifetime(observer) { Self.digest(sizes) } }
                    },
                    .init(side: .raw, operations: 1) {
                        let sections = try Self.sections(of: raw)
                        return { Self.digest(sections) }
                    },
                    .init(side: .grdb, operations: 1) {
                        let sections = try grdb.sections()
                        return { Self.digest(sections) }
                    },
                ])
        }
    }

    private var openFirstRows: Contest {
        get throws {
            let (loam, raw, grdb, order) = (loam, raw, grdb, bySection)
            return Contest(
                name: "live: open to 50 rows", unit: .time, target: "<= 5 ms", rounds: 21,
                entries: [
                    .init(side: .loam, operations: 1) {
                        let context = try loam.makeContext()
                        let observer = try ResultsObserver(sortBy: order, sectionBy: \.day, modelContext: context)
                        let quakes = Array(observer.results.prefix(50))
                        return { withExtendedLifetime((observer, context)) { quakes.digest } }
                    },
                    .init(side: .raw, operations: 1) {
                        let objects = try RawObjects(capacity: 50) {
                            try RawSide.check(raw_first_by_time(raw.store, $0, 50, &$1))
                        }
                        return { objects.contentDigest }
                    },
                    .init(side: .grdb, operations: 1) {
                        let quakes = try grdb.objects("SELECT * FROM quake ORDER BY day, time, id LIMIT 50")
                        return { quakes.contentDigest }
                    },
                ])
        }
    }

    /// The objects at 20 positions of an open result; none of their properties is read.
    private var rowsAtPositions: Contest {
        get throws {
            let (loam, grdb) = (loam, grdb)
            let order = bySection
            var open: (context: ModelContext, observer: ResultsObserver<Earthquake, String>)?
            let positions = workload.randomIDs(20).map { Int($0) - 1 }
            return Contest(
                name: "live: row at a position", unit: .time, target: "<= 5 us", rounds: 5,
                entries: [
                    .init(
                        side: .loam, operations: positions.count * 500,
                        prepare: {
                            guard open == nil else { return }
                            let context = try loam.makeContext()
                            let observer = try ResultsObserver(
                                sortBy: order, sectionBy: \.day, modelContext: context)
                            open = (context, observer)
                        },
                        run: {
                            let ids = try repeating(500) { () -> [PersistentIdentifier] in
                                guard let results = open?.observer.results else { return [] }
                                return positions.map { results[$0].persistentModelID }
                            }
                            return { try loam.sum(ids) }
                        }),
                    .init(side: .grdb, operations: positions.count) {
                        let ids = try positions.map {
                            try grdb.ids("SELECT id FROM quake ORDER BY day, time, id LIMIT 1 OFFSET ?", [Double($0)])
                        }
                        return { UInt64(ids.joined().reduce(0, +)) }
                    },
                ], finish: { open = nil })
        }
    }

    // MARK: Changes

    /// One row changes in an open result of all rows.
    private func change(
        _ name: String, _ fraction: Double, sortBy order: [SortDescriptor<Earthquake>]
    ) throws -> Contest {
        let loam = loam
        let (mine, theirs) = (Arrival(), GRDBObservers(grdb))
        var observers: LoamObservers?
        return try change(
            name, fraction, target: "<= 20 us, or 2x LMDB and a stream", mine, stream: { BareStream($0) },
            open: {
                guard observers == nil else { return }
                let container = try loam.container
                observers = try LoamObservers(mine).opened { try $0.observe(sortBy: order, in: container) }
            },
            grdb: theirs,
            finish: {
                theirs.close()
                if let observers { try waiting { await observers.close() } }
            })
    }

    /// One row changes. Beside it, an element that a plain `AsyncStream` takes to a reader after the same commit.
    ///
    /// - Parameters:
    ///   - fraction: what makes the magnitudes others than those of other contests.
    ///   - mine: where Loam's change comes to its reader.
    ///   - open: opens what Loam's reader reads, the first time.
    ///   - theirs: GRDB's observation, which is opened the first time; nil without GRDB.
    func change(
        _ name: String, _ fraction: Double, target: String, _ mine: Arrival, stream: (Arrival) -> BareStream,
        open: @escaping () throws -> Void, grdb theirs: GRDBObservers?,
        finish: @escaping () throws -> Void
    ) throws -> Contest {
        let (loam, raw, grdb, bare) = (loam, raw, grdb, Arrival())
        let ids = workload.randomIDs(1_000)
        let identifiers = try loam.identifiers()
        let context = try loam.makeContext()
        let quakes = ids.compactMap { context.model(for: identifiers[Int($0) - 1]) as? Earthquake }
        let stream = stream(bare)
        var turns: [Side: Int] = [:]
        func next(_ side: Side) -> (position: Int, magnitude: Double) {
            let turn = turns[side, default: 0]
            turns[side] = turn + 1
            return (turn % ids.count, Double(turn % 1_000) / 100 + fraction)
        }
        var entries: [Contest.Entry] = [
            .timed(.loam, prepare: open) {
                let (position, magnitude) = next(.loam)
                quakes[position].magnitude = magnitude
                try context.save()
                let saved = WorkClock.elapsed.now
                return (try mine.wait() - saved, { magnitude.bitPattern })
            },
            .timed(.raw) {
                let (position, magnitude) = next(.raw)
                try RawSide.check(raw_set_magnitude(raw.store, ids[position], magnitude))
                let saved = WorkClock.elapsed.now
                stream.send()
                return (
                    try bare.wait() - saved,
                    {
                        // Without a side of its own GRDB makes the change outside of the clock: all end with the same rows.
                        if theirs == nil { try grdb.setMagnitude(magnitude, ofID: ids[position]) }
                        return magnitude.bitPattern
                    }
                )
            },
        ]
        if let theirs {
            entries.append(
                .timed(.grdb, prepare: theirs.observeSections) {
                    let (position, magnitude) = next(.grdb)
                    let turn = try theirs.setMagnitude(magnitude, ofID: ids[position])
                    let saved = WorkClock.elapsed.now
                    return (try theirs.wait(for: turn) - saved, { magnitude.bitPattern })
                })
        }
        return Contest(
            name: name, unit: .time, target: target, rounds: 301, hasTail: true, entries: entries, finish: finish)
    }

    /// 10,000 rows change in one save, and back.
    private var burst: Contest {
        get throws {
            let (mine, theirs) = (Arrival(), GRDBObservers(grdb))
            let (loam, order) = (loam, bySection)
            var observers: LoamObservers?
            return try changes(
                name: "live: 10,000 changes, by index", target: "", arrivals: (mine, theirs), count: 1,
                open: (
                    {
                        guard observers == nil else { return }
                        let container = try loam.container
                        observers = try LoamObservers(mine).opened { try $0.observe(sortBy: order, in: container) }
                    },
                    { try theirs.observeSections() }
                ),
                finish: {
                    theirs.close()
                    if let observers { try waiting { await observers.close() } }
                })
        }
    }

    /// A list for each of the 1,000 days, in all of which rows change.
    private var lists: Contest {
        get throws {
            let (mine, theirs) = (Arrival(), GRDBObservers(grdb))
            let (loam, days) = (loam, workload.days)
            var observers: LoamObservers?
            return try changes(
                name: "live: 10,000 changes in 1,000 lists", target: "<= 200 ms", arrivals: (mine, theirs),
                count: days.count,
                open: (
                    {
                        guard observers == nil else { return }
                        let container = try loam.container
                        observers = try LoamObservers(mine).opened { try $0.observe(days: days, in: container) }
                    },
                    { try theirs.observe(days: days) }
                ),
                finish: {
                    theirs.close()
                    if let observers { try waiting { await observers.close() } }
                })
        }
    }

    /// 10,000 rows, some of every day, change in one save, which is measured, and back in another, which is not.
    private func changes(
        name: String, target: String, arrivals: (loam: Arrival, grdb: GRDBObservers), count: Int,
        open: (loam: () throws -> Void, grdb: () throws -> Void), finish: @escaping () throws -> Void
    ) throws -> Contest {
        let ids = evenIDs(min(10_000, workload.rows.count))
        let identifiers = try loam.identifiers()
        let context = try loam.makeContext()
        let quakes = ids.compactMap { context.model(for: identifiers[Int($0) - 1]) as? Earthquake }
        func save(times factor: Double) throws -> Double {
            for quake in quakes { quake.magnitude *= factor }
            try context.save()
            return WorkClock.elapsed.now
        }
        return Contest(
            name: name, unit: .time, target: target,
            entries: [
                .timed(.loam, prepare: open.loam) {
                    let saved = try save(times: 2)
                    let seconds = try arrivals.loam.wait(for: count) - saved
                    return (
                        seconds,
                        {
                            _ = try save(times: 0.5)
                            _ = try arrivals.loam.wait(for: count)
                            return UInt64(quakes.count)
                        }
                    )
                },
                .timed(.grdb, prepare: open.grdb) {
                    let turn = try arrivals.grdb.multiply(magnitudesOf: ids, by: 2)
                    let saved = WorkClock.elapsed.now
                    let seconds = try arrivals.grdb.wait(for: turn) - saved
                    return (
                        seconds,
                        {
                            let turn = try arrivals.grdb.multiply(magnitudesOf: ids, by: 0.5)
                            _ = try arrivals.grdb.wait(for: turn)
                            return UInt64(ids.count)
                        }
                    )
                },
            ], finish: finish)
    }

    /// Ids of about so many loaded rows, as many of every day as far as there are so many.
    private func evenIDs(_ count: Int) -> [UInt64] {
        let wanted = max(1, count / workload.days.count)
        var (ids, taken): ([UInt64], [String: Int]) = ([], [:])
        for quake in workload.rows where taken[quake.day, default: 0] < wanted {
            taken[quake.day, default: 0] += 1
            ids.append(quake.id)
        }
        return ids
    }
}

/// The least that a change can cost: an element of a plain stream, read by a task.
final class BareStream {
    private let elements: AsyncStream<Void>.Continuation
    private let reader: Task<Void, Never>

    init(_ arrival: Arrival, onMainActor: Bool = false) {
        let (stream, elements) = AsyncStream<Void>.makeStream()
        self.elements = elements
        reader =
            onMainActor
            ? Task { @MainActor in for await _ in stream { arrival.arrive() } }
            : Task { for await _ in stream { arrival.arrive() } }
    }

    deinit { elements.finish() }

    func send() { elements.yield() }
}
