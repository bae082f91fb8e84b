import Foundation
import Testing

@testable import Loam

@Suite("Related models outside any context")
struct DraftTests {
    let container: ModelContainer

    init() throws {
        container = try memoryContainer(Country.self, ChainLink.self)
    }

    private func stored() throws -> (countries: [String], cities: [String]) {
        let context = ModelContext(container)
        let cities = try context.fetch(FetchDescriptor<City>(sortBy: [SortDescriptor(\.name)]))
        return (try context.fetch(FetchDescriptor<Country>()).map(\.code), cities.map(\.name))
    }

    @Test("whichever side of a to-one is inserted, the other goes along")
    func reference() throws {
        for insertsCity in [true, false] {
            let context = ModelContext(container)
            let country = Country(code: "no", name: "Norway")
            let city = City("Oslo", country: country)
            if insertsCity { context.insert(city) } else { context.insert(country) }
            #expect(context.insertedModelsArray.count == 2)
            #expect(country.cities.map(\.name) == ["Oslo"])
            try context.save()
            #expect(try stored() == (["no"], ["Oslo"]))
            try container.erase()
        }
    }

    @Test("whichever side of a to-many is inserted, the other goes along, with all that lead there")
    func members() throws {
        let context = ModelContext(container)
        let country = Country(code: "no", name: "Norway")
        let (oslo, bergen) = (City("Oslo"), City("Bergen"))
        country.cities = [oslo]
        country.cities.append(bergen)
        let moss = City("Moss")
        moss.country = country
        context.insert(bergen)
        #expect(context.insertedModelsArray.count == 4)
        #expect(country.cities.map(\.name) == ["Oslo", "Bergen", "Moss"])
        #expect(moss.country === country && oslo.country === country)
        try context.save()
        #expect(try stored() == (["no"], ["Bergen", "Moss", "Oslo"]))
    }

    @Test("many to many, said from both sides, is the union")
    func links() throws {
        let context = ModelContext(container)
        let (oslo, coast, north) = (City("Oslo"), Tag("coast"), Tag("north"))
        oslo.tags = [coast]
        north.cities = [oslo]
        context.insert(north)
        #expect(Set(oslo.tags.map(\.name)) == ["coast", "north"])
        #expect(coast.cities.first === oslo)
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Tag>()) == 2)
    }

    @Test("nobody else need hold the models that lead to one")
    func unheld() throws {
        let context = ModelContext(container)
        let country = Country(code: "no", name: "Norway")
        for name in ["A", "B", "C"] { City(name).country = country }
        context.insert(country)
        #expect(country.cities.map(\.name) == ["A", "B", "C"])
    }

    @Test("what does not lead there any more stays outside, and is held by nobody")
    func unrelated() throws {
        let context = ModelContext(container)
        let (norway, sweden) = (Country(code: "no", name: "Norway"), Country(code: "se", name: "Sweden"))
        weak var forgotten: City?
        do {
            let city = City("Oslo", country: norway)
            city.country = sweden
            let other = City("Bergen", country: norway)
            other.country = nil
            forgotten = other
        }
        #expect(forgotten == nil)
        context.insert(norway)
        #expect(context.insertedModelsArray.count == 1)
        context.insert(sweden)
        #expect(sweden.cities.map(\.name) == ["Oslo"])
        #expect(norway.cities.isEmpty)
    }

    @Test("a model that was inserted is held by no model that it was related to")
    func released() throws {
        weak var country: Country?
        do {
            let context = ModelContext(container)
            let made = Country(code: "no", name: "Norway")
            let city = City("Oslo", country: made)
            context.insert(city)
            try context.save()
            country = made
        }
        #expect(country == nil)
    }

    @Test("a chain longer than a stack is deep is inserted from either end")
    func chain() throws {
        for insertsFirst in [true, false] {
            let context = ModelContext(container)
            var links = [ChainLink()]
            for _ in 0..<20_000 {
                let link = ChainLink()
                link.next = links[links.count - 1]
                links.append(link)
            }
            context.insert(insertsFirst ? links[0] : links[links.count - 1])
            #expect(context.changes.listed.inserted.count == links.count)
            context.rollback()
            // Each link would be released within the one before it, so the chain is taken apart.
            for link in links { link.next = nil }
        }
    }
}

@Model final class ChainLink {
    var next: ChainLink?

    init() {}
}
