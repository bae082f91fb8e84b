import Foundation
import LoamStorage

/// 2,000 cities in 10 countries, by arithmetic: the same in every run.
final class CityStore {
    let store: Store
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "loam-cities-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var options = StoreOptions()
        options.durability = .recent
        store = try Store.open(path: folder.appending(path: "store").path, options: options)
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "City",
                    properties: [
                        .init("name", type: .string), .init("country", type: .string),
                        .init("population", type: .int64, isOptional: true),
                        .init("founded", type: .date, isOptional: true),
                        .init("mayor", type: .string, isOptional: true),
                    ],
                    indexes: [
                        .init([.init("country"), .init("population")], isSectioned: true),
                        .init([.init("name", form: .caseAndDiacriticFolded)]),
                        .init([.init("population", direction: .descending)]),
                        .init([.init("founded")], included: ["country"]), .init([.init("mayor")]),
                    ])))
        let entity = try store.read { try $0.entity(named: "City") }
        var batch = WriteBatch(author: "test")
        for number in 0..<2000 {
            let isUnknown = number % 50 == 7
            let values: [Value] = [
                .string("Çity \(number)"), .string("C\(number % 10)"),
                isUnknown ? .null : .int(Int64(number * 7919 % 100_003)),
                .date(Date(timeIntervalSinceReferenceDate: Double(number) * 86400)),
                number == 1234 ? .string(String(repeating: "m", count: 600)) : .string("m\(number % 100)"),
            ]
            batch.insert(
                try store.catalog().encode(values, as: entity.id), into: entity.id, rowID: try store.makeRowID())
        }
        try store.save(batch)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
