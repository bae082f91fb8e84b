import Foundation
import Loam
import LoamStorage
import Testing

/// Models in which a badge has one guest and a guest one badge; a step has one after it and one before it.
private enum Single {
    @Model final class Badge {
        var id: Int
        var guest: Guest?

        init(id: Int) { self.id = id }
    }

    @Model final class Guest {
        var name: String
        @Relationship(inverse: \Badge.guest) var badge: Badge?

        init(_ name: String) { self.name = name }
    }

    @Model final class Step {
        var id: Int
        var next: Step?
        @Relationship(inverse: \Step.next) var previous: Step?

        init(id: Int) { self.id = id }
    }

    static let models: [any PersistentModel.Type] = [Badge.self, Guest.self, Step.self]
}

/// Models in which there may be several on both sides.
private enum Many {
    @Model final class Badge {
        var id: Int
        var guest: [Guest] = []

        init(id: Int) { self.id = id }
    }

    @Model final class Guest {
        var name: String
        @Relationship(inverse: \Badge.guest) var badge: [Badge] = []

        init(_ name: String) { self.name = name }
    }

    @Model final class Step {
        var id: Int
        var next: [Step] = []
        @Relationship(inverse: \Step.next) var previous: [Step] = []

        init(id: Int) { self.id = id }
    }

    static let models: [any PersistentModel.Type] = [Badge.self, Guest.self, Step.self]
}

/// Models in which a badge is for several guests, each of whom must have one.
private enum Required {
    @Model final class Badge {
        var id: Int
        @Relationship(inverse: \Guest.badge) var guest: [Guest] = []

        init(id: Int) { self.id = id }
    }

    @Model final class Guest {
        var name: String
        var badge: Badge

        init(_ name: String, _ badge: Badge) { (self.name, self.badge) = (name, badge) }
    }
}

@Suite("A one-to-one that becomes wider")
struct WiderOneToOneTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ models: [any PersistentModel.Type], _ version: Int = 2) throws -> ModelContainer {
        try TripStore.open(folder.store, models, version: Schema.Version(version, 0, 0))
    }

    /// Makes guests and steps: Ann has badge 3, Bob badge 1, Cy none. Of four steps 2 follows 0, and 1 follows 2.
    private func makeStore() throws -> ModelContext {
        let context = ModelContext(try open(Single.models, 1))
        let badges = (0..<4).map(Single.Badge.init(id:))
        let guests = ["Ann", "Bob", "Cy"].map { Single.Guest($0) }
        let steps = (0..<4).map(Single.Step.init(id:))
        for model in badges + guests + steps as [any PersistentModel] { context.insert(model) }
        badges[3].guest = guests[0]
        badges[1].guest = guests[1]
        steps[0].next = steps[2]
        steps[2].next = steps[1]
        try context.save()
        return context
    }

    private func badges(_ context: ModelContext) throws -> [Many.Badge] {
        try context.fetch(FetchDescriptor<Many.Badge>(sortBy: [SortDescriptor(\.id)]))
    }

    private func guests(_ context: ModelContext) throws -> [Many.Guest] {
        try context.fetch(FetchDescriptor<Many.Guest>(sortBy: [SortDescriptor(\.name)]))
    }

    private func steps(_ context: ModelContext) throws -> [Many.Step] {
        try context.fetch(FetchDescriptor<Many.Step>(sortBy: [SortDescriptor(\.id)]))
    }

    @Test("on both sides in one opening leads both ways to what it led to", arguments: [false, true])
    func manyToMany(isReversed: Bool) throws {
        _ = try makeStore()
        let models = isReversed ? Many.models.reversed() : Many.models
        let container = try open(models)
        #expect(try container.store.check().faults == [])
        let context = ModelContext(container)
        let (badges, guests) = (try self.badges(context), try self.guests(context))
        #expect(badges.map { $0.guest.map(\.name) } == [[], ["Bob"], [], ["Ann"]])
        #expect(guests.map { $0.badge.map(\.id) } == [[3], [1], []])

        guests[2].badge = [badges[0], badges[3]]
        badges[1].guest.append(guests[0])
        try context.save()
        #expect(try container.store.check().faults == [])
        let fresh = ModelContext(try open(models))
        let names = try self.badges(fresh).map { $0.guest.map(\.name).sorted() }
        #expect(names == [["Cy"], ["Ann", "Bob"], [], ["Ann", "Cy"]])
        #expect(try self.guests(fresh).map { $0.badge.map(\.id).sorted() } == [[1, 3], [1], [0, 3]])
    }

    @Test("on both sides of a relationship of a model with itself keeps its direction")
    func itself() throws {
        _ = try makeStore()
        let container = try open(Many.models)
        let context = ModelContext(container)
        let steps = try self.steps(context)
        #expect(steps.map { $0.next.map(\.id) } == [[2], [], [1], []])
        #expect(steps.map { $0.previous.map(\.id) } == [[], [2], [0], []])

        steps[3].next = [steps[1], steps[0]]
        try context.save()
        #expect(try container.store.check().faults == [])
        let fresh = try self.steps(ModelContext(try open(Many.models)))
        #expect(fresh.map { $0.next.map(\.id).sorted() } == [[2], [], [1], [0, 1]])
        #expect(fresh.map { $0.previous.map(\.id).sorted() } == [[3], [2, 3], [0], []])
    }

    @Test("on one side, and required on the other, is refused where a row has none, and the file stays as it is")
    func required() throws {
        let older = try makeStore()
        let before = try Data(contentsOf: folder.store)
        let models: [any PersistentModel.Type] = [Required.Badge.self, Required.Guest.self]
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try open(models) }
        #expect(error?.detail.contains("entity Guest, property badge, row") == true)
        #expect(try Data(contentsOf: folder.store) == before)

        let guests = try older.fetch(FetchDescriptor<Single.Guest>(sortBy: [SortDescriptor(\.name)]))
        let badges = try older.fetch(FetchDescriptor<Single.Badge>(sortBy: [SortDescriptor(\.id)]))
        guests[2].badge = badges[0]
        try older.save()
        let container = try open(models)
        #expect(try container.store.check().faults == [])
        let context = ModelContext(container)
        let stored = try context.fetch(FetchDescriptor<Required.Guest>(sortBy: [SortDescriptor(\.name)]))
        #expect(stored.map(\.badge.id) == [3, 1, 0])
        let owners = try context.fetch(FetchDescriptor<Required.Badge>(sortBy: [SortDescriptor(\.id)]))
        #expect(owners.map { $0.guest.map(\.name) } == [["Cy"], ["Bob"], [], ["Ann"]])
    }
}
