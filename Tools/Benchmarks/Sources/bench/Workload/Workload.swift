import Foundation

/// The rows of the benchmarks, made from a fixed seed: in the order of their ids, and in no order of their times.
struct Workload {
    /// The rows that are loaded, with the ids from 1 on.
    let rows: [Quake]
    let days: [String]

    static let dayCount = 1_000
    /// The seconds from 2001 to the first day, 2020-01-01.
    static let start: Double = 599_616_000
    private static let regions = [
        "Alaska", "California", "Nevada", "Hawaii", "Chile", "Peru", "Japan region", "Indonesia", "Papua New Guinea",
        "Tonga", "Fiji", "Vanuatu", "Greece", "Turkey", "Iran", "Mexico", "Guatemala", "Philippines", "Taiwan", "Italy",
    ]
    private static let towns = [
        "Adak", "Sand Point", "Nikolski", "Ridgecrest", "Volcano", "Arica", "Hihifo", "Tonopah",
    ]
    private static let winds = ["N", "NNE", "NE", "ESE", "SE", "SSW", "W", "NW"]

    init(rowCount: Int) {
        let days = Self.makeDays()
        self.days = days
        rows = (1...rowCount).map { Self.quake(id: UInt64($0), days: days) }
    }

    /// A row beyond the loaded ones, for inserts. `number` counts from 0 over all contests.
    func further(_ number: Int) -> Quake { Self.quake(id: UInt64(rows.count + 1 + number), days: days) }

    /// The bounds of a tenth of the times, from the middle.
    var range: (lower: Double, upper: Double) {
        let length = Double(Self.dayCount) * 86_400
        return (Self.start + 0.45 * length, Self.start + 0.55 * length)
    }

    /// The ids of loaded rows, in no order.
    func randomIDs(_ count: Int) -> [UInt64] {
        var random = SplitMix(state: 7)
        return (0..<count).map { _ in random.next() % UInt64(rows.count) + 1 }
    }

    private static func quake(id: UInt64, days: [String]) -> Quake {
        var random = SplitMix(state: id &* 0x9E37_79B9)
        let milliseconds = Int(random.next() % UInt64(dayCount * 86_400_000))
        let region = regions[Int(random.next() % UInt64(regions.count))]
        let town = towns[Int(random.next() % UInt64(towns.count))]
        let wind = winds[Int(random.next() % UInt64(winds.count))]
        let place = "\(10 + random.next() % 190) km \(wind) of \(town), \(region)"
        // Odd factors are bijections of the 32-bit numbers, so codes are unique.
        let code = String(UInt32(truncatingIfNeeded: id) &* 0x9E37_79B1, radix: 16)
        return Quake(
            id: id, code: "us" + String(repeating: "0", count: 8 - code.count) + code, place: place,
            magnitude: Double(random.next() % 1_000) / 100,
            time: Date(timeIntervalSinceReferenceDate: start + Double(milliseconds) / 1_000),
            day: days[milliseconds / 86_400_000], felt: random.next() % 3 == 0 ? Int(random.next() % 500) : nil,
            tsunami: random.next() % 50 == 0)
    }

    private static func makeDays() -> [String] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return (0..<dayCount).map { day in
            let date = Date(timeIntervalSinceReferenceDate: start + Double(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            func text(_ number: Int?, _ width: Int) -> String {
                let digits = "\(number ?? 0)"
                return String(repeating: "0", count: max(0, width - digits.count)) + digits
            }
            return "\(text(parts.year, 4))-\(text(parts.month, 2))-\(text(parts.day, 2))"
        }
    }
}

/// SplitMix64: small, fast, good enough, the same everywhere.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
