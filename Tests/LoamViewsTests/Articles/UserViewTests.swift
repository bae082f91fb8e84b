import LoamViews
import Testing

private struct UsersView: View {
    @Query var users: [User]

    init(minimumJoinDate: Date, sortOrder: [SortDescriptor<User>]) {
        _users = Query(
            filter: #Predicate<User> { user in
                user.joinDate >= minimumJoinDate
            }, sort: sortOrder)
    }

    var body: some View {
        List(users) { user in
            HStack {
                Text(user.name)
                Spacer()
                Text(String(user.jobs.count))
                    .fontWeight(.black)
                    .padding(.horizontal, 10)
                    .padding(.vertical, 5)
                    .background(.blue)
                    .foregroundStyle(.white)
                    .clipShape(.capsule)
            }
        }
    }
}

private struct ContentView: View {
    @Environment(\.modelContext) var modelContext
    @State private var showingUpcomingOnly = false
    @State private var sortOrder = [
        SortDescriptor(\User.name),
        SortDescriptor(\User.joinDate),
    ]

    var body: some View {
        NavigationStack {
            UsersView(minimumJoinDate: showingUpcomingOnly ? .now : .distantPast, sortOrder: sortOrder)
                .toolbar {
                    Button(showingUpcomingOnly ? "Show Everyone" : "Show Upcoming") {
                        showingUpcomingOnly.toggle()
                    }
                    Button("Add Samples", systemImage: "plus") { addSample() }
                    Menu("Sort", systemImage: "arrow.up.arrow.down") {
                        Picker("Sort", selection: $sortOrder) {
                            Text("Sort by Name")
                                .tag([
                                    SortDescriptor(\User.name),
                                    SortDescriptor(\User.joinDate),
                                ])
                            Text("Sort by Join Date")
                                .tag([
                                    SortDescriptor(\User.joinDate),
                                    SortDescriptor(\User.name),
                                ])
                        }
                    }
                }
        }
    }

    func addSample() {
        let user1 = User(name: "Piper Chapman", city: "New York", joinDate: .now)
        let job1 = Job(name: "Organize sock drawer", priority: 3)
        let job2 = Job(name: "Make plans with Alex", priority: 4)
        modelContext.insert(user1)
        user1.jobs.append(job1)
        user1.jobs.append(job2)
    }
}

private struct PeopleView: View {
    @State var people = People(name: "fat", age: 18)
    var body: some View {
        VStack {
            Text("\(people.name) \(people.age)")
            PeopleName(people: people)
            PeopleAge(people: people)
        }
    }
}

private struct PeopleName: View {
    @Bindable var people: People
    var body: some View {
        TextField("Name", text: $people.name)
    }
}

private struct PeopleAge: View {
    let people: People
    var body: some View {
        @Bindable var people = people
        TextField("Age:", value: $people.age, format: .number)
    }
}

@Suite("Views of the articles with queries and bindings") @MainActor
struct UserViewTests {
    private func container() throws -> ModelContainer {
        let container = try ModelContainer(
            for: User.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        for (name, day) in [("Ed", 1.0), ("Zoe", 0)] {
            let user = User(name: name, city: "Rome", joinDate: Date(timeIntervalSince1970: day * 86_400))
            container.mainContext.insert(user)
        }
        container.mainContext.insert(User(name: "Max", city: "Oslo", joinDate: .distantFuture))
        try container.mainContext.save()
        return container
    }

    private func names(_ host: ViewHost) -> [String] {
        host.node("List")?.rows.compactMap(\.texts.first) ?? []
    }

    @Test("filter and sort users by what is chosen", .timeLimit(.minutes(30))) func users() async throws {
        let container = try container()
        let host = ViewHost { ContentView().modelContainer(container) }
        #expect(names(host) == ["Ed", "Max", "Zoe"])
        let picker = try #require(host.node("Picker"))
        #expect(picker.isSelected(picker.options[0]))
        picker.perform(.select, .integer(picker.options[1].id))
        host.settle()
        #expect(names(host) == ["Zoe", "Ed", "Max"] && picker.isSelected(picker.options[1]))
        host.press("Show Upcoming")
        #expect(names(host) == ["Max"])
        host.press("Show Everyone")
        #expect(names(host) == ["Zoe", "Ed", "Max"])
    }

    @Test("count the jobs of each user, in a new user's row too", .timeLimit(.minutes(30))) func jobs() async throws {
        let container = try container()
        let host = ViewHost { ContentView().modelContainer(container) }
        host.press("Add Samples")
        await host.wait { names(host).contains("Piper Chapman") }
        let row = try #require(host.node("List")?.rows.first { $0.texts.first == "Piper Chapman" })
        #expect(
            row.outline == """
                HStack
                  Text "Piper Chapman"
                  Spacer
                  Text "2" background="blue" clipShape="Capsule" fontWeight="black" foregroundStyle="white" \
                padding="horizontal 10.0, vertical 5.0"
                """)
    }

    @Test("edit people through bindings") func people() {
        let host = ViewHost { PeopleView() }
        #expect(
            host.outline == """
                VStack
                  Text "fat 18"
                  TextField "fat" [set submit]
                    Text "Name"
                  TextField "18" [set submit]
                    Text "Age:"
                """)
        host.perform(.set, .text("thin"), on: "TextField", "Name")
        host.perform(.set, .text("19"), on: "TextField", "Age:")
        #expect(host.texts.first == "thin 19")
    }
}
