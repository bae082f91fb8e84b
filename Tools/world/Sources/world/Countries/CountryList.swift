import LoamViews

/// The countries that a search finds, in sections by continent.
struct CountryList: View {
    private let search: String
    @Query private var countries: SectionedResults<Country, String>

    init(search: String, scope: Scope, order: CountryOrder) {
        self.search = search
        let (isUnfiltered, isUnscoped, isVisited) = (search.isEmpty, scope == .all, scope == .visited)
        let filter = #Predicate<Country> {
            (isUnfiltered || $0.name.localizedStandardContains(search)) && (isUnscoped || $0.visited == isVisited)
        }
        _countries = Query(filter: filter, sort: order.descriptors, sectionBy: \.continent)
    }

    var body: some View {
        if countries.isEmpty {
            ContentUnavailableView.search(text: search)
        } else {
            List {
                ForEach(countries) { section in
                    Section(section.title) {
                        ForEach(section) { CountryRow(country: $0) }
                    }
                }
            }
        }
    }
}

/// A country in a list, with its mark.
struct CountryRow: View {
    @Bindable var country: Country

    init(country: Country) { self.country = country }

    var body: some View {
        HStack {
            VisitedToggle(country: country).labelsHidden()
            NavigationLink(country.name, value: country.code)
            Text(country.capital).foregroundStyle(.secondary)
            Text(country.population, format: .number).foregroundStyle(.secondary)
        }
    }
}
