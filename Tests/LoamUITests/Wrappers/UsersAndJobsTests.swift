import Foundation
import Observation
import Testing

@testable import LoamUI

/// The model before there were jobs.
private enum Before {
    @Model
    class User {
        var name: String
        var city: String
        var joinDate: Date

        init(name: String, city: String, joinDate: Date) {
            self.name = name
            self.city = city
            self.joinDate = joinDate
        }
    }
}

/// The relationship as an optional array, without a delete rule.
private enum Loose {
    @Model
    class User {
        var name: String
        var jobs: [Job]? = [Job]()

        init(name: String) { self.name = name }
    }

    @Model
    class Job {
        var name: String
        var owner: User?

        init(name: String, owner: User? = nil) {
            self.name = name
            self.owner = owner
        }
    }
}

private struct UserRow: View {
    let user: User

    var body: some View { Label("\(user.name): \(user.jobs.count)") }
}

private struct UserList: View {
    @Query(sort: \User.name) var users: [User]

    var body: some View { ForEach(users) { UserRow(user: $0) } }
}

@Model
class User {
    var name: String
    var city: String
    var joinDate: Date
    @Relationship(deleteRule: .cascade) var jobs = [Job]()

    init(name: String, city: String, joinDate: Date) {
        self.name = name
        self.city = city
        self.joinDate = joinDate
    }
}

@Model
class Job {
    var name: String
    var priority: Int
    var owner: User?

    init(name: String, priority: Int, owner: User? = nil) {
        self.name = name
        self.priority = priority
        self.owner = owner
    }
}

@Suite("Users and jobs") @MainActor
struct UsersAndJobsTests {
    @MainActor struct UsersView {
        @Query var users: [User]

        init(minimumJoinDate: Date, sortOrder: [SortDescriptor<User>]) {
            _users = Query(
                filter: #Predicate<User> { user in
                    user.joinDate >= minimumJoinDate
                }, sort: sortOrder)
        }

        /// As the host has it before its body, with how often it has fetched by then.
        func mounted(in place: PropertyPlace) -> (users: [User], fetches: Int) {
            let query = _users.mounted(in: place)
            return (query.wrappedValue, query.request.fetchCount)
        }
    }

    private func makeContainer() throws -> ModelContainer {
        // Jobs come along by the relationship.
        try ModelContainer(for: User.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    private func addSample(_ modelContext: ModelContext) -> User {
        let user1 = User(name: "Piper Chapman", city: "New York", joinDate: .now)
        let job1 = Job(name: "Organize sock drawer", priority: 3)
        let job2 = Job(name: "Make plans with Alex", priority: 4)
        modelContext.insert(user1)
        user1.jobs.append(job1)
        user1.jobs.append(job2)
        return user1
    }

    @Test("The inverse is inferred, and jobs of a user that is deleted go along") func relationships() throws {
        let context = try makeContainer().mainContext
        let user = addSample(context)
        #expect(user.jobs.allSatisfy { $0.owner === user })
        try context.save()
        context.delete(user)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Job>()) == 0)
    }

    @Test("A date and an order that a parent passes; the one of now makes no loop") func dynamicQuery() throws {
        let context = try makeContainer().mainContext
        let place = PropertyPlace(context)
        for (name, days) in [("Ed", -1), ("Rosa", 7), ("Roy", 14)] {
            context.insert(User(name: name, city: "", joinDate: .now.addingTimeInterval(86_400 * Double(days))))
        }
        func users(_ date: Date, _ order: [SortDescriptor<User>]) -> (users: [User], fetches: Int) {
            UsersView(minimumJoinDate: date, sortOrder: order).mounted(in: place)
        }
        let order = [SortDescriptor(\User.name), SortDescriptor(\User.joinDate)]
        #expect(users(.distantPast, order).users.map(\.name) == ["Ed", "Rosa", "Roy"])
        #expect(users(.distantPast, order).fetches == 1)
        #expect(users(.now, order).users.map(\.name) == ["Rosa", "Roy"])
        #expect(users(.now, order).fetches == 3)
        #expect(users(.now, [SortDescriptor(\.joinDate, order: .reverse)]).users.map(\.name) == ["Roy", "Rosa"])
    }

    @Test("A new job tells who has read its user's jobs") func newJob() async throws {
        let context = try makeContainer().mainContext
        let user = addSample(context)
        try context.save()
        await confirmation { told in
            withObservationTracking {
                _ = user.jobs.count
            } onChange: {
                told()
            }
            context.insert(Job(name: "Write", priority: 1, owner: user))
        }
        #expect(user.jobs.count == 3)
    }

    @Test("A new job renders the row of its user, and no other") func newJobIsRendered() throws {
        let container = try makeContainer()
        let context = container.mainContext
        let user = addSample(context)
        context.insert(User(name: "Alex", city: "", joinDate: .now))
        try context.save()
        let host = ViewHost { UserList().modelContainer(container) }
        #expect(host.texts == ["Alex: 0", "Piper Chapman: 2"])
        let rows = host.evaluations(of: UserRow.self)
        context.insert(Job(name: "Write", priority: 1, owner: user))
        host.render()
        #expect(host.texts == ["Alex: 0", "Piper Chapman: 3"] && host.evaluations(of: UserRow.self) == rows + 1)
        host.unmount()
    }

    @Test("Jobs are added to a store that has none") func olderStore() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("loam-jobs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("users.loam")
        do {
            let old = ModelContext(
                try ModelContainer(for: Before.User.self, configurations: ModelConfiguration(url: file)))
            old.insert(Before.User(name: "Rosa", city: "Rom", joinDate: .now))
            try old.save()
        }
        let context = ModelContext(try ModelContainer(for: User.self, configurations: ModelConfiguration(url: file)))
        let rosa = try #require(try context.fetch(FetchDescriptor<User>()).first)
        #expect(rosa.name == "Rosa" && rosa.jobs.isEmpty)
        rosa.jobs.append(Job(name: "Paint", priority: 2))
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Job>()).first?.owner === rosa)
    }

    @Test("Without a rule, jobs of a user that is deleted stay, of nobody; the array may be optional") func nullify()
        throws
    {
        let context = ModelContext(
            try ModelContainer(
                for: Loose.User.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        let user = Loose.User(name: "Ed")
        context.insert(user)
        user.jobs?.append(Loose.Job(name: "Dig"))
        context.insert(Loose.Job(name: "Sow", owner: user))
        try context.save()
        #expect(Set(user.jobs?.map(\.name) ?? []) == ["Dig", "Sow"])
        context.delete(user)
        try context.save()
        let jobs = try context.fetch(FetchDescriptor<Loose.Job>(sortBy: [SortDescriptor(\.name)]))
        #expect(jobs.map(\.name) == ["Dig", "Sow"] && jobs.allSatisfy { $0.owner == nil })
    }
}
