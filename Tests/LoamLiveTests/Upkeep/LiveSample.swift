import Foundation
import LoamLive
import LoamQuery
import SeededRandom

@testable import LoamStorage

/// A store in a folder of its own with rows that random batches change, through two stores on its file.
final class LiveSample: Sendable {
    /// Two stores on the same file.
    let stores: [Store]
    let entity: Entity
    private let folder: URL

    var store: Store { stores[0] }

    init(rowCount: Int = 60, seed: UInt64 = 1, isInMemory: Bool = false) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "loam-live-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var options = StoreOptions()
        options.durability = .unsynced
        options.isInMemory = isInMemory
        let path = folder.appending(path: "store").path
        let store = try Store.open(path: path, options: options)
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "City",
                    properties: [
                        .init("name", type: .string), .init("country", type: .string, isOptional: true),
                        .init("size", type: .int64),
                        .init("note", type: .string, isOptional: true),
                    ],
                    indexes: [
                        .init([.init("country"), .init("size")], isSectioned: true), .init([.init("size")]),
                        .init([.init("name", form: .caseAndDiacriticFolded)]),
                    ])))
        try store.apply(.addEntity(EntityDefinition("Lake", properties: [.init("name", type: .string)])))
        stores = [store, isInMemory ? store : try Store.open(path: path, options: options)]
        entity = try store.read { try $0.entity(named: "City") }
        var random = SeededGenerator(seed: seed)
        var batch = WriteBatch()
        for _ in 0..<rowCount { try insert(into: &batch, &random) }
        try store.save(batch)
    }

    /// A store on the file whose saves nobody hears of, as if they were another process's.
    func outsider() throws -> Store {
        Store(
            path: store.path, options: store.options, environment: store.environment, cache: store.cache,
            changes: ChangeHub(store.environment))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Queries of every kind, over few different values.
    static let queries: [Query] = [
        Query(entity: "City"),
        Query(entity: "City", sort: [SortKey("size", direction: .descending)]),
        Query(entity: "City", predicate: parse("size > 3"), sort: [SortKey("country"), SortKey("name")]),
        Query(entity: "City", predicate: parse("size < 8"), sort: [SortKey("size")], section: "country"),
        Query(
            entity: "City",
            sort: [SortKey("country", direction: .descending), SortKey("size", direction: .descending)],
            section: "country"),
        Query(entity: "City", sort: [SortKey("size"), SortKey("name")], limit: 7),
        Query(entity: "City", sort: [SortKey("size", direction: .descending)], limit: 5, offset: 9, section: "size"),
        Query(entity: "City", predicate: parse("country == 'PE' OR size IN {1, 2}"), offset: 4),
        Query(
            entity: "City", predicate: parse("name BEGINSWITH[cd] 'a'"),
            sort: [SortKey("name", form: .caseAndDiacriticFolded)]),
        Query(entity: "City", sort: [SortKey("name", form: .localizedStandard)], columns: ["name"], section: "country"),
        Query(
            entity: "City", predicate: parse("size == 4"), sort: [SortKey("size"), SortKey("name")], section: "size"),
        Query(entity: "City", sort: [SortKey("size")], limit: 0),
        Query(entity: "City", sort: [SortKey("length(name)", direction: .descending), SortKey("size")]),
        Query(
            entity: "City", predicate: parse("size < 9"), sort: [SortKey("lowercase(name)", form: .localizedStandard)],
            section: "length(name)"),
        Query(entity: "City", sort: [SortKey("length(note)"), SortKey("country")], limit: 6, section: "length(note)"),
        Query(entity: "City", predicate: parse("country == 'PE'"), sort: [SortKey("size", direction: .descending)]),
        Query(
            entity: "City", predicate: parse("size > 2 AND size < 8"), sort: [SortKey("size", direction: .descending)],
            section: "size"),
        Query(
            entity: "City", predicate: parse("country == nil"), sort: [SortKey("country"), SortKey("size")],
            section: "country"),
        Query(
            entity: "City", predicate: parse("size < 8"), sort: [SortKey("size", direction: .descending)], limit: 6,
            offset: 3),
        Query(
            entity: "City", sort: [SortKey("country"), SortKey("size")], limit: 9, offset: 7, section: "country"),
        Query(entity: "City", sort: [SortKey("size")], offset: 11),
        merged(Query(entity: "City", sort: [SortKey("size")], section: "country")),
        merged(
            Query(
                entity: "City",
                sort: [SortKey("country", direction: .descending), SortKey("size", direction: .descending)],
                section: "country")),
        merged(Query(entity: "City", sort: [SortKey("size")], limit: 14, offset: 3, section: "country")),
        merged(
            Query(
                entity: "City", predicate: parse("country == nil"), sort: [SortKey("size")], section: "country")),
        merged(Query(entity: "City", sort: [SortKey("name")], section: "country")),
    ]

    /// Which of the queries are one range of an index.
    static let virtualQueries = [1, 4, 6, 11, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24]
    /// Those of them that are of the index of sizes alone.
    static let queriesBySize = [1, 6, 11, 16, 18, 20]

    /// A query that has cities without a country in the section of those whose country is empty.
    private static func merged(_ query: Query) -> Query {
        var query = query
        query.sectionOfNil = .string("")
        return query
    }

    private static func parse(_ format: String) -> QueryPredicate {
        (try? PredicateParser.parse(format)) ?? .constant(false)
    }

    // MARK: Changes

    /// Saves some random changes. Rows that somebody else has deleted meanwhile are left alone.
    func saveChanges(_ random: inout SeededGenerator, atMost count: Int = 6, through store: Int = 0) throws {
        let rowIDs = try self.rowIDs()
        var batch = WriteBatch(policy: .storeWins)
        var named: Set<RowID> = []
        for _ in 0..<Int.random(in: 1...count, using: &random) {
            let rowID = rowIDs.randomElement(using: &random)
            switch (Int.random(in: 0..<10, using: &random), rowID) {
            case (0..<3, _), (_, nil): try insert(into: &batch, &random)
            case (3..<5, let rowID?): if named.insert(rowID).inserted { batch.delete(rowID, of: entity.id) }
            case (_, let rowID?):
                guard named.insert(rowID).inserted else { continue }
                let position = Int.random(in: 0..<4, using: &random)
                batch.update(
                    rowID, of: entity.id, base: nil,
                    changes: [entity.properties[position].id: values(&random)[position]])
            }
        }
        try stores[store].save(batch)
    }

    private func insert(into batch: inout WriteBatch, _ random: inout SeededGenerator) throws {
        let record = try store.catalog().encode(values(&random), as: entity.id)
        batch.insert(record, into: entity.id, rowID: try store.makeRowID())
    }

    private func values(_ random: inout SeededGenerator) -> [Value] {
        let names = ["Arequipa", "árbol", "a", "Lima", "lima 10", "Lima 9", "", String(repeating: "long", count: 150)]
        let countries: [Value] = [
            .string("PE"), .string("CL"), .string("BO"), .null, .string(""), .null, .string("é"),
            .string("e\u{301}"),
        ]
        return [
            .string(names.randomElement(using: &random) ?? ""), countries.randomElement(using: &random) ?? .null,
            .int(.random(in: 0..<10, using: &random)), .string("\(UInt8.random(in: 0...255, using: &random))"),
        ]
    }

    // MARK: Stored rows

    func rowIDs() throws -> [RowID] {
        try store.read { snapshot in
            var rowIDs: [RowID] = []
            try snapshot.scanRows(of: snapshot.entity(named: "City")) {
                rowIDs.append($0.rowID)
                return true
            }
            return rowIDs
        }
    }

    /// What a query gives when it is asked anew.
    func fresh(_ query: Query) throws -> SectionedRows {
        if query.sectionOfNil != nil { return try freshlyMerged(query) }
        var query = query
        query.columns = query.section.map { [$0] } ?? []
        return try store.read { snapshot in
            var work = Work()
            var result = SectionedRows(sections: [])
            if query.section == nil { result.sections.append(.init(identifier: .null, rows: [])) }
            for (rowID, values) in try Planner.plan(query, in: snapshot).rows(in: snapshot, work: &work) {
                let identifier = values.first ?? .null
                if query.section != nil, result.sections.last?.identifier != identifier {
                    result.sections.append(.init(identifier: identifier, rows: []))
                }
                result.sections[result.sections.count - 1].rows.append(rowID)
            }
            return result
        }
    }

    /// What a query gives whose rows without a country are in the section of those whose country is empty: the two
    /// sections are asked for as one, in the order of what comes behind the country.
    private func freshlyMerged(_ query: Query) throws -> SectionedRows {
        var plain = query
        (plain.sectionOfNil, plain.limit, plain.offset) = (nil, nil, 0)
        var sections = try fresh(plain).sections
        let untitled: [Value] = [.null, .string("")]
        if let first = sections.firstIndex(where: { untitled.contains($0.identifier) }) {
            let rows = Set(sections.filter { untitled.contains($0.identifier) }.flatMap(\.rows))
            plain.section = nil
            let direction = query.sort.last?.direction ?? .ascending
            plain.sort = query.sort.filter { $0.path != "country" } + [.identifier(direction)]
            let merged = try fresh(plain).sections.flatMap(\.rows).filter(rows.contains)
            sections.removeAll { untitled.contains($0.identifier) }
            sections.insert(.init(identifier: .string(""), rows: merged), at: first)
        }
        var rest = query.offset
        var wanted = query.limit ?? .max
        for number in sections.indices {
            let rows = Array(sections[number].rows.dropFirst(rest).prefix(wanted))
            rest = max(0, rest - sections[number].rows.count)
            wanted -= rows.count
            sections[number].rows = rows
        }
        return SectionedRows(sections: sections.filter { !$0.rows.isEmpty })
    }
}
