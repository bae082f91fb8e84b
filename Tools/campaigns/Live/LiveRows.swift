import LoamQuery
import LoamStorage
import SeededRandom

/// A store of towns with few different values, random changes of them, and queries of every kind.
struct LiveRows {
    let store: Store
    let entity: Entity

    static var options: StoreOptions {
        var options = StoreOptions()
        options.durability = .unsynced
        return options
    }

    init(_ store: Store) throws {
        self.store = store
        entity = try store.read { try $0.entity(named: "Town") }
    }

    static func create(in store: Store) throws {
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Town",
                    properties: [
                        .init("name", type: .string), .init("country", type: .string, isOptional: true),
                        .init("size", type: .int64), .init("note", type: .string, isOptional: true),
                        .init("height", type: .double),
                    ],
                    indexes: [
                        .init([.init("country"), .init("size")], isSectioned: true), .init([.init("size")]),
                        .init([.init("name", form: .caseAndDiacriticFolded)]),
                        .init([.init("height", direction: .descending), .init("name")]),
                    ])))
    }

    // MARK: Queries

    static func queries() throws -> [Query] {
        let orders: [[SortKey]] = [
            [], [SortKey("size")], [SortKey("size", direction: .descending)], [SortKey("country"), SortKey("size")],
            [SortKey("country", direction: .descending), SortKey("size", direction: .descending)],
            [SortKey("height", direction: .descending), SortKey("name")],
            [SortKey("height"), SortKey("name", direction: .descending)],
            [SortKey("name", form: .caseAndDiacriticFolded)], [SortKey("note"), SortKey("size")],
            [SortKey("length(name)")],
        ]
        let filters = [
            nil, "size > 3", "size < 8 AND size > 1", "country == 'PE'", "country == nil", "height > 2.5",
            "country == 'CL' AND size >= 4", "size IN {1, 2, 9}", "name BEGINSWITH[cd] 'a'", "note == nil OR size == 3",
        ]
        var queries: [Query] = []
        for (number, order) in orders.enumerated() {
            for (other, filter) in filters.enumerated() {
                let predicate = try filter.map { try PredicateParser.parse($0) } ?? .constant(true)
                var query = Query(entity: "Town", predicate: predicate, sort: order)
                queries.append(query)
                switch (number + other) % 4 {
                case 0: query.limit = 5 + other
                case 1: (query.limit, query.offset) = (7, number)
                default: break
                }
                if number % 3 != 2 { query.section = ["country", "size", "length(name)"][other % 3] }
                queries.append(query)
                guard query.section == "country" else { continue }
                query.sectionOfNil = .string("")
                queries.append(query)
            }
        }
        return queries
    }

    /// What a query gives that is asked anew: the rows of each section.
    func fresh(_ query: Query) throws -> [[RowID]] {
        if query.sectionOfNil != nil { return try freshlyMerged(query) }
        var query = query
        query.columns = query.section.map { [$0] } ?? []
        return try store.read { snapshot in
            var work = Work()
            var rows: [[RowID]] = query.section == nil ? [[]] : []
            var last: Value?
            for (rowID, values) in try Planner.plan(query, in: snapshot).rows(in: snapshot, work: &work) {
                if query.section != nil, last != values.first { rows.append([]) }
                last = values.first
                rows[rows.count - 1].append(rowID)
            }
            return rows
        }
    }

    /// What a query gives whose towns without a country are in the section of those whose country is empty.
    private func freshlyMerged(_ query: Query) throws -> [[RowID]] {
        var plain = query
        (plain.sectionOfNil, plain.limit, plain.offset, plain.columns) = (nil, nil, 0, ["country"])
        func rows(_ query: Query) throws -> [(rowID: RowID, values: [Value])] {
            try store.read { snapshot in
                var work = Work()
                return try Planner.plan(query, in: snapshot).rows(in: snapshot, work: &work).map { ($0, $1) }
            }
        }
        let all = try rows(plain)
        let untitled: [Value] = [.null, .string("")]
        func isUntitled(_ row: (rowID: RowID, values: [Value])) -> Bool { row.values.allSatisfy(untitled.contains) }
        plain.section = nil
        let direction = query.sort.last?.direction ?? .ascending
        plain.sort = query.sort.filter { $0.path != "country" } + [.identifier(direction)]
        var ordered = all.filter { !isUntitled($0) }
        let start = all.firstIndex(where: isUntitled) ?? 0
        ordered.insert(contentsOf: try rows(plain).filter(isUntitled), at: min(start, ordered.count))
        var sections: [[RowID]] = []
        var last: Value?
        for (rowID, values) in ordered.dropFirst(query.offset).prefix(query.limit ?? .max) {
            let title = values.first == .null ? .string("") : values.first
            if last != title { sections.append([]) }
            last = title
            sections[sections.count - 1].append(rowID)
        }
        return sections
    }

    // MARK: Changes

    func changes(_ random: inout SeededGenerator, atMost count: Int) throws -> WriteBatch {
        let rowIDs = try rowIDs()
        var batch = WriteBatch(policy: .storeWins)
        var named: Set<RowID> = []
        for _ in 0..<Int.random(in: 1...count, using: &random) {
            let rowID = rowIDs.randomElement(using: &random)
            // Rows come and go so that there are about 120.
            switch (Int.random(in: 0..<10, using: &random), rowID) {
            case (0, _), (_, nil),
                (1, _) where rowIDs.count < 120:
                let record = try store.catalog().encode(values(&random), as: entity.id)
                batch.insert(record, into: entity.id, rowID: try store.makeRowID())
            case (1, let rowID?): if named.insert(rowID).inserted { batch.delete(rowID, of: entity.id) }
            case (_, let rowID?):
                guard named.insert(rowID).inserted else { continue }
                let position = Int.random(in: 0..<entity.properties.count, using: &random)
                batch.update(
                    rowID, of: entity.id, base: nil,
                    changes: [entity.properties[position].id: values(&random)[position]])
            }
        }
        return batch
    }

    /// Values of a row, in the order of the properties.
    func values(_ random: inout SeededGenerator) -> [Value] {
        let names = ["Arequipa", "árbol", "a", "Lima", "lima 10", "Lima 9", "", "Ayaviri", "Åre", "Puno"]
        let countries: [Value] = [.string("PE"), .string("CL"), .string("BO"), .null, .string("")]
        return [
            .string(names.randomElement(using: &random) ?? ""), countries.randomElement(using: &random) ?? .null,
            .int(.random(in: 0..<10, using: &random)),
            Int.random(in: 0..<3, using: &random) == 0 ? .null : .string("\(UInt8.random(in: 0...99, using: &random))"),
            .double(Double(Int.random(in: 0..<20, using: &random)) / 4),
        ]
    }

    private func rowIDs() throws -> [RowID] {
        try store.read { snapshot in
            var rowIDs: [RowID] = []
            try snapshot.scanRows(of: entity) {
                rowIDs.append($0.rowID)
                return true
            }
            return rowIDs
        }
    }
}
