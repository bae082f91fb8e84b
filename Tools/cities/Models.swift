import Loam

@Model final class Country {
    @Attribute(.unique) var code: String
    var name: String
    var continent: String
    @Relationship(deleteRule: .cascade, inverse: \City.country) var cities: [City] = []

    init(code: String, name: String, continent: String) {
        self.code = code
        self.name = name
        self.continent = continent
    }
}

@Model final class City {
    #Index<City>(.sectioned([\.countryCode, \.name]), .folded([\.name]))

    var name: String
    var population: Int
    var timezone: String
    var country: Country?
    /// The country's code, kept here too: the sections are those of an index over the city's own values.
    var countryCode: String

    init(_ name: String, population: Int, timezone: String, country: Country) {
        self.name = name
        self.population = population
        self.timezone = timezone
        self.country = country
        countryCode = country.code
    }
}
