import Foundation
import Loam
import Synchronization

/// Changes that come to the main actor, and to one of thousands of open results.
extension Suite {
    private static let many = 10_000

    /// One row changes, and a loop on the main actor hears of it. Beside it, an element that a plain `AsyncStream` takes to
    /// the main actor after the same commit.
    var changeOnMainActor: Contest {
        get throws {
            let (loam, order) = (loam, bySection)
            let (mine, opened) = (Arrival(), OpenedObserver())
            return try change(
                "live: one change, main actor", 0.009, target: "<= 15 us above a stream", mine,
                stream: { BareStream($0, onMainActor: true) },
                open: {
                    guard opened.observer == nil else { return }
                    let container = try loam.container
                    try waiting { opened.observer = try await MainActorObserver(mine, sortBy: order, in: container) }
                }, grdb: nil, finish: { try waiting { await opened.observer?.close() } })
        }
    }

    /// Opens results over spans of time that do not overlap, each with a task that reads its changes, and closes them.
    var openMany: Contest {
        get throws {
            let (loam, spans) = (loam, spans)
            return Contest(
                name: "live: open and close 10,000 results, each", unit: .time, target: "", rounds: 3,
                entries: [
                    .init(side: .loam, operations: spans.count) {
                        let container = try loam.container
                        let observers = try LoamObservers(Arrival()).opened {
                            try $0.observe(times: spans, in: container)
                        }
                        try waiting { await observers.close() }
                        return { UInt64(spans.count) }
                    }
                ])
        }
    }

    /// One row changes, beside so many open results, of which one has it. GRDB would run all their queries again.
    var changeBesideMany: Contest {
        get throws {
            let (loam, spans) = (loam, spans)
            let mine = Arrival()
            var observers: LoamObservers?
            return try change(
                "live: one change, 10,000 results", 0.001, target: "", mine, stream: { BareStream($0) },
                open: {
                    guard observers == nil else { return }
                    let container = try loam.container
                    observers = try LoamObservers(mine).opened { try $0.observe(times: spans, in: container) }
                }, grdb: nil,
                finish: { if let observers { try waiting { await observers.close() } } })
        }
    }

    /// One row changes that one of so many mounted views shows, each with a `@Query` of its own: until the render is told.
    /// Beside it, an element that a plain `AsyncStream` takes to the main actor after the same commit.
    var changeBesideViews: Contest {
        get throws {
            let (loam, mine) = (loam, Arrival())
            let views = MountedViews(mine)
            var known: Set<UInt64> = []
            // The rows that change are among the first.
            let ids = workload.randomIDs(2 * Self.many).filter { known.insert($0).inserted }.prefix(Self.many)
            let codes = ids.map { workload.rows[Int($0) - 1].code }
            return try change(
                "views: one change, 10,000 mounted", 0.013, target: "< 1 ms", mine,
                stream: { BareStream($0, onMainActor: true) },
                open: {
                    let container = try loam.container
                    try waiting { await views.mount(codes: codes, in: container) }
                }, grdb: nil, finish: { try waiting { await views.unmount() } })
        }
    }

    /// Spans that have all times.
    private var spans: [Range<Date>] {
        let length = Double(Workload.dayCount) * 86_400
        let bounds = (0...Self.many).map {
            Date(timeIntervalSinceReferenceDate: Workload.start + length * Double($0) / Double(Self.many))
        }
        return zip(bounds, bounds.dropFirst()).map { $0..<$1 }
    }
}

/// What was opened on the main actor.
private final class OpenedObserver: Sendable {
    private let kept = Mutex<MainActorObserver?>(nil)

    var observer: MainActorObserver? {
        get { kept.withLock(\.self) }
        set { kept.withLock { $0 = newValue } }
    }
}
