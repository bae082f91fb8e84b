import Foundation
import Testing

@testable import LoamStorage

/// Unique values that begin with the same 600 bytes, so that all their keys are cut to the same bytes.
@Suite struct EqualKeyTests {
    private let temporary: TemporaryStore
    private let store: Store
    private let beginning = String(repeating: "long ", count: 120)

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Note", properties: [.init("name", type: .string), .init("count", type: .int64)],
                    indexes: [.init([.init("name")], name: "name", kind: .unique)])))
    }

    /// A batch of inserts, behind those of another batch.
    private func batch(
        _ numbers: Range<Int>, count: Int64 = 0, upserts: Bool = false, after first: WriteBatch? = nil
    ) throws -> WriteBatch {
        let entity = try store.entity("Note")
        let catalog = try store.catalog()
        var batch = first ?? WriteBatch(author: "test")
        for number in numbers {
            let record = try catalog.encode(
                ["name": .string("\(beginning)\(number)"), "count": .int(count)], as: "Note")
            batch.insert(record, into: entity.id, rowID: try store.makeRowID(), upserts: upserts)
        }
        return batch
    }

    @Test(arguments: [false, true])
    func eachRowIsComparedOnce(decidesEachRow: Bool) throws {
        var first = try batch(0..<1000)
        first.decidesEachRow = decidesEachRow
        #expect(try store.save(first).comparedRecords <= 1000)
        var second = try batch(1000..<2000)
        second.decidesEachRow = decidesEachRow
        #expect(try store.save(second).comparedRecords <= 2000)
    }

    @Test func upsertsReadEachRowAFewTimes() throws {
        try store.save(batch(0..<500))
        // Half of the values are stored, and half of them are twice in the batch.
        let once = try batch(250..<750, count: 1, upserts: true)
        let result = try store.save(batch(250..<750, count: 2, upserts: true, after: once))
        #expect(result.comparedRecords <= 8 * 1000)
        #expect(result.mapping.count == 750)
        let rows = try store.rows(in: "name", of: "Note")
        #expect(rows.count == 750)
        let counts = try rows.map { try store.values($0, of: "Note")?[1] }
        #expect(counts.filter { $0 == .int(0) }.count == 250 && counts.filter { $0 == .int(2) }.count == 500)
    }

    @Test func equalValuesAreFoundAmongThem() throws {
        let ids = try store.insert(
            (0..<100).map { ["name": .string("\(beginning)\($0)"), "count": .int(0)] }, into: "Note")
        #expect(storageError { try store.save(batch(99..<150)) } == .uniqueViolation(existing: ids[99]))
        let twice = try batch(299..<300, after: batch(200..<300))
        guard case .uniqueViolation? = storageError({ try store.save(twice) }) else {
            Issue.record("a value that is there twice in a batch was saved")
            return
        }
        // Values that go round among rows are no conflict.
        let entity = try store.entity("Note")
        var swaps = WriteBatch(author: "test")
        for (position, row) in ids.enumerated() {
            let next = Value.string("\(beginning)\((position + 1) % 100)")
            swaps.update(row, of: entity.id, base: nil, changes: [entity.properties[0].id: next])
        }
        #expect(try store.save(swaps).comparedRecords <= 200)
        // The value changes only behind the bytes that the key keeps.
        var equal = WriteBatch(author: "test")
        let last = Value.string("\(beginning)99")
        equal.update(ids[5], of: entity.id, base: nil, changes: [entity.properties[0].id: last])
        #expect(storageError { try store.save(equal) } == .uniqueViolation(existing: ids[98]))
        var same = WriteBatch(author: "test")
        same.update(ids[98], of: entity.id, base: nil, changes: [entity.properties[0].id: last])
        try store.save(same)
    }
}
