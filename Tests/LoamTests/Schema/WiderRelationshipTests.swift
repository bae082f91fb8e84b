import Foundation
import Loam
import LoamStorage
import Testing

/// Models in which a team has one lead, a desk one person, and a cat one home, and homes know their cats.
private enum One {
    @Model final class Team {
        var name: String
        var lead: Person?

        init(_ name: String, lead: Person? = nil) { (self.name, self.lead) = (name, lead) }
    }

    @Model final class Person {
        var id: Int
        var desk: Desk?

        init(id: Int) { self.id = id }
    }

    @Model final class Desk {
        var id: Int
        @Relationship(inverse: \Person.desk) var person: Person?

        init(id: Int) { self.id = id }
    }

    @Model final class Cat {
        #Index<Cat>([\.name])
        var name: String
        var notes: String
        var home: Home?

        init(_ name: String, _ home: Home? = nil, notes: String = "") {
            (self.name, self.home, self.notes) = (name, home, notes)
        }
    }

    @Model final class Home {
        var street: String
        @Relationship(inverse: \Cat.home) var cats: [Cat] = []

        init(_ street: String) { self.street = street }
    }

    static let models: [any PersistentModel.Type] = [Team.self, Person.self, Desk.self, Cat.self, Home.self]
}

/// Models in which there may be several of everything.
private enum Several {
    @Model final class Team {
        var name: String
        @Relationship(originalName: "lead") var leads: [Person]

        init(_ name: String, leads: [Person] = []) { (self.name, self.leads) = (name, leads) }
    }

    @Model final class Person {
        var id: Int
        @Relationship(originalName: "desk") var desks: [Desk] = []

        init(id: Int) { self.id = id }
    }

    @Model final class Desk {
        var id: Int
        @Relationship(inverse: \Person.desks) var person: Person?

        init(id: Int) { self.id = id }
    }

    @Model final class Cat {
        #Index<Cat>([\.name])
        var name: String
        var notes: String
        @Relationship(originalName: "home") var homes: [Home] = []

        init(_ name: String) { (self.name, notes) = (name, "") }
    }

    @Model final class Home {
        var street: String
        @Relationship(inverse: \Cat.homes) var cats: [Cat] = []

        init(_ street: String) { self.street = street }
    }

    static let models: [any PersistentModel.Type] = [Team.self, Person.self, Desk.self, Cat.self, Home.self]
}

/// Models in which a desk is shared and a person knows the teams that it leads.
private enum Shared {
    @Model final class Team {
        var name: String
        var lead: Person?

        init(_ name: String) { self.name = name }
    }

    @Model final class Person {
        var id: Int
        var desk: Desk?
        @Relationship(inverse: \Team.lead) var team: Team?

        init(id: Int) { self.id = id }
    }

    @Model final class Desk {
        var id: Int
        @Relationship(inverse: \Person.desk) var person: [Person] = []

        init(id: Int) { self.id = id }
    }
}

/// Models in which a team has several leads, each of whom has one team.
private enum Both {
    @Model final class Team {
        var name: String
        @Relationship(deleteRule: .cascade, originalName: "lead", inverse: \Person.team) var leads: [Person] = []

        init(_ name: String) { self.name = name }
    }

    @Model final class Person {
        var id: Int
        var team: Team?

        init(id: Int) { self.id = id }
    }
}

