import Foundation
import LMDB
import Testing

@testable import LoamStorage

/// The results of an analysis of the values of indexes, and where they are kept.
@Suite struct AnalysisTests {
    private let temporary: TemporaryStore
    private let store: Store

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "City",
                    properties: [
                        PropertyDefinition("country", type: .string, isOptional: true),
                        PropertyDefinition("size", type: .int64),
                        PropertyDefinition("name", type: .string),
                    ],
                    indexes: [
                        IndexDefinition(
                            [.init("country"), .init("size", direction: .descending), .init("name")], name: "all"),
                        IndexDefinition([.init("size")]), IndexDefinition([.init("name")], name: "empty later"),
                    ])))
    }

    /// 1,000 rows: 10 countries and nil, 50 sizes, every name different.
    private func fill() throws {
        try store.insert(
            (0..<1000).map { number in
                [
                    "country": number % 11 == 10 ? .null : .string("C\(number % 11)"),
                    "size": .int(Int64(number % 50)), "name": .string("n\(number)"),
                ]
            }, into: "City")
    }

    private func distribution(_ index: String, _ store: Store) throws -> IndexDistribution? {
        try store.read { snapshot in
            let entity = try snapshot.entity(named: "City")
            return try entity.indexes.first { $0.name == index }.flatMap { try snapshot.distribution(of: $0) }
        }
    }

    private func hasStatistics() throws -> Bool { try store.environment.databaseNames().contains("statistics") }

    @Test func theDatabaseIsMadeWithTheFirstAnalysisAndNoSaveWritesIt() throws {
        try fill()
        #expect(try !hasStatistics())
        #expect(try distribution("all", store) == nil)
        #expect(try store.analyze(store.entity("City").indexes) == 3)
        #expect(try hasStatistics())
        let all = try #require(try distribution("all", store))
        #expect(all.entries == 1000 && all.distinct == [11, 550, 1000])
        #expect(try distribution("size", store)?.distinct == [50])
        try store.insert([["size": .int(777), "name": .string("new")]], into: "City")
        #expect(try distribution("all", store) == all)
        #expect(try store.check().faults == [])
        #expect(try temporary.open().check().faults == [])
        try store.analyze(store.entity("City").indexes)
        #expect(try distribution("size", store)?.distinct == [51])
    }

    @Test func boundsCutTheEntriesIntoPartsOfOneSize() throws {
        try fill()
        try store.analyze(store.entity("City").indexes)
        let found = try #require(try distribution("size", store))
        #expect(found.bounds.count == IndexDistribution.parts)
        #expect(found.bounds == found.bounds.sorted { $0.lexicographicallyPrecedes($1) })
        let index = try #require(try store.entity("City").indexes.first { $0.name == "size" })
        for (number, bound) in found.bounds.enumerated() {
            let before = try store.read { try $0.count(in: index, range: KeyRange(upper: bound)) }
            let through = try store.read { try $0.count(in: index, range: KeyRange(upper: bound + [0xFF])) }
            #expect(before * IndexDistribution.parts <= number * 1000 + 1000)
            #expect(through * IndexDistribution.parts >= number * 1000)
        }
    }

    @Test func anIndexWithoutEntriesHasNoValues() throws {
        try store.analyze(store.entity("City").indexes)
        #expect(try distribution("all", store) == IndexDistribution(entries: 0, distinct: [0, 0, 0], bounds: []))
        #expect(try store.check().faults == [])
    }

    @Test func theyGoWithTheirIndexAndWithTheRows() throws {
        try fill()
        try store.analyze(store.entity("City").indexes)
        func entries() throws -> Int? { try store.info().databases.first { $0.name == "statistics" }?.entries }
        #expect(try entries() == 3)
        try store.apply(.dropIndex("size", from: "City"))
        #expect(try entries() == 2)
        try store.apply(.rebuildIndex("all", of: "City"))
        #expect(try entries() == 1 && distribution("all", store) == nil)
        try store.analyze(store.entity("City").indexes)
        #expect(try entries() == 2)
        let copy = temporary.folder.appendingPathComponent("copy.loam").path
        try store.compact(to: copy)
        #expect(try distribution("all", Store.open(path: copy)) == distribution("all", store))
        try store.erase()
        #expect(try entries() == 0)
        try fill()
        try store.analyze(store.entity("City").indexes)
        try store.apply(.removeEntity("City"))
        #expect(try entries() == 0)
        #expect(try store.check().faults == [])
    }

    @Test func anIndexThatIsGoneIsPassedOver() throws {
        try fill()
        let indexes = try store.entity("City").indexes
        try store.apply(.dropIndex("size", from: "City"))
        #expect(try store.analyze(indexes) == 2)
        #expect(try store.check().faults == [])
    }

    @Test func damageIsAFaultAndOtherwiseIgnored() throws {
        try fill()
        try store.analyze(store.entity("City").indexes)
        let index = try #require(try store.entity("City").indexes.first)
        let key = [UInt8](bigEndian: index.id)
        var original: [UInt8] = []
        try store.environment.read { transaction in
            let database = try #require(try transaction.database(named: "statistics"))
            guard let value = try transaction.value(for: key.span.bytes, in: database) else { return }
            original = value.withUnsafeBytes { Array($0) }
        }
        func write(_ value: [UInt8], _ key: [UInt8]) throws {
            try store.environment.write { transaction in
                let database = try transaction.openDatabase(named: "statistics", integerKeys: false)
                try transaction.put(value.span.bytes, for: key.span.bytes, in: database)
            }
        }
        for position in stride(from: 0, to: original.count, by: 7) {
            var damaged = original
            damaged[position] ^= 0x10
            try write(damaged, key)
            #expect(try distribution("all", store) == nil)
            #expect(try store.check().faults.map(\.index) == ["all"])
        }
        // A chunk with a right checksum may still end anywhere.
        let content = original[8...]
        for count in stride(from: 0, to: content.count, by: 5) {
            try write(SealedChunk.seal(content.prefix(count), key: key), key)
            #expect(try distribution("all", store) == nil)
        }
        try write(SealedChunk.seal(content + [0], key: key), key)
        #expect(try store.check().faults.count == 1)
        var later = Array(content)
        later[0] = 2
        try write(SealedChunk.seal(later[...], key: key), key)
        #expect(try distribution("all", store) == nil)
        try store.analyze([index])
        #expect(try store.check().faults == [])
        try write(original, [UInt8](bigEndian: IndexID(999)))
        #expect(try store.check().faults.map(\.message) == ["There are statistics of an unknown index, 999."])
    }
}
