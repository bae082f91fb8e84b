import Foundation
import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// Sort keys that are made from records and from entries of indexes are, byte for byte, those of the values.
@Suite struct SortKeyTests {
    private static let forms: [StringForm] = [
        .exact, .caseFolded, .caseAndDiacriticFolded, .diacriticFolded, .localizedStandard,
    ]

    private static func paths(_ entity: Entity) throws -> [PropertyPath] {
        let own = entity.properties.indices.map { PropertyPath($0, of: entity) }.filter(\.type.isOrdered)
        return try own + [
            PropertyPath(["address", "city"], in: entity), PropertyPath(["address", "zip"], in: entity),
        ]
    }

    @Test(arguments: [(1, false), (2, true), (3, true)] as [(UInt64, Bool)])
    func keysOfRecordsAreThoseOfTheirValues(seed: UInt64, longStrings: Bool) throws {
        let sample = try SampleStore(seed: seed, rowCount: 120, longStrings: longStrings)
        let rows = Dictionary(uniqueKeysWithValues: sample.rows.map { ($0.rowID, $0.values) })
        var random = SeededGenerator(seed: seed)
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            let paths = try Self.paths(entity)
            for _ in 0..<60 {
                let order = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                    let path = paths[Int.random(in: paths.indices, using: &random)]
                    let form = path.type == .string ? Self.forms.randomElement(using: &random) ?? .exact : .exact
                    return ResolvedSortKey(
                        path: path, direction: random.percent(50) ? .ascending : .descending, form: form)
                }
                let placer = RowPlacer(try SortKeys(order))
                try snapshot.scanRows(of: entity) { row in
                    let values = rows[row.rowID] ?? []
                    let expected = try placer.key(of: order.map { $0.path.value(in: values) })
                    let found = try placer.key(of: row)
                    try #require(found == expected, "seed \(seed), row \(row.rowID), order \(order)")
                    return true
                }
            }
        }
    }

    @Test(arguments: [(4, false), (5, true)] as [(UInt64, Bool)])
    func keysOfEntriesAreThoseOfTheirRows(seed: UInt64, longStrings: Bool) throws {
        let sample = try SampleStore(seed: seed, rowCount: 120, longStrings: longStrings)
        let rows = Dictionary(uniqueKeysWithValues: sample.rows.map { ($0.rowID, $0.values) })
        var filled = 0
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            for index in entity.indexes where index.kind.hasEntryOfEachRow {
                var order: [ResolvedSortKey] = []
                for component in index.components where component.function == nil {
                    let path = try PropertyPath(component.definition.names, in: entity)
                    let form = path.type == .string && order.isEmpty ? component.form : .exact
                    let direction = order.count == 1 ? component.direction : component.direction.reversed
                    order.append(ResolvedSortKey(path: path, direction: direction, form: form))
                }
                guard !order.isEmpty else { continue }
                let placer = RowPlacer(try SortKeys(order))
                let entry = try EntryKeys(placer.keys, index: index)
                #expect(entry.paths.isEmpty, "index \(index.name)")
                try snapshot.scanIndex(index, range: .all) { batch in
                    for position in 0..<batch.count where try entry.fill(from: batch, at: position) {
                        let rowID = batch.rowIDs[position]
                        let values = rows[rowID] ?? []
                        let expected = try placer.key(of: order.map { $0.path.value(in: values) })
                        // The row has no values, so that the whole key comes from the entry.
                        let place = try placer.place(PlainRow(rowID: rowID, values: []), from: entry, related: nil)
                        let copied = placer.withKey(of: Match(rowID: rowID, key: place)) { Array($0) }
                        try #require(copied == expected, "seed \(seed), index \(index.name), row \(rowID)")
                        filled += 1
                    }
                    return true
                }
            }
        }
        #expect(filled > 1_000)
    }
}
