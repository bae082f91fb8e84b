import LoamStorage
import RandomQueries
import Testing

@testable import LoamQuery

/// Searches that sort more than their memory, and are left before their last row, give the rest afterwards: each row
/// once.
@Suite struct LeftSortTests {
    /// What is left of a search that sorts is its rows, and what is sorted in several snapshots has the same order.
    @Test(arguments: [0, 2]) func aSearchIsContinued(looks: Int) throws {
        try SortedQuakes.get().store.read { snapshot in
            var query = SortedQuakes.query(memory: 60_000, columns: ["code"])
            (query.offset, query.limit) = (300, 9_000)
            let plan = try Planner.plan(query, in: snapshot)
            var work = Work()
            let whole = try Planner.plan(SortedQuakes.query(memory: 64 << 20), in: snapshot)
            let expected = try whole.rows(in: snapshot, work: &work).map(\.rowID).dropFirst(300).prefix(9_000)
            var left = looks
            let pace = SearchPace(every: 4_000) {
                left -= 1
                return left < 0
            }
            #expect(throws: SearchPace.Pause.self) {
                try plan.execute(in: snapshot, work: &work, pace: pace) { _, _ in true }
            }
            guard case .unsorted(let rest, let sort) = try plan.unfinished(pace, after: 0, last: nil, in: snapshot)
            else {
                Issue.record("\(plan.explanation())")
                return
            }
            #expect(try sort.add(rest, of: query, in: snapshot, pace: SearchPace { false }) == nil)
            var sorting = Work()
            #expect(try sort.rowIDs(work: &sorting) == Array(expected))
            #expect(sorting.spilledRuns > 2 && sorting.sortMemory > 0 && sorting.sortMemory <= 60_000)
            // As many as without a pace.
            var plain = Work()
            _ = try plan.rows(in: snapshot, work: &plain)
            #expect(sorting.mergedRows <= plain.mergedRows && sorting.mergedRows >= 9_300)
        }
    }

    /// Sorted rows are handed out in portions whose records are read one portion at a time. A search that is left while
    /// those of a later portion are read goes on behind the rows that were handed out.
    @Test(arguments: [1, 400, 3_000]) func recordsOfSortedRowsAreLeft(count: Int) throws {
        try SortedQuakes.get().store.read { snapshot in
            var query = SortedQuakes.query(memory: 60_000, columns: ["code"])
            (query.offset, query.limit) = (300, 9_000)
            let plan = try Planner.plan(query, in: snapshot)
            var (whole, work, found) = (Work(), Work(), [RowID]())
            let expected = try plan.rows(in: snapshot, work: &whole).map(\.rowID)
            let pace = SearchPace(every: 1) { found.count >= count }
            #expect(throws: SearchPace.Pause.self) {
                try plan.execute(in: snapshot, work: &work, pace: pace) { rowID, _ in
                    found.append(rowID)
                    return true
                }
            }
            guard
                case .found(let rest) = try plan.unfinished(pace, after: found.count, last: found.last, in: snapshot)
            else {
                Issue.record("\(plan.explanation())")
                return
            }
            #expect(found.count >= count && found + rest == expected)
        }
    }

    /// Rows are merged once, and where they are left the rest of the merge tells their ids.
    @Test(arguments: [0, 1, 700, 5_000, 8_999]) func sortedRowsAreLeft(count: Int) throws {
        try SortedQuakes.get().store.read { snapshot in
            var query = SortedQuakes.query(memory: 60_000, columns: ["code"])
            (query.offset, query.limit) = (300, 9_000)
            let plan = try Planner.plan(query, in: snapshot)
            var whole = Work()
            let expected = try plan.rows(in: snapshot, work: &whole).map(\.rowID)
            #expect(whole.spilledRuns > 2 && whole.mergedRows >= 9_300)
            for throwsPause in [false, true] {
                let pace = SearchPace { false }
                var (work, found) = (Work(), [RowID]())
                do {
                    try plan.execute(in: snapshot, work: &work, pace: pace) { rowID, _ in
                        found.append(rowID)
                        if throwsPause, found.count > count { throw SearchPace.Pause() }
                        return found.count <= count
                    }
                } catch is SearchPace.Pause {}
                #expect(pace.isSorted && work.mergedRows == whole.mergedRows && work.sortMemory <= 60_000)
                guard
                    case .found(let rest) = try plan.unfinished(
                        pace, after: found.count, last: found.last, in: snapshot)
                else {
                    Issue.record("\(plan.explanation())")
                    return
                }
                #expect(found.count == count + 1 && found + rest == expected)
            }
        }
    }
}
