import Foundation
import Testing

@testable import Loam
@testable import LoamStorage

/// Cats have one home, and clubs know their cats; nothing leads back.
private enum Before {
    @Model final class Cat {
        @Attribute(.unique) var name: String
        var home: Home?
        var summer: Home?

        init(_ name: String, _ home: Home? = nil) { (self.name, self.home) = (name, home) }
    }

    @Model final class Home {
        @Attribute(.unique) var street: String

        init(_ street: String) { self.street = street }
    }

    @Model final class Club {
        var name: String
        var members: [Cat] = []

        init(_ name: String) { self.name = name }
    }

    static let models: [any PersistentModel.Type] = [Cat.self, Home.self, Club.self]
}

/// Homes know their cats, and cats their clubs.
private enum Inverses {
    @Model final class Cat {
        @Attribute(.unique) var name: String
        var home: Home?
        var summer: Home?
        @Relationship(inverse: \Club.members) var clubs: [Club] = []

        init(_ name: String) { self.name = name }
    }

    @Model final class Home {
        @Attribute(.unique) var street: String
        @Relationship(inverse: \Cat.home) var cats: [Cat] = []

        init(_ street: String) { self.street = street }
    }

    @Model final class Club {
        var name: String
        var members: [Cat] = []

        init(_ name: String) { self.name = name }
    }

    static let models: [any PersistentModel.Type] = [Cat.self, Home.self, Club.self]
}

/// Cats have several homes.
private enum Homes {
    @Model final class Cat {
        @Attribute(.unique) var name: String
        var home: [Home] = []
        var summer: Home?

        init(_ name: String) { self.name = name }
    }

    @Model final class Home {
        @Attribute(.unique) var street: String

        init(_ street: String) { self.street = street }
    }

    static let models: [any PersistentModel.Type] = [Cat.self, Home.self]
}

/// A cat is in one club, which is kept with the cat.
private enum OneClub {
    @Model final class Cat {
        @Attribute(.unique) var name: String
        @Relationship(inverse: \Club.members) var club: Club?

        init(_ name: String) { self.name = name }
    }

    @Model final class Club {
        var name: String
        var members: [Cat] = []

        init(_ name: String) { self.name = name }
    }

    static let models: [any PersistentModel.Type] = [Cat.self, Club.self]
}

/// Another program moves a relationship while this one, whose models are those of before, has the store open, with
/// unsaved changes and a live result.
@Suite("A program that is open while another one moves its relationships")
struct MovedMeanwhileTests {
    private let folder: TemporaryFolder
    private let container: ModelContainer
    private let context: ModelContext
    private let cats: [Before.Cat]
    private let homes: [Before.Home]
    private let club: Before.Club

    init() throws {
        folder = try TemporaryFolder()
        container = try Self.open(folder, Before.models)
        context = ModelContext(container)
        homes = ["Ash", "Elm", "Oak"].map(Before.Home.init)
        let homes = homes
        cats = (0..<12).map { Before.Cat("cat \($0)", $0 % 4 == 3 ? nil : homes[$0 % 3]) }
        club = Before.Club("Mice")
        for home in homes { context.insert(home) }
        for cat in cats { context.insert(cat) }
        context.insert(club)
        club.members = Array(cats[2..<5])
        for cat in cats { cat.summer = homes[0] }
        try context.save()
    }

    private static func open(_ folder: TemporaryFolder, _ models: [any PersistentModel.Type]) throws -> ModelContainer {
        try ModelContainer(for: Schema(models), configurations: ModelConfiguration(url: folder.store))
    }

    /// Makes what other models declare, as their program does when it opens the store: one of this process, or another
    /// of which this one does not hear.
    private func move(to models: [any PersistentModel.Type], isTold: Bool) throws {
        if isTold {
            _ = try Self.open(folder, models)
            return
        }
        let own = container.store
        let cache = CatalogCache(
            databases: own.cache.databases, catalog: try own.catalog(),
            retention: HistoryRetention(seconds: own.options.historySeconds, bytes: own.options.historyBytes))
        let other = Store(
            path: own.path, options: own.options, environment: own.environment, cache: cache,
            changes: ChangeHub(own.environment))
        let sync = try SchemaSync(Schema(models))
        try other.changeSchema { try sync.decide(&$0) }
    }

    /// What the program has done when the relationship is moved under it.
    private func change() {
        context.insert(Before.Cat("new", homes[1]))
        cats[0].home = homes[2]
        cats[1].home = nil
        club.members.append(cats[9])
        context.delete(cats[5])
    }

    private func expectChangesKept() throws {
        #expect(context.insertedModelsArray.count == 1 && context.deletedModelsArray.count == 1)
        #expect(cats[0].home === homes[2] && cats[1].home == nil && context.hasChanges)
        #expect(try container.store.check().faults == [])
    }

