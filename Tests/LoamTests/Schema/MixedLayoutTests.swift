import Foundation
import Loam
import LoamStorage
import SeededRandom
import Testing

@Suite("Rows from before and after a lightweight change")
struct MixedLayoutTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Makes rows of the first version; the second version changes some of them and adds others.
    private func makeRows(_ random: inout SeededGenerator) throws -> [Int: ExpectedParcel] {
        var expected: [Int: ExpectedParcel] = [:]
        do {
            let context = ModelContext(try folder.openParcels(ParcelsV1.self))
            let depots = ["north", "south"].map(ParcelsV1.Depot.init)
            for serial in 0..<120 {
                let parcel = ParcelsV1.Parcel(
                    "parcel \(Int.random(in: 0..<40, using: &random))", serial: Int32(serial) * 1_000_003 - 60_000_000,
                    code: .random(in: 0...UInt16.max, using: &random), weight: .random(in: -9...9, using: &random),
                    depot: depots[serial % 2])
                if random.percent(60) { parcel.floor = .random(in: Int8.min...Int8.max, using: &random) }
                if random.percent(60) { parcel.width = .random(in: 0...3, using: &random) }
                if random.percent(50) { parcel.note = ["none", "fragile", "über"].randomElement(using: &random) }
                if random.percent(50) {
                    parcel.details = String(repeating: "d", count: random.percent(20) ? 20_000 : 3)
                }
                parcel.rank = .random(in: -300...300, using: &random)
                parcel.label = "label \(serial)"
                context.insert(parcel)
                expected[Int(parcel.serial)] = ExpectedParcel(parcel)
            }
            try context.save()
        }
        let context = ModelContext(try folder.openParcels(ParcelsV2.self))
        for parcel in try context.fetch(FetchDescriptor<ParcelsV2.Parcel>()) where random.percent(30) {
            if random.percent(40) { parcel.weight *= 1e300 }
            if random.percent(40) { parcel.code = .random(in: .min ... .max, using: &random) }
            if random.percent(40) { parcel.label = nil }
            if random.percent(40) { parcel.depot = nil }
            if random.percent(40) { parcel.floor = .random(in: .min ... .max, using: &random) }
            expected[parcel.serial] = ExpectedParcel(parcel)
            if random.percent(20) {
                expected[parcel.serial] = nil
                context.delete(parcel)
            }
        }
        for number in 0..<60 {
            let parcel = ParcelsV2.Parcel(
                "parcel \(Int.random(in: 0..<40, using: &random))", serial: Int(Int32.max) + number * 7,
                code: .random(in: .min ... .max, using: &random), weight: .random(in: -1e200...1e200, using: &random),
                rank: .random(in: -300...300, using: &random))
            if random.percent(50) { parcel.width = .random(in: 0...3, using: &random) }
            if random.percent(50) { parcel.note = "fragile" }
            context.insert(parcel)
            expected[parcel.serial] = ExpectedParcel(parcel)
        }
        try context.save()
        return expected
    }

    private func check(
        _ filter: Foundation.Predicate<ParcelsV2.Parcel>, _ expected: [Int: ExpectedParcel], in context: ModelContext,
        line: Int = #line, _ test: (ExpectedParcel) -> Bool
    ) throws {
        let found = try context.fetch(FetchDescriptor(predicate: filter)).map(\.serial)
        #expect(found.sorted() == expected.values.filter(test).map(\.serial).sorted(), "line \(line)")
        #expect(try context.fetchCount(FetchDescriptor(predicate: filter)) == found.count, "line \(line)")
    }

    private func order<Key: Comparable>(
        by sort: SortDescriptor<ParcelsV2.Parcel>, _ expected: [Int: ExpectedParcel], in context: ModelContext,
        _ key: (ExpectedParcel) -> Key
    ) throws {
        let sorted = try context.fetch(FetchDescriptor(sortBy: [sort, SortDescriptor(\.serial)]))
        let wanted = expected.values.sorted { (key($0), $0.serial) < (key($1), $1.serial) }
        #expect(sorted.map(\.serial) == wanted.map(\.serial))
    }

    @Test("are fetched and sorted as a full scan of their values says", arguments: 0..<6 as Range<UInt64>)
    func fetches(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let expected = try makeRows(&random)
        // The first round meets objects that the context does not have, the second one those that it has.
        let container = try folder.openParcels(ParcelsV2.self)
        let context = ModelContext(container)
        for _ in 0..<2 {
            for _ in 0..<8 {
                let (weight, width) = (
                    Double.random(in: -9...9, using: &random), Double.random(in: 0...3, using: &random)
                )
                let (code, floor) = (
                    Int32.random(in: 0...65_535, using: &random), Int16.random(in: -99...99, using: &random)
                )
                let (rank, serial) = (
                    Int.random(in: -300...300, using: &random),
                    try #require(expected.keys.sorted().randomElement(using: &random))
                )
                try check(#Predicate { $0.weight > weight }, expected, in: context) { $0.weight > weight }
                try check(#Predicate { ($0.width ?? 9) > width }, expected, in: context) { ($0.width ?? 9) > width }
                try check(#Predicate { $0.code > code }, expected, in: context) { $0.code > code }
                try check(#Predicate { $0.floor == nil }, expected, in: context) { $0.floor == nil }
                try check(#Predicate { ($0.floor ?? 0) < floor }, expected, in: context) { ($0.floor ?? 0) < floor }
                try check(#Predicate { $0.rank < rank }, expected, in: context) { $0.rank < rank }
                try check(#Predicate { $0.serial == serial }, expected, in: context) { $0.serial == serial }
                try check(#Predicate { $0.serial > serial && $0.weight < weight }, expected, in: context) {
                    $0.serial > serial && $0.weight < weight
                }
            }
            try check(#Predicate { $0.note == "none" }, expected, in: context) { $0.note == "none" }
            try check(#Predicate { $0.note.contains("r") }, expected, in: context) { $0.note.contains("r") }
            try check(#Predicate { $0.details == "nothing" }, expected, in: context) { $0.details == "nothing" }
            try check(#Predicate { $0.label == nil }, expected, in: context) { $0.label == nil }
            try check(#Predicate { $0.depot == nil }, expected, in: context) { $0.depot == nil }
            try order(by: SortDescriptor(\.weight), expected, in: context, \.weight)
            try order(by: SortDescriptor(\.code, order: .reverse), expected, in: context) { -Int($0.code) }
            try order(by: SortDescriptor(\.floor), expected, in: context) { $0.floor.map(Int.init) ?? .min }
            try order(by: SortDescriptor(\.width), expected, in: context) { $0.width ?? -.infinity }
            try order(by: SortDescriptor(\.note), expected, in: context) {
                ["fragile", "none", "über"].firstIndex(of: $0.note) ?? -1
            }
            try order(by: SortDescriptor(\.rank), expected, in: context, \.rank)
            let found = try context.fetch(FetchDescriptor<ParcelsV2.Parcel>())
            #expect(Dictionary(uniqueKeysWithValues: found.map { ($0.serial, ExpectedParcel($0)) }) == expected)
        }
        #expect(try container.store.catalog().schema.entities.flatMap(\.indexes).allSatisfy { $0.state == .ready })
        #expect(try container.store.check().faults == [])
    }

    @Test("are dumped and loaded with their present values")
    func dump() throws {
        var random = SeededGenerator(seed: 7)
        let expected = try makeRows(&random)
        let container = try folder.openParcels(ParcelsV2.self)
        var bytes: [UInt8] = []
        try container.store.read { snapshot in
            try StoreDump.write(snapshot.schema.entities, of: snapshot) { bytes += $0 }
        }
        let other = try TemporaryFolder()
        do {
            let store = try Store.open(path: other.store.path)
            var reader = try DumpReader(ByteSource(bytes: bytes))
            _ = try StoreDump.load(&reader, into: store)
        }
        let loaded = try other.openParcels(ParcelsV2.self)
        let found = try ModelContext(loaded).fetch(FetchDescriptor<ParcelsV2.Parcel>())
        #expect(Dictionary(uniqueKeysWithValues: found.map { ($0.serial, ExpectedParcel($0)) }) == expected)
        #expect(try loaded.store.check().faults == [])
        #expect(try container.store.read { try HistoryReader.entries(in: $0, after: 0) }.count == 2)
    }
}
