package import Foundation
package import LoamStorage

/// Earthquakes by arithmetic, as the benchmarks have them: the same in every run, in no order of their times.
package final class QuakeStore: Sendable {
    package let store: Store
    package let rowCount: Int
    /// Each has as many quakes as any other, about.
    package let dayCount: Int
    private let folder: URL?

    /// Where the store is; nil in memory.
    package var path: String? { folder?.appending(path: "quakes.loam").path }

    /// The seconds from 2001 to the first day.
    private static let start: Double = 599_616_000
    private static let regions = [
        "Alaska", "California", "Nevada", "Hawaii", "Chile", "Peru", "Japan region", "Indonesia", "Tonga", "Fiji",
        "Greece", "Turkey", "Iran", "Mexico", "Guatemala", "Philippines", "Taiwan", "Italy",
    ]
    private static let towns = [
        "Adak", "Sand Point", "Nikolski", "Ridgecrest", "Volcano", "Arica", "Hihifo", "Tonopah",
    ]

    /// - Parameters:
    ///   - rowCount: at least 1,000; a million has 1,000 days.
    ///   - parent: where its folder is made, which goes with it; nil for a store in memory.
    /// - Throws: what the store throws.
    package init(rowCount: Int, in parent: URL? = nil) throws {
        self.rowCount = rowCount
        dayCount = min(1_000, max(1, rowCount / 100))
        folder = parent?.appending(path: "loam-quakes-\(UUID().uuidString)")
        var options = StoreOptions()
        options.durability = .recent
        options.isInMemory = folder == nil
        if let folder { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
        store = try Store.open(path: folder?.appending(path: "quakes.loam").path ?? "", options: options)
        _ = try store.load(.newEntity(Self.definition), rowCount: rowCount) { load in
            for number in 0..<rowCount { try load.append(values(number)) }
        }
    }

    deinit { if let folder { try? FileManager.default.removeItem(at: folder) } }

    private static let definition = EntityDefinition(
        "Quake",
        properties: [
            .init("code", type: .string), .init("place", type: .string), .init("magnitude", type: .double),
            .init("time", type: .date), .init("day", type: .string), .init("felt", type: .int64, isOptional: true),
            .init("tsunami", type: .bool),
        ],
        indexes: [
            .init([.init("time")]), .init([.init("day"), .init("time")], isSectioned: true),
            .init([.init("day"), .init("magnitude")], isSectioned: true), .init([.init("magnitude")]),
            .init([.init("code")], kind: .unique),
        ])

    /// The values of a row, by its number from 0 on.
    package func values(_ number: Int) -> [Value] {
        var state = UInt64(number + 1) &* 0x9E37_79B9
        func next(_ count: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return Int((mixed ^ mixed >> 31) % UInt64(count))
        }
        let seconds = next(dayCount * 86_400)
        let region = Self.regions[next(Self.regions.count)]
        let town = Self.towns[next(Self.towns.count)]
        let place = "\(10 + next(190)) km N of \(town), \(region)"
        return [
            .string(code(number)), .string(place), .double(Double(next(1_000)) / 100), .date(time(Double(seconds))),
            .string(day(seconds / 86_400)), next(3) == 0 ? .int(Int64(next(500))) : .null, .bool(next(50) == 0),
        ]
    }

    /// The code of a row, which no other one has. Codes follow each other in no order of rows.
    package func code(_ number: Int) -> String {
        let code = String(UInt32(truncatingIfNeeded: number + 1) &* 0x9E37_79B1, radix: 16)
        return "us" + String(repeating: "0", count: 8 - code.count) + code
    }

    package func day(_ number: Int) -> String { "day \(10_000 + number)" }

    /// The time so many seconds behind the first day's beginning.
    package func time(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: Self.start + seconds) }
}
