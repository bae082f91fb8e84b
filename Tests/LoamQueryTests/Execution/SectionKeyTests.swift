import Foundation
import LoamStorage
import Testing

@testable import LoamQuery

/// The sections that an index tells have the bytes that the keys of their rows' places begin with.
@Suite struct SectionKeyTests {
    private static let values: [(property: PropertyDefinition, values: [Value])] = [
        (.init("number", type: .int64), [-7, 0, 5, Int64.max].map(Value.int)),
        (.init("perhaps", type: .int64, isOptional: true), [.null, .int(0), .int(-1), .int(9)]),
        (.init("name", type: .string, isOptional: true), [.null, .string(""), .string("a\u{0}b"), .string("é")]),
        // Longer than what an index keeps of it.
        (.init("text", type: .string), ["a", "b"].map { .string(String(repeating: $0, count: 900)) }),
        (.init("size", type: .double), [-0.0, 0.0, 2.5, -.infinity].map(Value.double)),
        (.init("isOpen", type: .bool), [.bool(true), .bool(false)]),
        (.init("time", type: .date), [-1, 1e9].map { .date(Date(timeIntervalSinceReferenceDate: $0)) }),
        (
            .init("price", type: .decimal, isOptional: true),
            [.null, .decimal(Decimal(string: "1.50") ?? 0), .decimal(Decimal(string: "-2") ?? 0)]
        ),
    ]

    private func withStore(indexed: SortDirection?, _ body: (Snapshot) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "loam-keys-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Store.open(path: folder.appending(path: "store").path, options: StoreOptions())
        let indexes = indexed.map { direction in
            Self.values.map { property, _ in
                IndexDefinition([.init(property.name, direction: direction), .init("number", direction: direction)])
            }
        }
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Thing", properties: Self.values.map(\.property),
                    indexes: (indexes ?? []).filter { $0.components[0].names != $0.components[1].names })))
        let entity = try store.read { try $0.entity(named: "Thing") }
        var batch = WriteBatch(author: "test")
        for number in 0..<60 {
            let values = Self.values.enumerated().map { $1.values[(number / ($0 + 1)) % $1.values.count] }
            batch.insert(
                try store.catalog().encode(values, as: entity.id), into: entity.id, rowID: try store.makeRowID())
        }
        try store.save(batch)
        try store.read(body)
    }

    @Test(arguments: [nil, SortDirection.ascending, .descending], [SortDirection.ascending, .descending])
    func areWhatTheKeysOfTheirRowsBeginWith(indexed: SortDirection?, direction: SortDirection) throws {
        try withStore(indexed: indexed) { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            for (property, values) in Self.values {
                let query = Query(
                    entity: "Thing",
                    sort: [SortKey(property.name, direction: direction), SortKey("number", direction: direction)],
                    section: property.name)
                let rule = try PlacementRule(ResolvedQuery(query, in: entity))
                var expected: [(key: [UInt8], value: Value, count: Int)] = []
                try rule.forEachRow(in: snapshot) { _, place in
                    let key = Array(place.key.prefix(place.sectionCount))
                    if expected.last?.key == key {
                        expected[expected.count - 1].count += 1
                    } else {
                        expected.append((key, place.section, 1))
                    }
                }
                let found = try rule.sections(in: snapshot)
                #expect(found.map(\.key) == expected.map(\.key), "\(property.name)")
                #expect(found.map(\.value) == expected.map(\.value), "\(property.name)")
                #expect(found.map(\.count) == expected.map(\.count), "\(property.name)")
                #expect(Set(found.map(\.value)).count <= values.count && found.count > 1, "\(property.name)")
            }
        }
    }
}
