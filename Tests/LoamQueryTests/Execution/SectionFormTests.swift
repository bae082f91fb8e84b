import Foundation
import LoamStorage
import Testing

@testable import LoamQuery

/// Sections follow the form of the sort key on their path: what is equal in it is one section.
@Suite struct SectionFormTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "loam-sections-\(UUID().uuidString)")

    private func withStore(indexed: Bool, _ body: (Snapshot) throws -> Void) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Store.open(path: folder.appending(path: "store").path, options: StoreOptions())
        let indexes: [IndexDefinition] =
            indexed ? [.init([.init("name", form: .caseFolded)]), .init([.init("name")]), .init([.init("id")])] : []
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Word", properties: [.init("name", type: .string), .init("id", type: .int64)], indexes: indexes)))
        let entity = try store.read { try $0.entity(named: "Word") }
        var batch = WriteBatch(author: "test")
        for (id, name) in ["b", "A", "Straße", "a", "STRASSE", "B", "a"].enumerated() {
            batch.insert(
                try store.catalog().encode([.string(name), .int(Int64(-id))], as: entity.id), into: entity.id,
                rowID: try store.makeRowID())
        }
        try store.save(batch)
        try store.read(body)
    }

    private func sections(_ sort: [SortKey], _ snapshot: Snapshot) throws -> [String] {
        let query = Query(entity: "Word", sort: sort, section: "name", result: .sections)
        let entity = try snapshot.entity(named: "Word")
        var found: Set<[String]> = []
        for plan in try Planner.plans(ResolvedQuery(query, in: entity), statistics: snapshot) {
            var work = Work()
            found.insert(
                try plan.sections(in: snapshot, work: &work).map { "\($0.value.formatText) \($0.count)" })
        }
        #expect(found.count == 1)
        return found.first ?? []
    }

    @Test(arguments: [false, true])
    func equalInTheFormIsOneSection(indexed: Bool) throws {
        try withStore(indexed: indexed) { snapshot in
            let byName = SortKey("name", form: .caseFolded)
            try #require(try sections([byName], snapshot) == ["'A' 3", "'b' 2", "'Straße' 2"])
            try #require(try sections([byName, SortKey("id")], snapshot) == ["'a' 3", "'B' 2", "'STRASSE' 2"])
            let backwards = SortKey("name", direction: .descending, form: .caseFolded)
            try #require(try sections([backwards], snapshot) == ["'STRASSE' 2", "'B' 2", "'a' 3"])
            let exact = ["'A' 1", "'B' 1", "'STRASSE' 1", "'Straße' 1", "'a' 2", "'b' 1"]
            try #require(try sections([SortKey("name")], snapshot) == exact)
            try #require(try sections([SortKey("id")], snapshot) == exact)
        }
    }

    @Test func rowsComeSectionBySection() throws {
        try withStore(indexed: true) { snapshot in
            let query = Query(
                entity: "Word", sort: [SortKey("name", form: .caseFolded), SortKey("id")], columns: ["name"],
                section: "name")
            let entity = try snapshot.entity(named: "Word")
            let order = try PlacementRule(ResolvedQuery(query, in: entity))
            var placed: [(name: Value, section: [UInt8])] = []
            try order.forEachRow(in: snapshot) { _, place in
                placed.append((place.section, Array(place.key.prefix(place.sectionCount))))
            }
            var work = Work()
            let rows = try Planner.plan(query, in: snapshot).rows(in: snapshot, work: &work)
            #expect(placed.map(\.name) == rows.map { $0.values[0] })
            #expect(placed.map(\.name) == ["a", "a", "A", "B", "b", "STRASSE", "Straße"].map(Value.string))
            #expect(Set(placed.map(\.section)).count == 3)
        }
    }
}
