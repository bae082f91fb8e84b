public import Foundation
public import Loam

// Shapes of classes that `@Model` takes, beside those of the documentation.

/// A public class that is not final, with members of every access level.
@Model public class Bird {
    /// The ring on its leg.
    @Attribute(.unique) public var id: String
    /// Only the class sets the date.
    public private(set) var hatched: Date
    var `default`: Bool = true
    private var secret: Int = 7
    var weight: Double?
    /// The relationship is implicitly unwrapped.
    public var species: BirdSpecies!
    /// The to-many relationship is optional.
    public var friends: [Bird]?
    @Relationship(inverse: \Bird.friends) var fans: [Bird] = []

    /// Makes a bird that has just hatched, unless another date is given.
    public init(id: String, hatched: Date = .now) {
        self.id = id
        self.hatched = hatched
    }

    var knownSecret: Int {
        get { secret }
        set { secret = newValue }
    }
}

/// A model with conformances of its own.
@Model public final class BirdSpecies: Hashable, Comparable {
    var name: String
    var palette: Palette
    var birds: [Bird] = []

    init(name: String, palette: Palette = Palette()) {
        self.name = name
        self.palette = palette
    }

    struct Palette: Codable, Hashable {
        var wing = [0.5, 0.25]
        var name: String?
    }

    /// Compares by name.
    public static func < (left: BirdSpecies, right: BirdSpecies) -> Bool { left.name < right.name }
}

/// A model that is `Codable` by hand, as models often are.
@Model final class Album: Codable {
    var title: String
    var songs: [Song] = []
    var best: Song?

    init(title: String) { self.title = title }

    enum CodingKeys: CodingKey { case title }

    init(from decoder: any Decoder) throws {
        title = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .title)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(title, forKey: .title)
    }
}

@Model final class Song: Codable {
    var title: String
    @Relationship(inverse: \Album.songs) var album: Album?
    @Relationship(inverse: \Album.best) var bestOf: Album?

    init(title: String) { self.title = title }

    enum CodingKeys: CodingKey { case title }

    init(from decoder: any Decoder) throws {
        title = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .title)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(title, forKey: .title)
    }
}

/// Models inside another type, with every kind of attribute.
enum Catalogue {
    enum Level: Int, Codable { case low, high }

    @Model final class Everything {
        var bool = true
        var int = 1
        var int8: Int8 = 2
        var uint64: UInt64 = .max
        var float: Float = 1.5
        var double = 2.5
        var string = "a"
        var date = Date(timeIntervalSinceReferenceDate: 1)
        var data = Data([1, 2])
        var uuid = UUID()
        var url = URL(fileURLWithPath: "/a")
        var decimal: Decimal = 1.25
        var level = Level.high
        var optionalLevel: Level?
        var levels: [Level] = [.low]
        var tags: Set<String> = ["x"]
        var counts: [String: Int] = [:]
        var optionals: [Int?] = [nil, 1]

        init() {}
    }
}

@ModelActor
actor Importer {
    func add(_ titles: [String]) throws {
        for title in titles { modelContext.insert(Album(title: title)) }
        try modelContext.save()
    }
}

/// An actor that other modules may use.
@ModelActor
public actor PublicImporter {}
