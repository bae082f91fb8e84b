import LoamViews
import Testing

private struct ItemsView: View {
    @FetchRequest(
        sortDescriptors: [NSSortDescriptor(keyPath: \Item.timestamp, ascending: true)],
        predicate: nil,
        animation: .default)
    private var items: FetchedResults<Item>

    var body: some View {
        NavigationStack {
            List {
                ForEach(items) { item in
                    if let timestamp = item.timestamp {
                        NavigationLink {
                            Text("Item at \(timestamp, format: .dateTime)")
                        } label: {
                            Text(timestamp, format: .dateTime)
                        }
                    }
                }
            }
            Button("abc") {
                $items.nsPredicate.wrappedValue = .init(value: false)
                $items.sortDescriptors.wrappedValue = [.init(\Item.timestamp, order: .reverse)]
            }
        }
    }
}

private struct Row: View {
    let item: Item

    var body: some View { Text("\(item.categoryID)") }
}

private struct SectionsView: View {
    @SectionedFetchRequest(
        entity: Item.entity(),
        sectionIdentifier: \Item.categoryID,
        sortDescriptors: [
            .init(keyPath: \Item.categoryID, ascending: true),
            .init(keyPath: \Item.timestamp, ascending: true),
        ]
    )
    var sectionItems: SectionedFetchResults<Int16, Item>

    var body: some View {
        ForEach(sectionItems) { section in
            Section(header: Text("\(section.id)")) {
                ForEach(section) { item in
                    Row(item: item)
                }
            }
        }
    }
}

private enum SearchByField { case name, capital }

private struct SearchScope: Equatable {
    var visitedOnly: Bool = false
    var beginsWith: String = ""
    var searchBy: SearchByField = .name

    var predicate: NSPredicate? {
        switch (beginsWith.isEmpty, visitedOnly) {
        case (true, false): return nil
        case (true, true): return Country.visitedPredicate
        case (false, false): return searchPredicate()
        case (false, true):
            return NSCompoundPredicate(
                andPredicateWithSubpredicates: [Country.visitedPredicate, searchPredicate()])
        }
    }

    private func searchPredicate() -> NSPredicate {
        let template: NSPredicate
        switch searchBy {
        case .name: template = Country.searchByNamePredicate
        case .capital: template = Country.searchByCapitalPredicate
        }

        return template.withSubstitutionVariables(["query": beginsWith])
    }
}

/// The article shows its use alone.
private struct CountryScope: View {
    @Binding var scope: SearchScope

    var body: some View {
        Toggle("Visited", isOn: $scope.visitedOnly)
        TextField("Search", text: $scope.beginsWith)
        Picker("By", selection: $scope.searchBy) {
            Text("Name").tag(SearchByField.name)
            Text("Capital").tag(SearchByField.capital)
        }
    }
}

/// The article shows its use alone.
private struct CountryList: View {
    let countries: FetchedResults<Country>

    var body: some View { List(countries) { Text($0.name) } }
}

private struct NoCountrySelected: View {
    var body: some View { Text("No country selected") }
}

private struct WorldView: View {
    @State private var scope = SearchScope()

    @FetchRequest(sortDescriptors: [SortDescriptor(\.name, order: .forward)])
    private var countries: FetchedResults<Country>

    // The form of `onChange` is an older one.
    @available(*, deprecated)
    var body: some View {
        NavigationView {
            VStack {
                CountryScope(scope: $scope)
                    .padding()
                CountryList(countries: countries)
            }
            .navigationTitle("World")

            NoCountrySelected()
        }
        .onChange(of: scope) { newValue in
            countries.nsPredicate = newValue.predicate
        }
    }
}

@Suite("Views of the articles with fetch requests") @MainActor
struct FetchRequestViewTests {
    private func container() throws -> ModelContainer {
        let container = try ModelContainer(
            for: Item.self, Country.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = container.mainContext
        for number in 0..<4 {
            let time = Date(timeIntervalSince1970: Double(number) * 86_400)
            context.insert(Item(timestamp: number == 3 ? nil : time, categoryID: Int16(number % 2)))
        }
        context.insert(Country("Laos", capital: "Vientiane", visited: true))
        context.insert(Country("Latvia", capital: "Riga", visited: false))
        context.insert(Country("Portugal", capital: "Lisbon", visited: true))
        try context.save()
        return container
    }

    @Test("list items by time, lead to each, and are set by a button", .timeLimit(.minutes(30)))
    func items() async throws {
        let container = try container()
        let host = ViewHost { ItemsView().environment(\.managedObjectContext, container.viewContext) }
        let times = (0..<3).map { Date(timeIntervalSince1970: Double($0) * 86_400).formatted(.dateTime) }
        #expect(host.node("List")?.rows.map(\.texts) == times.map { [$0] })
        host.perform(.press, on: "NavigationLink")
        #expect(host.node("NavigationStack")?.children.last?.texts == ["Item at \(times[0])"])
        host.perform(.dismiss, on: "Page", "Item at \(times[0])")
        host.press("abc")
        await host.wait { host.node("List")?.rows.isEmpty == true }
        #expect(host.node("NavigationStack")?.texts == ["abc"])
    }

    @Test("show sections by a number") func sections() throws {
        let container = try container()
        let host = ViewHost { SectionsView().modelContainer(container) }
        #expect(
            host.outline == """
                Section
                  Header
                    Text "0"
                  Text "0"
                  Text "0"
                Section
                  Header
                    Text "1"
                  Text "1"
                  Text "1"
                """)
    }

    @Test("search the world's countries", .timeLimit(.minutes(30))) func world() async throws {
        let container = try container()
        let host = ViewHost { WorldView().modelContainer(container) }
        #expect(
            host.outline == """
                NavigationView
                  Page
                    VStack
                      Toggle false padding="all" [set toggle]
                        Text "Visited"
                      TextField "" padding="all" [set submit]
                        Text "Search"
                      Picker padding="all" [select]
                        Title
                          Text "By"
                        Text "Name"
                        Text "Capital"
                      List
                        Text "Laos"
                        Text "Latvia"
                        Text "Portugal"
                    NavigationTitle "World"
                    Text "No country selected"
                """)
        let picker = try #require(host.node("Picker"))
        host.perform(.set, .text("l"), on: "TextField")
        await host.wait { host.node("List")?.texts == ["Laos", "Latvia"] }
        picker.perform(.select, .integer(picker.options[1].id))
        host.perform(.set, .flag(true), on: "Toggle")
        await host.wait { host.node("List")?.texts == ["Portugal"] }
        #expect(host.node("List")?.texts == ["Portugal"])
    }
}
