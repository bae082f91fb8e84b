import LoamViews

/// A country with its largest cities.
struct CountryPage: View {
    @Query private var countries: [Country]
    @Query private var cities: [City]

    init(code: String) {
        _countries = Query(filter: #Predicate { $0.code == code })
        var largest = FetchDescriptor<City>(
            predicate: #Predicate { $0.countryCode == code }, sortBy: [SortDescriptor(\.population, order: .reverse)])
        largest.fetchLimit = 20
        _cities = Query(largest)
    }

    var body: some View {
        if let country = countries.first {
            Form {
                CountryFacts(country: country)
                Section("Largest cities") {
                    ForEach(cities) { city in
                        HStack {
                            Text(city.name)
                            Text(city.population, format: .number).foregroundStyle(.secondary)
                        }
                    }
                }
            }
            .navigationTitle(country.name)
        } else {
            ContentUnavailableView("No such country", systemImage: "globe")
        }
    }
}

/// What is known of a country.
private struct CountryFacts: View {
    let country: Country

    var body: some View {
        Section {
            VisitedToggle(country: country)
            LabeledContent("Continent", value: country.continent)
            LabeledContent("Capital", value: country.capital)
            LabeledContent("People", value: country.population, format: .number)
            LabeledContent("Area in km²", value: country.area, format: .number)
        }
    }
}
