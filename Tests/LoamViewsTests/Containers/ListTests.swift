import LoamViews
import Testing

private struct CityRow: View {
    let city: City

    var body: some View { Text(city.name) }
}

private struct CityList: View {
    @Query(sort: \City.place) private var cities: [City]
    @Environment(\.modelContext) private var context
    var isDisabled = false

    var body: some View {
        NavigationStack {
            List {
                Section("Cities") {
                    ForEach(cities) { city in
                        CityRow(city: city)
                            .swipeActions { Button("Remove", role: .destructive) { context.delete(city) } }
                    }
                    .onDelete(perform: delete)
                    .onMove(perform: move)
                }
            }
            .disabled(isDisabled)
            .toolbar { EditButton() }
        }
    }

    private func delete(_ offsets: IndexSet) {
        for offset in offsets { context.delete(cities[offset]) }
    }

    private func move(_ offsets: IndexSet, to target: Int) {
        var moved = cities
        moved.move(fromOffsets: offsets, toOffset: target)
        for (place, city) in moved.enumerated() { city.place = place }
    }
}

private struct Selecting: View {
    @State private var one: Int?
    @State private var several: Set<String> = []

    var body: some View {
        List(1..<4, id: \.self, selection: $one) { Text("\($0)") }
        List(["a", "b", "c"], id: \.self, selection: $several) { Text($0) }
        Text("chosen \(one ?? 0) \(several.sorted().joined())")
    }
}

private struct SelectingCities: View {
    @Query(sort: \City.place) private var cities: [City]
    @State var one: City.ID?
    @State var several: Set<City.ID> = []

    var body: some View {
        List(cities, selection: $one) { Text($0.name) }
        List(cities, selection: $several) { Text($0.name) }
        Text("chosen \(cities.first { $0.id == one }?.name ?? "none") \(several.count)")
    }
}

@Suite("Lists") @MainActor
struct ListTests {
    private func stored(_ container: ModelContainer) throws -> [String] {
        try ModelContext(container).fetch(FetchDescriptor<City>(sortBy: [SortDescriptor(\.place)])).map(\.name)
    }

    @Test("delete a row of a query from the store", .timeLimit(.minutes(30))) func deletion() async throws {
        let container = try makeCities(["Bern", "Oslo", "Rome"])
        let host = ViewHost { CityList().modelContainer(container) }
        let rows = try #require(host.node("List")?.rows)
        #expect(rows.map(\.texts) == [["Bern"], ["Oslo"], ["Rome"]])
        #expect(rows[1].actionNames == [.delete, .move] && rows[1].perform(.delete))
        await host.wait { host.node("List")?.rows.count == 2 }
        #expect(host.node("List")?.rows.map(\.texts) == [["Bern"], ["Rome"]])
        // The row is gone, and what it could do.
        #expect(!rows[1].perform(.delete))
        try container.mainContext.save()
        #expect(try stored(container) == ["Bern", "Rome"])
    }

    @Test("move a row of a query in the store", .timeLimit(.minutes(30))) func moving() async throws {
        let container = try makeCities(["Bern", "Oslo", "Rome"])
        let host = ViewHost { CityList().modelContainer(container) }
        let row = try #require(host.node("List")?.rows.first)
        for value in [nil, .integer(-1), .integer(4), .text("1"), .number(0.5)] as [NodeValue?] {
            #expect(!row.perform(.move, value))
        }
        #expect(row.perform(.move, .integer(3)))
        await host.wait { host.node("List")?.rows.last === row }
        #expect(host.node("List")?.rows.map(\.texts) == [["Oslo"], ["Rome"], ["Bern"]])
        try container.mainContext.save()
        #expect(try stored(container) == ["Oslo", "Rome", "Bern"])
    }

    @Test(
        "have swipe actions behind their rows, and an edit button that says that rows are edited",
        .timeLimit(.minutes(30)))
    func actions() async throws {
        let container = try makeCities(["Bern", "Oslo"])
        let host = ViewHost { CityList().modelContainer(container) }
        let section = try #require(host.node("Section"))
        #expect(section.items.map(\.node.kind) == ["Header", "Text", "Text"])
        #expect(section.items[1].attachments.map(\.kind) == ["SwipeActions"])
        #expect(host.press("Remove"))
        await host.wait { host.node("List")?.rows.count == 1 }
        #expect(host.node("List")?.rows.map(\.texts) == [["Oslo"]])
        #expect(host.node("List")?.attribute(.isEditing) == nil)
        #expect(host.perform(.press, on: "EditButton"))
        #expect(host.node("List")?.attribute(.isEditing) == .flag(true) && host.texts.last == "Done")
    }

    @Test("that are disabled delete and move nothing") func disabled() throws {
        let container = try makeCities(["Bern", "Oslo"])
        let host = ViewHost { CityList(isDisabled: true).modelContainer(container) }
        let row = try #require(host.node("List")?.rows.first)
        #expect(row.actionNames.isEmpty && !row.perform(.delete) && !row.perform(.move, .integer(2)))
        #expect(!host.press("Remove") && host.node("List")?.rows.count == 2)
    }

    @Test("choose models by their identifiers") func selectionOfModels() throws {
        let container = try makeCities(["Bern", "Oslo", "Rome"])
        let host = ViewHost { SelectingCities().modelContainer(container) }
        let lists = host.root.children.filter { $0.kind == "List" }
        #expect(lists[0].perform(.select, .integer(lists[0].rows[1].id)))
        #expect(lists[1].perform(.select, .integers([lists[1].rows[0].id, lists[1].rows[2].id])))
        host.settle()
        #expect(host.texts.last == "chosen Oslo 2")
    }

    @Test("choose one row or several by the ids of their nodes") func selection() throws {
        let host = ViewHost { Selecting() }
        let (one, several) = (host.root.children[0], host.root.children[1])
        #expect(one.perform(.select, .integer(one.rows[1].id)))
        #expect(several.perform(.select, .integers([several.rows[0].id, several.rows[2].id])))
        host.settle()
        #expect(host.texts.last == "chosen 2 ac")
        #expect(one.rows.map(one.isSelected) == [false, true, false])
        #expect(several.rows.map(several.isSelected) == [true, false, true])
        #expect(
            !one.perform(.select, .integers(one.rows.map(\.id))) && !one.perform(.select, .integer(several.rows[0].id)))
        #expect(one.perform(.select, .integers([])) && several.perform(.select, .integers([])))
        host.settle()
        #expect(host.texts.last == "chosen 0 ")
    }

    @Test("render a row where its model changes, and the list where its choice does") func renders() throws {
        let container = try makeCities(["Bern", "Oslo", "Rome"])
        var changed: [[NodeKind]] = []
        let host = ViewHost {
            CityList().modelContainer(container)
        } onRender: {
            changed.append($0.changed.map(\.kind))
        }
        let city = try #require(try container.mainContext.fetch(FetchDescriptor<City>()).first)
        changed = []
        city.name = "Basel"
        host.settle()
        #expect(changed.flatMap { $0 } == ["Text"] && host.texts.contains("Basel"))
        let selecting = ViewHost {
            Selecting()
        } onRender: {
            changed.append($0.changed.map(\.kind))
        }
        changed = []
        let list = selecting.root.children[0]
        list.perform(.select, .integer(list.rows[0].id))
        selecting.settle()
        #expect(changed == [["List", "Text"]])
    }
}
