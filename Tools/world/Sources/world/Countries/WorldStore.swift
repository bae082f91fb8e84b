import Foundation
import Loam

/// The store with the countries: at a path, or in a folder that goes with the program.
struct WorldStore {
    let container: ModelContainer
    private let temporaryFolder: URL?

    /// Opens the store, and loads the samples where it has no countries.
    ///
    /// - Parameters:
    ///   - path: where it is; nil for one that ``remove()`` removes.
    ///   - samples: the folder with `countries.csv` and `cities.csv`; nil to leave an empty store empty.
    init(path: String?, samples: URL?) throws {
        var folder: URL?
        let file: URL
        if let path {
            file = URL(fileURLWithPath: path)
        } else {
            let made = FileManager.default.temporaryDirectory.appendingPathComponent("world-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: made, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            (folder, file) = (made, made.appendingPathComponent("world.loam"))
        }
        temporaryFolder = folder
        let schema = Schema([Country.self, City.self])
        container = try ModelContainer(
            for: schema, configurations: ModelConfiguration("world", schema: schema, url: file))
        if let samples { try Self.load(samples, into: ModelContext(container)) }
    }

    /// Removes a store that goes with the program.
    func remove() {
        if let temporaryFolder { try? FileManager.default.removeItem(at: temporaryFolder) }
    }

    private static let continents = [
        "AF": "Africa", "AN": "Antarctica", "AS": "Asia", "EU": "Europe", "NA": "North America", "OC": "Oceania",
        "SA": "South America",
    ]

    private static func load(_ folder: URL, into context: ModelContext) throws {
        guard try context.fetchCount(FetchDescriptor<Country>()) == 0 else { return }
        var countries: [String: Country] = [:]
        for row in try Samples(contentsOf: folder.appendingPathComponent("countries.csv")).rows {
            let country = Country(
                code: try row["iso"], name: try row["name"],
                continent: continents[try row["continent_code"]] ?? "Elsewhere", capital: try row["capital"],
                population: Int(try row["population"]) ?? 0, area: Double(try row["area_km2"]) ?? 0)
            context.insert(country)
            countries[country.code] = country
        }
        for row in try Samples(contentsOf: folder.appendingPathComponent("cities.csv")).rows {
            guard let country = countries[try row["country_iso"]], let people = Int(try row["population"]) else {
                continue
            }
            context.insert(City(try row["name"], population: people, country: country))
        }
        try context.save()
    }

    /// Marks a country as visited or not, and saves. Whether there is such a country.
    func mark(code: String, visited: Bool) throws -> Bool {
        let context = ModelContext(container)
        let wanted = code.uppercased()
        guard
            let country = try context.fetch(FetchDescriptor(predicate: #Predicate<Country> { $0.code == wanted })).first
        else { return false }
        country.visited = visited
        try context.save()
        return true
    }
}
