import Foundation
import Loam

/// The models of an application, as two versions declare them.
enum OldTrips {
    @Model final class Trip {
        @Attribute(.unique) var number: Int
        var title: String
        var days = 1
        @Relationship(deleteRule: .nullify, inverse: \Stay.trip) var stays: [Stay] = []

        init(_ number: Int, _ title: String) { (self.number, self.title) = (number, title) }
    }

    @Model final class Stay {
        var name: String
        var trip: Trip?

        init(_ name: String) { self.name = name }
    }
}

enum NewTrips {
    @Model final class Trip {
        #Index<Trip>([\.rating, \.days])
        #Unique<Trip>([\.code], [\.name, \.days])
        @Attribute(.unique) var number: Int
        @Attribute(originalName: "title") var name: String
        var days = 1
        var rating = 3
        var note: String?
        var code: String?
        @Relationship(deleteRule: .cascade, inverse: \Stay.trip) var stays: [Stay] = []
        var guide: Guide?

        init(_ number: Int, _ name: String) { (self.number, self.name) = (number, name) }
    }

    @Model final class Stay {
        var name: String
        var trip: Trip?
        var remark = "none"

        init(_ name: String) { self.name = name }
    }

    @Model final class Guide {
        var name: String
        @Relationship(inverse: \Trip.guide) var trips: [Trip] = []

        init(_ name: String) { self.name = name }
    }
}

/// A version that agrees with no other one: a guide must have a licence, and a title is a number.
enum OtherTrips {
    @Model final class Guide {
        var name: String
        var licence: String

        init(_ name: String, licence: String) { (self.name, self.licence) = (name, licence) }
    }

    @Model final class Trip {
        var number: Int
        var weather = "fair"
        var days: String

        init(_ number: Int, days: String) { (self.number, self.days) = (number, days) }
    }
}

/// Two relationships name the same inverse, as in Apple's sample.
enum BackyardBirds {
    @Model final class Yard {
        var id = UUID()
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Plant.yard) var leadingPlants: [Plant] = []
        @Relationship(deleteRule: .cascade, inverse: \Plant.yard) var trailingPlants: [Plant] = []

        init(_ name: String) { self.name = name }
    }

    @Model final class Plant {
        var id = UUID()
        var name: String
        var yard: Yard?

        init(_ name: String) { self.name = name }
    }
}

/// The stores of both versions.
enum TripStore {
    static func open(
        _ url: URL, _ types: [any PersistentModel.Type], version: Schema.Version = Schema.Version(1, 0, 0)
    ) throws -> ModelContainer {
        try ModelContainer(for: Schema(types, version: version), configurations: ModelConfiguration(url: url))
    }

    static func openOld(_ url: URL) throws -> ModelContainer { try open(url, [OldTrips.Trip.self]) }

    static func openNew(_ url: URL) throws -> ModelContainer {
        try open(url, [NewTrips.Trip.self], version: Schema.Version(2, 0, 0))
    }
}

extension TemporaryFolder {
    func open(
        _ types: any PersistentModel.Type..., version: Schema.Version = Schema.Version(1, 0, 0)
    ) throws
        -> ModelContainer
    {
        try TripStore.open(store, types, version: version)
    }

    func openOld() throws -> ModelContainer { try TripStore.openOld(store) }
    func openNew() throws -> ModelContainer { try TripStore.openNew(store) }
}
