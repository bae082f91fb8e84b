/// What a query shows its models as: an array, a collection that makes models when they are asked for, or sections.
///
/// | type | cost of reading it after a change |
/// |---|---|
/// | `[Model]` | O(n): every model of the result is made |
/// | `FetchResultsCollection<Model>` | O(1), and O(log n) for each model that is asked for |
/// | `SectionedResults<Model, SectionTitle>` | O(1), and O(sections) for the first title |
public protocol QueryResult {
    /// The models of the result.
    associatedtype Model: PersistentModel
    /// The type of the sections' titles; `Never` for results without sections.
    associatedtype SectionTitle: Hashable & SendableMetatype

    /// The result as a live result shows it.
    ///
    /// - Parameters:
    ///   - results: the models in order.
    ///   - sections: the same in sections; none where the query has no sections.
    init(results: FetchResultsCollection<Model>, sections: SectionedResults<Model, SectionTitle>)
}

extension Array: QueryResult where Element: PersistentModel {
    /// The models of an array.
    public typealias Model = Element
    /// An array has no sections.
    public typealias SectionTitle = Never

    /// All models, made at once. O(n).
    public init(results: FetchResultsCollection<Element>, sections: SectionedResults<Element, Never>) {
        self = Array(results)
    }
}

extension FetchResultsCollection: QueryResult where Element: PersistentModel {
    /// The models of the collection.
    public typealias Model = Element
    /// The collection has no sections.
    public typealias SectionTitle = Never

    /// The collection itself. O(1).
    public init(results: FetchResultsCollection<Element>, sections: SectionedResults<Element, Never>) {
        self = results
    }
}

extension SectionedResults: QueryResult {
    /// The models of all sections.
    public typealias Model = Element

    /// The sections themselves. O(1).
    public init(results: FetchResultsCollection<Element>, sections: SectionedResults<Element, SectionTitle>) {
        self = sections
    }
}
