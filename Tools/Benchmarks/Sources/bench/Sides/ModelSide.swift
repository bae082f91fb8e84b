import Foundation
import Loam

/// The workload's row as a model, with the same four indexes.
@Model
final class Earthquake {
    #Index<Earthquake>([\.time], [\.day, \.time], [\.magnitude])

    @Attribute(.unique) var code: String
    var place: String
    var magnitude: Double
    var time: Date
    var day: String
    var felt: Int?
    var tsunami: Bool

    init(_ quake: Quake) {
        code = quake.code
        place = quake.place
        magnitude = quake.magnitude
        time = quake.time
        day = quake.day
        felt = quake.felt
        tsunami = quake.tsunami
    }

    /// The digest that the same row has on other sides without its id, which models lack.
    var digest: UInt64 {
        Quake.digest(
            id: 0, code: code, place: place, magnitude: magnitude, time: time, day: day, felt: felt, tsunami: tsunami)
    }
}

/// Models in a container of their own. Saves are durable.
final class ModelSide {
    let path: String
    private var opened: ModelContainer?

    init(folder: String) {
        path = folder + "/models.loam"
    }

    var container: ModelContainer {
        get throws {
            if let opened { return opened }
            let configuration = ModelConfiguration(url: URL(fileURLWithPath: path))
            let container = try ModelContainer(for: Earthquake.self, configurations: configuration)
            opened = container
            return container
        }
    }

    func close() { opened = nil }

    /// Makes an empty file in the place of the old one.
    func makeEmptyStore() throws {
        close()
        try removeFiles(path, path + "-lock")
        _ = try container
    }

    /// Inserts all rows through one context.
    func insert(_ rows: [Quake]) throws {
        let context = ModelContext(try container)
        for quake in rows { context.insert(Earthquake(quake)) }
        try context.save()
    }

    /// The identifiers of all rows in the order in which they were inserted, which is that of the other sides' ids.
    func identifiers() throws -> [PersistentIdentifier] {
        try ModelContext(container).fetchIdentifiers(FetchDescriptor<Earthquake>()).sorted()
    }
}

extension Sequence where Element == Earthquake {
    /// The sum of the models' digests.
    var digest: UInt64 { reduce(0) { $0 &+ $1.digest } }
}

extension Sequence where Element == Quake {
    /// The sum of the objects' digests without their ids.
    var contentDigest: UInt64 { reduce(0) { $0 &+ $1.contentDigest } }
}