@Suite("A to-one relationship that becomes a to-many")
struct WiderRelationshipTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ models: [any PersistentModel.Type], _ version: Int = 2) throws -> ModelContainer {
        try TripStore.open(folder.store, models, version: Schema.Version(version, 0, 0))
    }

    /// Makes five people: two lead a team, three have the desk of their number. Cats 0, 3 and 2 live in Elm, in that
    /// order.
    private func makeStore() throws -> ModelContext {
        let context = ModelContext(try open(One.models, 1))
        let people = (0..<5).map(One.Person.init(id:))
        let desks = (0..<5).map(One.Desk.init(id:))
        let homes = ["Ash", "Elm", "Oak"].map(One.Home.init)
        let cats = (0..<6).map { One.Cat("cat \($0)", notes: String(repeating: "n", count: $0 * 10_000)) }
        for model in people + desks + homes + cats as [any PersistentModel] { context.insert(model) }
        for number in 0..<3 { people[number].desk = desks[number] }
        context.insert(One.Team("red", lead: people[4]))
        context.insert(One.Team("blue", lead: people[1]))
        context.insert(One.Team("none"))
        homes[1].cats = [cats[0], cats[3], cats[2]]
        cats[5].home = homes[0]
        try context.save()
        return context
    }

    @Test("leads to what it led to, whatever its other side is, and to more from then on")
    func several() throws {
        _ = try makeStore()
        let container = try open(Several.models)
        #expect(try container.store.check().faults == [])
        let context = ModelContext(container)
        let teams = try context.fetch(FetchDescriptor<Several.Team>(sortBy: [SortDescriptor(\.name)]))
        #expect(teams.map { $0.leads.map(\.id) } == [[1], [], [4]])
        let people = try context.fetch(FetchDescriptor<Several.Person>(sortBy: [SortDescriptor(\.id)]))
        #expect(people.map { $0.desks.map(\.id) } == [[0], [1], [2], [], []])
        let desks = try context.fetch(FetchDescriptor<Several.Desk>(sortBy: [SortDescriptor(\.id)]))
        #expect(desks.map { $0.person?.id } == [0, 1, 2, nil, nil])
        let homes = try context.fetch(FetchDescriptor<Several.Home>(sortBy: [SortDescriptor(\.street)]))
        #expect(homes.map { $0.cats.map(\.name) } == [["cat 5"], ["cat 0", "cat 3", "cat 2"], []])
        let cats = try context.fetch(FetchDescriptor<Several.Cat>(sortBy: [SortDescriptor(\.name)]))
        #expect(cats.map { $0.homes.map(\.street) } == [["Elm"], [], ["Elm"], ["Elm"], [], ["Ash"]])
        #expect(cats.map(\.notes.count) == (0..<6).map { $0 * 10_000 })

        teams[1].leads = [people[3], people[1]]
        people[0].desks = [desks[4], desks[0], desks[1]]
        cats[3].homes.insert(homes[2], at: 0)
        homes[0].cats.insert(cats[1], at: 0)
        context.delete(desks[2])
        try context.save()
        #expect(try container.store.check().faults == [])
        let fresh = ModelContext(try open(Several.models))
        let stored = try fresh.fetch(FetchDescriptor<Several.Person>(sortBy: [SortDescriptor(\.id)]))
        #expect(stored.map { $0.desks.map(\.id) } == [[4, 0, 1], [], [], [], []])
        let street = "Oak"
        let oak = FetchDescriptor<Several.Cat>(predicate: #Predicate { $0.homes.contains { $0.street == street } })
        #expect(try fresh.fetch(oak).map { $0.homes.map(\.street) } == [["Oak", "Elm"]])
        let led = FetchDescriptor<Several.Team>(predicate: #Predicate { $0.leads.contains { $0.id == 3 } })
        #expect(try fresh.fetch(led).map { $0.leads.map(\.id) } == [[3, 1]])
    }

    @Test("keeps the programs of before from opening the store, and from going on, by name")
    func olderProgram() throws {
        let older = try makeStore()
        let cat = try #require(try older.fetch(FetchDescriptor<One.Cat>(sortBy: [SortDescriptor(\.name)])).first)
        let container = try open(Several.models)
        cat.home = nil
        let running = #expect(throws: SwiftDataError.unknownSchema) { try older.save() }
        #expect(running?.detail.contains("leads to several models in the store") == true)
        let opening = #expect(throws: SwiftDataError.loadIssueModelContainer) { try open(One.models, 1) }
        #expect(opening?.detail.contains("is stored as a relationship of another kind") == true)
        let homes = try ModelContext(container).fetch(FetchDescriptor<Several.Home>(sortBy: [SortDescriptor(\.street)]))
        #expect(homes.map { $0.cats.map(\.name) } == [["cat 5"], ["cat 0", "cat 3", "cat 2"], []])
        #expect(try container.store.check().faults == [])
    }

    @Test("on either side of a one-to-one, beside a to-one that gets a to-one as its inverse")
    func oneToOne() throws {
        _ = try makeStore()
        let container = try open([Shared.Team.self, Shared.Person.self, Shared.Desk.self])
        #expect(try container.store.check().faults == [])
        let context = ModelContext(container)
        let people = try context.fetch(FetchDescriptor<Shared.Person>(sortBy: [SortDescriptor(\.id)]))
        #expect(people.map { $0.team?.name } == [nil, "blue", nil, nil, "red"])
        #expect(people.map { $0.desk?.id } == [0, 1, 2, nil, nil])
        let desks = try context.fetch(FetchDescriptor<Shared.Desk>(sortBy: [SortDescriptor(\.id)]))
        #expect(desks.map { $0.person.map(\.id) } == [[0], [1], [2], [], []])
        desks[0].person = [people[3], people[0], people[1]]
        people[4].team = nil
        people[3].team = people[1].team
        try context.save()
        let stored = try ModelContext(container).fetch(FetchDescriptor<Shared.Desk>(sortBy: [SortDescriptor(\.id)]))
        #expect(stored.map { $0.person.map(\.id) } == [[3, 0, 1], [], [2], [], []])
        let teams = try ModelContext(container).fetch(FetchDescriptor<Shared.Team>(sortBy: [SortDescriptor(\.name)]))
        #expect(teams.map { $0.lead?.id } == [3, nil, nil])
        #expect(try container.store.check().faults == [])
    }

    @Test("and gets a to-one as its inverse, in one opening; where two lead to one, that is refused, with the row")
    func both() throws {
        let older = try makeStore()
        let models: [any PersistentModel.Type] = [Both.Team.self, Both.Person.self]
        let teams = try older.fetch(FetchDescriptor<One.Team>(sortBy: [SortDescriptor(\.name)]))
        let lead = try #require(teams[0].lead)
        teams[1].lead = lead
        try older.save()
        let before = try Data(contentsOf: folder.store)
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try open(models) }
        #expect(error?.detail.contains("several do") == true && error?.detail.contains("entity Person") == true)
        #expect(try Data(contentsOf: folder.store) == before)
        teams[1].lead = nil
        try older.save()

        let container = try open(models)
        #expect(try container.store.check().faults == [])
        let context = ModelContext(container)
        let people = try context.fetch(FetchDescriptor<Both.Person>(sortBy: [SortDescriptor(\.id)]))
        #expect(people.map { $0.team?.name } == [nil, "blue", nil, nil, "red"])
        let stored = try context.fetch(FetchDescriptor<Both.Team>(sortBy: [SortDescriptor(\.name)]))
        #expect(stored.map { $0.leads.map(\.id) } == [[1], [], [4]])
        stored[0].leads.insert(people[2], at: 0)
        try context.save()
        context.delete(stored[0])
        try context.save()
        #expect(try ModelContext(container).fetch(FetchDescriptor<Both.Person>()).map(\.id).sorted() == [0, 3, 4])
        #expect(try container.store.check().faults == [])
    }
}
