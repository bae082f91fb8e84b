import Foundation
import Loam

@Model final class Country {
    #Index<Country>([\.name])
    @Attribute(.unique) var code: String
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \City.country) var cities: [City] = []

    init(code: String, name: String) {
        self.code = code
        self.name = name
    }
}

@Model final class City {
    #Index<City>([\.population], [\.name])
    var name: String
    var population: Int = 0
    var founded: Date?
    var country: Country?
    var tags: [Tag] = []
    @Transient var note = ""

    init(_ name: String, population: Int = 0, country: Country? = nil) {
        self.name = name
        self.population = population
        self.country = country
    }
}

@Model final class Tag {
    var name: String
    @Relationship(inverse: \City.tags) var cities: [City] = []

    init(_ name: String) { self.name = name }
}

/// A model with every type of attribute.
@Model final class Everything {
    enum Size: String, Codable { case small, large }
    enum Level: Int, Codable, CaseIterable { case low = 3, high = 7 }
    struct Place: Codable, Hashable {
        var street: String
        var number: Int?
        var size: Size
    }

    var bool = false
    var int = 0
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var uint: UInt = 0
    var uint8: UInt8 = 0
    var uint16: UInt16 = 0
    var uint32: UInt32 = 0
    var uint64: UInt64 = 0
    var float: Float = 0
    var double: Double = 0
    var decimal: Decimal = 0
    var string = ""
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var uuid = UUID()
    var url = URL(fileURLWithPath: "/")
    var data = Data()
    var size: Size = Size.small
    var level: Level?
    var place: Place = Place(street: "", number: nil, size: .small)
    var places: [Place] = []
    var names: [String: Int] = [:]
    var text: String?
    var number: Int?
    var optionalPlace: Place?

    init() {}
}

func memoryContainer(_ types: any PersistentModel.Type...) throws -> ModelContainer {
    try ModelContainer(
        for: Schema(types), configurations: ModelConfiguration(UUID().uuidString, isStoredInMemoryOnly: true))
}

/// A folder that is removed when the test is over.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("loam-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var store: URL { url.appendingPathComponent("test.loam") }
}