    @Test("goes on where they only get an inverse, and loses no change", arguments: [true, false])
    func inverse(isTold: Bool) throws {
        let elm = "Elm"
        let observer = try ResultsObserver<Before.Cat, Never>(
            filterBy: #Predicate { $0.home?.street == elm }, sortBy: [SortDescriptor(\.name)], modelContext: context)
        change()
        try move(to: Inverses.models, isTold: isTold)
        // What was read before, and what is read now.
        #expect(cats[6].home === homes[0] && cats[4].home === homes[1])
        let fresh = ModelContext(container)
        let found = try fresh.fetch(FetchDescriptor<Before.Cat>(predicate: #Predicate { $0.home?.street == elm }))
        #expect(Set(found.map(\.name)) == ["cat 1", "cat 4", "cat 10"])
        #expect(Set(found.compactMap { $0.home?.street }) == ["Elm"])
        try context.save()
        observer.refresh()
        #expect(observer.results.map(\.name) == ["cat 10", "cat 4", "new"] && observer.fetchError == nil)
        let later = ModelContext(try Self.open(folder, Inverses.models))
        let homes = try later.fetch(FetchDescriptor<Inverses.Home>(sortBy: [SortDescriptor(\.street)]))
        #expect(
            homes.map { $0.cats.map(\.name).sorted() } == [
                ["cat 6", "cat 9"], ["cat 10", "cat 4", "new"], ["cat 0", "cat 2", "cat 8"],
            ])
        let clubs = try later.fetch(FetchDescriptor<Inverses.Club>())
        #expect(clubs.map { $0.members.map(\.name) } == [["cat 2", "cat 3", "cat 4", "cat 9"]])
        #expect(clubs[0].members.allSatisfy { $0.clubs.map(\.name) == ["Mice"] })
        #expect(try container.store.check().faults == [])
    }

    @Test(
        "is told so by name where they come to lead to several rows, and keeps its changes", arguments: [true, false])
    func toMany(isTold: Bool) throws {
        let elm = "Elm"
        let observer = try ResultsObserver<Before.Cat, Never>(
            filterBy: #Predicate { $0.home?.street == elm }, sortBy: [SortDescriptor(\.name)], modelContext: context)
        change()
        let idle = ModelContext(container)
        let unread = try idle.fetch(FetchDescriptor<Before.Cat>())
        try move(to: Homes.models, isTold: isTold)
        try expectStopped("Cat.home")
        observer.refresh()
        #expect(observer.fetchError != nil && observer.results.count == 3)
        // What cannot be read any more is empty, and says why.
        let names = cats.map(\.name) + [""]
        #expect(unread.allSatisfy { names.contains($0.name) && $0.home == nil })
        #expect(throws: SwiftDataError.self) { try idle.fetch(FetchDescriptor<Before.Home>()) }
        let later = ModelContext(try Self.open(folder, Homes.models))
        let stored = try later.fetch(FetchDescriptor<Homes.Cat>(sortBy: [SortDescriptor(\.name)]))
        #expect(stored.count == 12 && stored.allSatisfy { $0.summer?.street == "Ash" })
        #expect(stored.first { $0.name == "cat 0" }?.home.map(\.street) == ["Ash"])
        #expect(stored.first { $0.name == "cat 1" }?.home.map(\.street) == ["Elm"])
    }

    /// The records have other fields by then.
    @Test("takes in nothing of what is saved after that in the wrong place")
    func savedAfterwards() throws {
        for cat in cats { #expect(cat.summer === homes[0] && cat.name != "") }
        let later = ModelContext(try Self.open(folder, Homes.models))
        for cat in try later.fetch(FetchDescriptor<Homes.Cat>()) { cat.name += "!" }
        try later.save()
        context.processPendingChanges()
        for (number, cat) in cats.enumerated() {
            #expect(cat.home === (number % 4 == 3 ? nil : homes[number % 3]))
            #expect(cat.summer === homes[0] && cat.name == "cat \(number)")
        }
        #expect(throws: SwiftDataError.self) { try context.fetch(FetchDescriptor<Before.Cat>()) }
    }

    @Test(
        "is told so by name where the other side keeps them from then on, and keeps its changes",
        arguments: [true, false])
    func otherSide(isTold: Bool) throws {
        change()
        let idle = ModelContext(container)
        let unread = try #require(try idle.fetch(FetchDescriptor<Before.Club>()).first)
        try move(to: OneClub.models, isTold: isTold)
        try expectStopped("Club.members")
        #expect(club.members.count == 4)
        #expect(unread.members.isEmpty)
        #expect(throws: SwiftDataError.self) { try idle.fetch(FetchDescriptor<Before.Home>()) }
        let later = ModelContext(try Self.open(folder, OneClub.models))
        let stored = try later.fetch(FetchDescriptor<OneClub.Cat>(sortBy: [SortDescriptor(\.name)]))
        #expect(stored.filter { $0.club?.name == "Mice" }.map(\.name) == ["cat 2", "cat 3", "cat 4"])
    }

    @Test("saves not even members alone, which nobody would find again", arguments: [true, false])
    func membersAlone(isTold: Bool) throws {
        club.members.append(cats[9])
        try move(to: OneClub.models, isTold: isTold)
        let error = #expect(throws: SwiftDataError.self) { try context.save() }
        #expect(error?.detail.contains("Club.members") == true, "\(error?.detail ?? "")")
        #expect(context.hasChanges && club.members.count == 4)
        #expect(try container.store.check().faults == [])
    }

    /// Whatever the program does throws, naming the relationship, and neither the file nor its changes suffer.
    private func expectStopped(_ name: String) throws {
        for _ in 0..<2 {
            let saving = #expect(throws: SwiftDataError.self) { try context.save() }
            #expect(saving?.detail.contains(name) == true, "\(saving?.detail ?? "")")
            try expectChangesKept()
        }
        let fetching = #expect(throws: SwiftDataError.self) {
            try ModelContext(container).fetch(FetchDescriptor<Before.Cat>())
        }
        #expect(fetching?.detail.contains(name) == true, "\(fetching?.detail ?? "")")
        // What was read stays readable.
        #expect(cats[6].name == "cat 6" && cats[6].home === homes[0] && cats[6].summer === homes[0])
        let opening = #expect(throws: SwiftDataError.self) { try Self.open(folder, Before.models) }
        #expect(opening?.detail.contains(name) == true, "\(opening?.detail ?? "")")
        try expectChangesKept()
    }
}
