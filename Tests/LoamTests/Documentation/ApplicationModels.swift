import Foundation
import Loam

// Models in the shapes that applications give them.

/// A weather station: defaults everywhere, raw values beside enums, composite values, a shortcut beside a to-many
/// relationship.
@Model
final class Station {
    #Index<Station>([\.number], [\.isFavorite, \.lastHeard])

    @Attribute(.unique) var number: Int64 = 0
    var isIgnored: Bool = false
    var isFavorite = false
    var hops: Int32 = 0
    private(set) var lastHeard: Date?
    var kindRaw: String?
    var language: Language = Language.english
    var limits: Limits?
    var origin: Origin = Origin.unknown
    var labels: [String] = []
    var counts: [String: Int] = [:]
    var flags: Set<String> = []
    @Attribute(.externalStorage) var image: Data?
    @Attribute(originalName: "remark", hashModifier: "2") var note: String = ""
    @Relationship(deleteRule: .cascade, inverse: \Reading.station) var readings: [Reading] = []
    @Relationship(deleteRule: .nullify) var latest: Reading?
    @Transient private(set) var isSelected = false

    init(number: Int64, kind: Kind? = nil) {
        self.number = number
        self.kind = kind
    }

    func hear(at date: Date) { lastHeard = date }
}

extension Station {
    enum Language: Int, Codable, CaseIterable {
        case english, german

        var title: String { "\(self)" }
    }

    enum Kind: String { case land, sea }

    /// Cases with values.
    enum Origin: Codable, Hashable {
        case unknown
        case import_(file: String, line: Int)
        case user(Limits)
    }

    struct Limits: Codable, Hashable {
        var lower: Double
        var upper: Double?
        var reasons: [Reason] = []

        struct Reason: Codable, Hashable {
            var text: String
        }
    }

    var kind: Kind? {
        get { kindRaw.flatMap(Kind.init) }
        set { kindRaw = newValue?.rawValue }
    }

    static var favorites: FetchDescriptor<Station> {
        var descriptor = FetchDescriptor<Station>(
            predicate: #Predicate { $0.isFavorite && !$0.isIgnored },
            sortBy: [SortDescriptor(\.number, order: .reverse)])
        descriptor.fetchLimit = 3
        return descriptor
    }
}

@Model
final class Reading {
    var time: Date
    var value: Double
    var isValid = true
    var station: Station?

    init(time: Date, value: Double, station: Station? = nil) {
        self.time = time
        self.value = value
        self.station = station
    }
}

/// What applications put around a container, whatever the model.
protocol Database<Element> {
    associatedtype Element: PersistentModel
    var container: ModelContainer { get }
}

extension Database {
    func read(_ predicate: Predicate<Element>? = nil, sortBy order: [SortDescriptor<Element>] = []) throws -> [Element]
    {
        try ModelContext(container).fetch(FetchDescriptor<Element>(predicate: predicate, sortBy: order))
    }

    func delete(_ models: [Element]) throws {
        let context = ModelContext(container)
        let ids = Set(models.map { $0.persistentModelID })
        try context.delete(
            model: Element.self,
            where: #Predicate { model in
                ids.contains(model.persistentModelID)
            })
        try context.save()
    }

    func count(of id: PersistentIdentifier) throws -> Int {
        try ModelContext(container).fetchCount(
            FetchDescriptor<Element>(predicate: #Predicate { $0.persistentModelID == id }))
    }
}

struct Stations: Database {
    typealias Element = Station
    let container: ModelContainer
}

/// What a list remembers of a model.
struct Selection: Hashable, Codable {
    var id: PersistentIdentifier
    var title: String
}
