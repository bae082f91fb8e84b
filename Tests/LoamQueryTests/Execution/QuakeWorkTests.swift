import LoamStorage
import RandomQueries
import Testing

@testable import LoamQuery

/// The most that queries over many rows may read. `campaigns quake` asks the same of a million.
@Suite struct QuakeWorkTests {
    private static let quakes = Result { try QuakeStore(rowCount: 20_000) }

    @Test(arguments: [false, true], [false, true])
    func noQueryReadsMoreThanIsPromised(asksAgain: Bool, readsRecords: Bool) throws {
        let quakes = try Self.quakes.get()
        for promise in try quakes.promises() {
            try quakes.store.read { snapshot in
                if asksAgain { _ = try Planner.plan(promise.query, in: snapshot) }
                let plan = try Planner.plan(promise.query, in: snapshot)
                let work = try plan.workOfAll(readsRecords: readsRecords, in: snapshot)
                #expect(
                    work.entries + work.records <= promise.most,
                    "\(promise.name), at most \(promise.most)\n\(plan.explanation(with: work))")
            }
        }
    }
}

extension Plan {
    /// The work of the whole result.
    fileprivate func workOfAll(readsRecords: Bool, in snapshot: Snapshot) throws -> Work {
        var work = Work()
        switch query.result {
        case .rows where readsRecords: try readRecords(in: snapshot, overlay: nil, work: &work) { _, _ in }
        case .rows: _ = try rows(in: snapshot, work: &work)
        case .count: _ = try count(in: snapshot, work: &work)
        case .sections: _ = try sections(in: snapshot, work: &work)
        }
        return work
    }
}
