import Foundation
import Loam

/// The models of a program, as its older version declares them.
enum OlderModels {
    @Model final class Trip {
        @Attribute(.unique) var number: Int
        var title = ""
        var days = 0
        @Relationship(deleteRule: .nullify, inverse: \Stay.trip) var stays: [Stay] = []

        init(_ number: Int) { self.number = number }
    }

    @Model final class Stay {
        var id: Int
        var trip: Trip?

        init(_ id: Int) { self.id = id }
    }
}

/// The models as the newer version declares them: a property under another name, more properties, relationships, an
/// entity, indexes and a constraint.
enum NewerModels {
    @Model final class Trip {
        #Index<Trip>([\.rating], [\.name, \.days])
        #Unique<Trip>([\.code])
        @Attribute(.unique) var number: Int
        @Attribute(originalName: "title") var name = ""
        var days = 0
        var rating = -1
        var note: String?
        var code: String?
        var picture = Data()
        @Relationship(deleteRule: .cascade, inverse: \Stay.trip) var stays: [Stay] = []
        var guide: Guide?

        init(_ number: Int) { self.number = number }
    }

    @Model final class Stay {
        var id: Int
        var trip: Trip?
        var remark = 0

        init(_ id: Int) { self.id = id }
    }

    @Model final class Guide {
        @Attribute(.unique) var name: String
        @Relationship(inverse: \Trip.guide) var trips: [Trip] = []

        init(_ name: String) { self.name = name }
    }
}

/// The version of the program that a process is.
enum ProgramVersion: String, CaseIterable {
    case older, newer

    func open(_ path: String) throws -> ModelContainer {
        let configuration = ModelConfiguration(url: URL(fileURLWithPath: path))
        switch self {
        case .older:
            return try ModelContainer(
                for: Schema([OlderModels.Trip.self], version: Schema.Version(1, 0, 0)), configurations: configuration)
        case .newer:
            return try ModelContainer(
                for: Schema([NewerModels.Trip.self], version: Schema.Version(2, 0, 0)), configurations: configuration)
        }
    }
}

/// The values that a write of this number gives to a trip.
struct VersionsValues {
    let number: Int

    var title: String { "title \(number)" }
    var note: String? { number.isMultiple(of: 5) ? nil : "note \(number)" }
    var code: String { "code \(number)" }
    /// A picture; some are too long to lie in the record.
    var picture: Data {
        Data(repeating: UInt8(truncatingIfNeeded: number), count: number.isMultiple(of: 7) ? 40_000 : 9)
    }
    var guide: String { "guide \(number % 5)" }
}
