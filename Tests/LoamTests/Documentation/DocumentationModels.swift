import Foundation
import Loam

// Models as SwiftData's documentation and sample code write them: they build with another import and no other change.

/// Relationships and enumerations: categories of animals.
@Model
final class AnimalCategory {
    @Attribute(.unique) var name: String
    // `.cascade` tells the store to delete all animals of the category when deleting it.
    @Relationship(deleteRule: .cascade, inverse: \Animal.category)
    var animals = [Animal]()

    init(name: String) {
        self.name = name
    }
}

@Model
final class Animal {
    var name: String
    var diet: Diet
    var category: AnimalCategory?

    init(name: String, diet: Diet) {
        self.name = name
        self.diet = diet
    }
}

extension Animal {
    enum Diet: String, CaseIterable, Codable {
        case herbivorous = "Herbivore"
        case carnivorous = "Carnivore"
        case omnivorous = "Omnivore"
    }
}

/// A copy of a server's data: unique attributes and composite values.
@Model
class Quake {
    @Attribute(.unique) var code: String
    var magnitude: Double
    var time: Date
    var location: Location

    init(code: String, magnitude: Double, time: Date, name: String, longitude: Double, latitude: Double) {
        self.code = code
        self.magnitude = magnitude
        self.time = time
        self.location = Location(name: name, longitude: longitude, latitude: latitude)
    }
}

extension Quake {
    struct Location: Codable {
        var name: String
        var longitude: Double
        var latitude: Double
    }
}

extension Quake: Identifiable {}

extension Quake {
    /// The data that a server sends.
    struct Feature: Decodable {
        let mag: Double
        let place: String
        let time: Date
        let code: String
        let coordinates: [Double]
    }

    convenience init(from feature: Feature) {
        self.init(
            code: feature.code, magnitude: feature.mag, time: feature.time, name: feature.place,
            longitude: feature.coordinates[0], latitude: feature.coordinates[1])
    }

    /// The quakes of a day whose place has a text in its name: a path into a composite value, and captured conditions.
    static func predicate(searchText: String, searchDate: Date) -> Predicate<Quake> {
        let calendar = Calendar.autoupdatingCurrent
        let start = calendar.startOfDay(for: searchDate)
        let end = calendar.date(byAdding: .init(day: 1), to: start) ?? start

        return #Predicate<Quake> { quake in
            (searchText.isEmpty || quake.location.name.contains(searchText))
                && (quake.time > start && quake.time < end)
        }
    }
}

extension Array where Element: Quake {
    subscript(id: Quake.ID?) -> Quake? { first { $0.id == id } }
}

extension Quake: CustomStringConvertible {
    var description: String { "\(code): \(magnitude) at \(location.name)" }
}

/// Transient properties and external storage.
@Model
final class RemoteImage {
    @Attribute(.unique) var sourceURL: URL
    @Attribute(.externalStorage) var data: Data?
    @Transient var isDownloading = false

    init(sourceURL: URL, data: Data? = nil) {
        self.sourceURL = sourceURL
        self.data = data
    }
}

/// Trips: indexes, compound uniqueness, names of an older store, optional to-many relationships.
@Model class Trip {
    #Index<Trip>([\.name], [\.startDate], [\.endDate], [\.name, \.startDate, \.endDate])
    #Unique<Trip>([\.name, \.startDate, \.endDate])

    @Attribute(originalName: "title")
    var name: String
    var destination: String
    var startDate: Date
    var endDate: Date

    @Relationship(deleteRule: .cascade, inverse: \BucketListItem.trip)
    var bucketList: [BucketListItem] = [BucketListItem]()

    @Relationship(deleteRule: .cascade, inverse: \LivingAccommodation.trip)
    var livingAccommodation: LivingAccommodation?

    @Transient
    var color: Double { name.isEmpty ? 0 : 1 }

    @Transient
    var tripViews: Int = 0

    // The type is one that the store could not keep.
    @Transient var destinationWeather = Weather.current()

    init(name: String, destination: String, startDate: Date = .now, endDate: Date = .distantFuture) {
        self.name = name
        self.destination = destination
        self.startDate = startDate
        self.endDate = endDate
    }
}

struct Weather {
    var degrees: () -> Double

    static func current() -> Weather { Weather { 21 } }
}

@Model class BucketListItem {
    var title: String
    var details: String
    var hasReservation: Bool
    var isInPlan: Bool
    var trip: Trip?

    init(title: String, details: String, hasReservation: Bool, isInPlan: Bool) {
        self.title = title
        self.details = details
        self.hasReservation = hasReservation
        self.isInPlan = isInPlan
    }
}

@Model class LivingAccommodation {
    var address: String
    var placeName: String
    var isConfirmed: Bool = false
    var trip: Trip?

    init(address: String, placeName: String) {
        self.address = address
        self.placeName = placeName
    }
}

/// The template of a new project.
@Model
final class Item {
    var timestamp: Date

    init(timestamp: Date) {
        self.timestamp = timestamp
    }
}

/// Default values without a type of their own, and an identifier of the application's.
@Model
final class Recipe: Identifiable {
    #Unique([\Recipe.id])

    var id = UUID()
    var name = ""
    var ingredients: [String] = []
    var created = Date.now
    var rating: Int?
    var steps: [String: Int] = [:]
    var source: URL? = nil

    init(name: String) {
        self.name = name
    }
}

/// Versions of models, side by side; the newest one has the short name.
enum NotesV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)

    static var models: [any PersistentModel.Type] { [Note.self] }

    @Model final class Note {
        var title: String

        init(title: String) { self.title = title }
    }
}

enum NotesV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)

    static var models: [any PersistentModel.Type] { [Note.self, Folder.self] }
}

extension NotesV2 {
    @Model final class Note {
        @Attribute(.spotlight) var title: String
        var isPinned = false
        var isDeleted = false
        @Relationship(inverse: \Folder.notes) var folder: Folder?

        init(title: String) { self.title = title }
    }

    @Model final class Folder {
        var name: String
        var notes: [Note] = []

        init(name: String) { self.name = name }
    }
}

typealias Note = NotesV2.Note

enum NotesPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [NotesV1.self, NotesV2.self] }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: NotesV1.self, toVersion: NotesV2.self)] }
}
