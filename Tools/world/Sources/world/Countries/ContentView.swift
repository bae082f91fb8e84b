import LoamViews

/// Which countries are listed.
enum Scope: String, CaseIterable, Hashable {
    case all = "All"
    case visited = "Visited"
    case open = "To see"
}

/// What countries are sorted by within their continents.
enum CountryOrder: String, CaseIterable, Hashable {
    case name = "Name"
    case population = "People"
    case area = "Area"

    var descriptors: [SortDescriptor<Country>] {
        switch self {
        case .name: [SortDescriptor(\Country.name)]
        case .population: [SortDescriptor(\Country.population, order: .reverse)]
        case .area: [SortDescriptor(\Country.area, order: .reverse)]
        }
    }
}

/// Countries by continent, to search, sort and mark: what both faces show.
struct ContentView: View {
    @State private var search = ""
    @State private var scope = Scope.all
    @State private var order = CountryOrder.name

    init() {}

    var body: some View {
        NavigationStack {
            CountryList(search: search, scope: scope, order: order)
                .searchable(text: $search, prompt: "Search countries")
                .searchScopes($scope) {
                    ForEach(Scope.allCases, id: \.self) { Text($0.rawValue).tag($0) }
                }
                .toolbar {
                    ToolbarItem {
                        Picker("Sort by", selection: $order) {
                            ForEach(CountryOrder.allCases, id: \.self) { Text($0.rawValue).tag($0) }
                        }
                    }
                }
                .navigationTitle("Countries")
                .navigationDestination(for: String.self) { CountryPage(code: $0) }
        }
    }
}
