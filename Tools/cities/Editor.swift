import Loam

/// Changes cities in a context of its own, on a queue of its own.
@ModelActor
actor Editor {
    func setPopulation(_ population: Int, of name: String) throws {
        try city(name).population = population
        try modelContext.save()
    }

    func rename(_ name: String, to newName: String) throws {
        try city(name).name = newName
        try modelContext.save()
    }

    func insert(_ name: String, population: Int, timezone: String, in code: String) throws {
        modelContext.insert(City(name, population: population, timezone: timezone, country: try country(code)))
        try modelContext.save()
    }

    func delete(_ name: String) throws {
        modelContext.delete(try city(name))
        try modelContext.save()
    }

    func deleteCountry(_ code: String) throws {
        modelContext.delete(try country(code))
        try modelContext.save()
    }

    func setContinent(_ continent: String, of code: String) throws {
        try country(code).continent = continent
        try modelContext.save()
    }

    private func city(_ name: String) throws -> City {
        var descriptor = FetchDescriptor<City>(predicate: #Predicate { $0.name == name })
        descriptor.fetchLimit = 1
        guard let city = try modelContext.fetch(descriptor).first else { throw SamplesError(column: name) }
        return city
    }

    private func country(_ code: String) throws -> Country {
        let descriptor = FetchDescriptor<Country>(predicate: #Predicate { $0.code == code })
        guard let country = try modelContext.fetch(descriptor).first else { throw SamplesError(column: code) }
        return country
    }
}
