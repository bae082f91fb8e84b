import LoamStorage
import Testing

@testable import LoamQuery

/// Sections, groups and aggregates by a function of a property: from an index over the function, and from the rows.
@Suite struct FunctionSectionTests {
    @Test(arguments: [true, false]) func sectionsAreThoseOfPlainSwift(isIndexed: Bool) throws {
        let album = try PhotoAlbum(isIndexed ? [PhotoAlbum.byLength] : [])
        let (plan, sections, work) = try album.sections(
            Query(entity: "Photo", section: "length(caption)", result: .sections))
        let counts = Dictionary(grouping: album.photos) { $0.caption?.count }
        let expected = counts.sorted { ($0.key ?? -1) < ($1.key ?? -1) }
        #expect(sections.map(\.value) == expected.map { $0.key.map { .int(Int64($0)) } ?? .null })
        #expect(sections.map(\.count) == expected.map(\.value.count))
        #expect(plan.query.section?.description == "length(caption)")
        if isIndexed {
            #expect(plan.arrangement == .sums && work.records == 0 && work.entries == 0, "\(plan.explanation())")
        }
    }

    @Test func groupsAreCountedFromSums() throws {
        let album = try PhotoAlbum([PhotoAlbum.byDay])
        let query = GroupedQuery(entity: "Photo", keys: ["startOfDay(taken, 'Europe/Berlin')"], aggregates: [.count])
        try album.store.read { snapshot in
            let plan = try GroupedPlan(query, in: snapshot)
            var work = Work()
            let groups = try plan.groups(in: snapshot, work: &work)
            #expect(groups.count > 1_000 && work.entries == 0 && work.records == 0, "\(plan.explanation())")
            let count = groups.reduce(Int64(0)) { if case .int(let count) = $1[1] { $0 + count } else { $0 } }
            #expect(count == 3_000)
        }
    }

    @Test(arguments: [true, false]) func aggregatesAreOfTheFunctionsResults(isIndexed: Bool) throws {
        let album = try PhotoAlbum(
            isIndexed ? [PhotoAlbum.byLength, .init([.init("rating")], included: ["caption"])] : [])
        let path = "length(caption)"
        for keys in [["rating"], []] {
            let query = GroupedQuery(
                entity: "Photo", keys: keys,
                aggregates: [
                    GroupAggregate(.sum, of: path), GroupAggregate(.maximum, of: path),
                    GroupAggregate(.minimum, of: path),
                    GroupAggregate(.count, of: path),
                ], sort: keys.map { SortKey($0) })
            let groups = try album.store.read { snapshot in
                var work = Work()
                return try GroupedPlan(query, in: snapshot).groups(in: snapshot, work: &work)
            }
            let expected = Dictionary(grouping: album.photos) { keys.isEmpty ? 0 : $0.rating }
                .sorted { $0.key < $1.key }
                .map { rating, photos -> [Value] in
                    let lengths = photos.compactMap { $0.caption.map { Int64($0.count) } }
                    return (keys.isEmpty ? [] : [.int(rating)])
                        + [lengths.reduce(0, +), lengths.max() ?? -1, lengths.min() ?? -1, Int64(lengths.count)].map(
                            Value.int)
                }
            #expect(groups == expected)
        }
    }

    @Test func theEndsOfAnIndexAreTheLeastAndTheGreatest() throws {
        let album = try PhotoAlbum([PhotoAlbum.byLength])
        let query = GroupedQuery(
            entity: "Photo", predicate: try PredicateParser.parse("length(caption) < 9"),
            aggregates: [
                GroupAggregate(.maximum, of: "length(caption)"), GroupAggregate(.minimum, of: "length(caption)"),
            ])
        try album.store.read { snapshot in
            var work = Work()
            let plan = try GroupedPlan(query, in: snapshot)
            let lengths = album.photos.compactMap { $0.caption?.count }.filter { $0 < 9 }
            let ends = try plan.groups(in: snapshot, work: &work)
            #expect(try ends == [[.int(Int64(#require(lengths.max()))), .int(Int64(#require(lengths.min())))]])
            #expect(work.entries == 2 && work.records == 0, "\(plan.explanation(with: work))")
        }
    }

    /// Functions that are written as a sign, too.
    @Test(arguments: ["negate", "onesComplement"]) func theEndsOfASignAreFound(function: String) throws {
        let known = try #require(Function(named: function))
        let album = try PhotoAlbum([IndexDefinition([.init("rating", function: known)])])
        let path = "\(function)(rating)"
        let query = GroupedQuery(
            entity: "Photo", aggregates: [GroupAggregate(.minimum, of: path), GroupAggregate(.maximum, of: path)])
        try album.store.read { snapshot in
            var work = Work()
            let plan = try GroupedPlan(query, in: snapshot)
            let offset: Int64 = known == .negate ? 0 : 1
            #expect(try plan.groups(in: snapshot, work: &work) == [[.int(-4 - offset), .int(-offset)]])
            #expect(work.entries == 2 && work.records == 0, "\(plan.explanation(with: work))")
        }
    }

    @Test func aSectionLeadsTheOrder() throws {
        let album = try PhotoAlbum()
        let query = Query(
            entity: "Photo", sort: [SortKey("caption"), SortKey("length(caption)", direction: .descending)],
            columns: ["length(caption)", "caption"], section: "length(caption)")
        let rows = try album.store.read { snapshot in
            var work = Work()
            return try Planner.plan(query, in: snapshot).rows(in: snapshot, work: &work).map(\.values)
        }
        let lengths = rows.map { if case .int(let length) = $0[0] { Int(length) } else { -1 } }
        #expect(lengths == lengths.sorted(by: >))
        for (length, row) in zip(lengths, rows) {
            guard case .string(let caption) = row[1] else { continue }
            #expect(caption.count == length)
        }
    }
}
