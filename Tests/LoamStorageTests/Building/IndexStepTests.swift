import Foundation
import SeededRandom
import Testing

@testable import LoamStorage

/// An index is built in steps: each is a transaction of few pages, and saves go on between any two of them.
@Suite struct IndexStepTests {
    /// Pages that a step may dirty, so that the saves behind it wait for a short time.
    private static let mostPages = 512

    private let temporary: TemporaryStore
    private let store: Store

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
        let properties = [
            PropertyDefinition("key", type: .uuid), PropertyDefinition("text", type: .string),
            PropertyDefinition("number", type: .int64), PropertyDefinition("day", type: .date),
        ]
        var random = SeededGenerator(seed: 5)
        _ = try store.load(.newEntity(EntityDefinition("Reading", properties: properties)), rowCount: 20_000) { load in
            for _ in 0..<20_000 { try load.append(Self.values(&random)) }
        }
    }

    private static func values(_ random: inout SeededGenerator) -> [Value] {
        let key = UUID(uuid: unsafeBitCast((random.next(), random.next()), to: uuid_t.self))
        let text = (0..<14).map { _ in String(random.next() as UInt64, radix: 36) }.joined()
        return [
            .uuid(key), .string(text), .int(.random(in: 0..<1_000_000, using: &random)),
            .date(Date(timeIntervalSinceReferenceDate: .random(in: 0..<1e9, using: &random))),
        ]
    }

    @Test(arguments: [
        IndexDefinition([.init("key")], kind: .unique), IndexDefinition([.init("text")], included: ["number", "key"]),
        IndexDefinition([.init("number"), .init("text", direction: .descending)]),
        IndexDefinition([.init("day", function: .startOfDay, timeZone: "Europe/Berlin"), .init("key")]),
    ])
    func aStepDirtiesFewPagesAndLetsSavesThrough(definition: IndexDefinition) throws {
        let id = try store.changeCatalog { try $0.addIndex(definition, to: "Reading", state: .building).id }
        let (sorter, baseSave) = try IndexBuilder(store: store).collect(id, nil)
        var feed = IndexFeed(store, index: id, baseSave: baseSave, stepBytes: IndexBuilder.stepBytes)
        var pages = try Pages(at: temporary.path)
        var steps: [Int] = []
        var random = SeededGenerator(seed: 6)
        func look() throws {
            let now = try Pages(at: temporary.path)
            let count = now.count(differingFrom: pages)
            if count > 0 {
                steps.append(count)
                try saveElsewhere(&random)
            }
            pages = try count > 0 ? Pages(at: temporary.path) : now
        }
        var bytes = 0
        try sorter.forEachSorted { change in
            try feed.add(change.entry)
            bytes += change.entry.key.count
            // Reading the whole file for each entry would take hours.
            guard bytes >= IndexBuilder.stepBytes / 32 else { return }
            bytes = 0
            try look()
        }
        try feed.flush()
        try look()
        try store.run(WriterJob { try IndexBuilder.finish([id], in: &$0, state: $1) })
        #expect(steps.allSatisfy { $0 <= Self.mostPages }, "\(steps)")
        #expect(steps.count > 1, "\(steps)")
        #expect(try store.check().faults == [])
    }

    /// Saves on another thread, which the builder waits for: it holds nothing that a save needs.
    private func saveElsewhere(_ random: inout SeededGenerator) throws {
        let rows = (0..<20).map { _ in Self.values(&random) }
        let changed = try store.read { snapshot in
            let entity = try snapshot.entity(named: "Reading")
            var ids: [RowID] = []
            try snapshot.scanRows(of: entity) { row in
                ids.append(row.rowID)
                return ids.count < 40
            }
            return ids
        }
        let store = store
        let failure = Box<any Error>()
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            do {
                let entity = try store.entity("Reading")
                var batch = WriteBatch(author: "test")
                for (row, id) in zip(rows, changed) {
                    batch.insert(
                        try store.catalog().encode(row, as: entity.id), into: entity.id, rowID: try store.makeRowID())
                    batch.update(
                        id, of: entity.id, base: nil,
                        changes: Dictionary(
                            uniqueKeysWithValues: zip(
                                entity.properties.map(\.id),
                                row.map { value in
                                    // A key stays unique.
                                    if case .uuid = value { .uuid(UUID()) } else { value }
                                })))
                }
                try store.save(batch)
            } catch {
                failure.value = error
            }
            done.signal()
        }
        done.wait()
        if let error = failure.value { throw error }
    }
}

/// The pages of a store's file.
private struct Pages {
    private static let size = 4_096
    private let bytes: Data

    init(at path: String) throws { bytes = try Data(contentsOf: URL(fileURLWithPath: path)) }

    /// How many pages differ or are new, but for the two that each commit writes to say which tree is the newest.
    func count(differingFrom other: Pages) -> Int {
        bytes.withUnsafeBytes { bytes in
            other.bytes.withUnsafeBytes { other in
                var count = 0
                for start in stride(from: 2 * Self.size, to: bytes.count, by: Self.size) {
                    let length = min(Self.size, bytes.count - start)
                    guard let page = bytes.baseAddress, let known = other.baseAddress, start + length <= other.count,
                        memcmp(page + start, known + start, length) == 0
                    else {
                        count += 1
                        continue
                    }
                }
                return count
            }
        }
    }
}
