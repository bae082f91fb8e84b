import Loam

/// A country or territory, and whether one has been there.
@Model final class Country {
    #Index<Country>([\.continent, \.name], [\.population])

    @Attribute(.unique) var code: String
    var name: String
    var continent: String
    var capital: String
    var population: Int
    /// In square kilometres.
    var area: Double
    var visited: Bool = false
    @Relationship(deleteRule: .cascade, inverse: \City.country) var cities: [City] = []

    init(code: String, name: String, continent: String, capital: String = "", population: Int = 0, area: Double = 0) {
        self.code = code
        self.name = name
        self.continent = continent
        self.capital = capital
        self.population = population
        self.area = area
    }
}

/// A city of a country.
@Model final class City {
    #Index<City>([\.countryCode, \.population])

    var name: String
    var population: Int
    /// The country's code, kept here too: the index is over the city's own values.
    var countryCode: String
    var country: Country?

    init(_ name: String, population: Int, country: Country) {
        self.name = name
        self.population = population
        self.country = country
        countryCode = country.code
    }
}
