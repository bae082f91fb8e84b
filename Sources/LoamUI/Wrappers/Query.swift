public import Loam

/// The models that a fetch finds, in a property of a view, kept current.
///
/// ```swift
/// struct CityList: View {
///     @Query(filter: #Predicate { $0.population > 1_000_000 }, sort: \.name) private var cities: [City]
///     var body: some View { ForEach(cities) { Text($0.name) } }
/// }
/// ```
///
/// It fetches with the environment's model context when its view is mounted, so that the first body has its rows, and
/// follows until the view is removed: unsaved changes of that context and every save of others. A body that reads the
/// models is rendered when they change, with the query's own animation where the change brings none.
///
/// The type of the property says what there is to read, and what it costs: ``QueryResult``. An array costs O(n) after each
/// change; `FetchResultsCollection<City>` costs O(1), and makes a model when it is asked for; `sectionBy:` gives
/// `SectionedResults<City, String>`.
///
/// Beyond SwiftData's, predicate, order and limit can be set in place, from anywhere on the main actor: they stay until the
/// view is made anew with a query that asks for something else.
///
/// ```swift
/// $cities.predicate.wrappedValue = #Predicate { $0.name.starts(with: "L") }
/// $cities.fetchLimit.wrappedValue = 20
/// ```
@propertyWrapper @MainActor
public struct Query<Element: PersistentModel, Result: QueryResult> where Result.Model == Element {
    private var property: LiveProperty<QueryRequest<Result>>

    // In the type itself, where the compiler looks for it for `@Query var cities: [City]`.
    /// All models, in the order of their identifiers; no sections.
    public init() { self.init(FetchDescriptor(), change: nil) }

    init(_ given: GivenRequest<Element>) { property = LiveProperty(given) }

    package var request: QueryRequest<Result> { property.request }

    /// The models. After an error they are the last ones that could be fetched, none before the first.
    public var wrappedValue: Result { request.result }

    /// What is fetched, to be read and set: `$cities.predicate`, `$cities.sortBy`, `$cities.fetchLimit`.
    public var projectedValue: Binding<FetchDescriptor<Element>> { property.settings }

    /// Why the models are not those that are asked for; nil where they are.
    public var fetchError: (any Error)? { request.fetchError }

    /// The context that the models belong to: that of the environment.
    public var modelContext: ModelContext { property.context }

    /// The sections of a query with `sectionBy:`; else none. O(1).
    public var sections: SectionedResults<Element, Result.SectionTitle> { request.sections }
}

extension Query: ObservedProperty {}
