import Observation
import Testing

@testable import LoamUI

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
}
