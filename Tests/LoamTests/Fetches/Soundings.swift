import Foundation
import Loam
import SeededRandom

/// Models for fetches of values and aggregates, with properties of many types.
@Model final class Mooring {
    var name: String
    var altitude: Int

    init(name: String, altitude: Int) {
        (self.name, self.altitude) = (name, altitude)
    }
}

@Model final class Sounding {
    enum Quality: Int, Codable, Comparable {
        case poor = 1, fair, good
        static func < (left: Quality, right: Quality) -> Bool { left.rawValue < right.rawValue }
    }

    struct Device: Codable, Hashable {
        var maker: String
        var serial: Int?
    }

    #Index<Sounding>([\.station, \.level], [\.amount], [\.day])
    var name: String
    var station: String?
    var level: Int
    var small: Int8?
    var mass: UInt16
    var value: Double
    var weight: Float?
    var amount: Decimal
    var day: Date?
    var isValid: Bool
    var quality: Quality
    var device: Device?
    var tags: [String]
    var site: Mooring
    var neighbour: Mooring?

    init(site: Mooring, _ generator: inout SeededGenerator) {
        name = Self.names[Int.random(in: 0..<Self.names.count, using: &generator)]
        station = generator.percent(20) ? nil : "S\(Int.random(in: 0..<5, using: &generator))"
        let (number, flag) = (Int.random(in: -20...20, using: &generator), generator.percent(60))
        level = number
        small = generator.percent(30) ? nil : Int8.random(in: -100...100, using: &generator)
        mass = UInt16.random(in: 0...9, using: &generator)
        value = Double.random(in: -1...1, using: &generator)
        weight = generator.percent(30) ? nil : Float.random(in: 0...10, using: &generator)
        amount = Decimal(Int.random(in: -999...999, using: &generator)) / 100
        day = generator.percent(30) ? nil : Date(timeIntervalSinceReferenceDate: Double(number) * 86_400)
        isValid = flag
        quality = [.poor, .fair, .good][Int.random(in: 0..<3, using: &generator)]
        device = generator.percent(40) ? nil : Device(maker: "M\(number)", serial: flag ? number : nil)
        tags = (0..<Int.random(in: 0..<3, using: &generator)).map { "t\($0)" }
        self.site = site
        neighbour = nil
    }

    private static let names = ["", "a", "A", "é", "e\u{301}", "Zürich", "zurich", "日本", "b c"]
}

/// A container with soundings, and a context with unsaved changes of them.
struct SoundingStore {
    let container: ModelContainer
    let context: ModelContext

    init(seed: UInt64, count: Int = 200, changes: Bool = true) throws {
        var generator = SeededGenerator(seed: seed)
        container = try memoryContainer(Sounding.self, Mooring.self)
        context = ModelContext(container)
        let sites = (0..<4).map { Mooring(name: "Mooring \($0 % 3)", altitude: $0 * 100) }
        for site in sites { context.insert(site) }
        func site() -> Mooring { sites[Int.random(in: 0..<4, using: &generator)] }
        for _ in 0..<count {
            let place = site()
            context.insert(Sounding(site: place, &generator))
        }
        try context.save()
        guard changes else { return }
        for sounding in try context.fetch(FetchDescriptor<Sounding>()) {
            switch Int.random(in: 0..<12, using: &generator) {
            case 0: context.delete(sounding)
            case 1: sounding.level = Int.random(in: -20...20, using: &generator)
            case 2: (sounding.station, sounding.small) = ("S9", 1)
            case 3: sounding.site = site()
            default: break
            }
        }
        for _ in 0..<count / 20 {
            let place = site()
            context.insert(Sounding(site: place, &generator))
        }
        sites[1].altitude = 55
    }

    /// Conditions of several kinds, with the same in plain Swift.
    static var conditions: [(predicate: Predicate<Sounding>?, holds: (Sounding) -> Bool)] {
        [
            (nil, { _ in true }),
            (#Predicate { $0.level > 0 }, { $0.level > 0 }),
            (#Predicate { $0.station == "S1" && $0.level < 10 }, { $0.station == "S1" && $0.level < 10 }),
            (#Predicate { $0.station == nil || $0.isValid }, { $0.station == nil || $0.isValid }),
            (#Predicate { $0.site.altitude > 50 }, { $0.site.altitude > 50 }),
            (#Predicate { $0.level > 1_000 }, { $0.level > 1_000 }),
        ]
    }

    /// The models that match, by identifier.
    func soundings(_ condition: (Sounding) -> Bool) throws -> [Sounding] {
        try context.fetch(FetchDescriptor<Sounding>()).filter(condition)
    }
}
