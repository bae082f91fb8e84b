import LoamViews

struct CityScreen: View {
    @Query(sort: \City.name) private var cities: [City]
    @Environment(\.modelContext) private var context

    var body: some View {
        NavigationStack {
            List {
                ForEach(cities) { city in
                    Text(city.name).font(.headline)
                }
                .onDelete { offsets in
                    for offset in offsets { context.delete(cities[offset]) }
                }
            }
            .navigationTitle("\(cities.count) cities")
        }
    }
}

@MainActor func outline(_ container: ModelContainer) -> String {
    let host = ViewHost { CityScreen().modelContainer(container) }
    defer { host.unmount() }
    return host.root.outline
}

#Preview {
    CityScreen().modelContainer(for: City.self, inMemory: true)
}
