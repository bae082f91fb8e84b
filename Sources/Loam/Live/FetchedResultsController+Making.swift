extension FetchedResultsController where SectionTitle == Never {
    /// Makes a controller of results without sections. Nothing is read before ``performFetch()``.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: which models, in which order.
    ///   - modelContext: the context that makes the models.
    ///   - isolation: where the results change and the delegate is called; the caller's by itself.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(), modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) {
        self.init(fetchDescriptor, section: nil, context: modelContext, isolation: isolation)
    }
}

extension FetchedResultsController where SectionTitle: Comparable {
    /// Makes a controller of results in sections by a property. Nothing is read before ``performFetch()``.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: which models, in which order within a section.
    ///   - modelContext: the context that makes the models.
    ///   - sectionBy: the property, or a function of one, whose values are the titles of the sections.
    ///   - isolation: where the results change and the delegate is called; the caller's by itself.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(), modelContext: ModelContext,
        sectionBy: KeyPath<Element, SectionTitle>, isolation: isolated (any Actor)? = #isolation
    ) {
        self.init(fetchDescriptor, section: sectionBy, context: modelContext, isolation: isolation)
    }
}

extension FetchedResultsController where SectionTitle == String {
    /// Makes a controller of results in sections by an optional string. Models without one are in the section titled "",
    /// with those whose string is empty. Nothing is read before ``performFetch()``.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: which models, in which order within a section.
    ///   - modelContext: the context that makes the models.
    ///   - sectionBy: the property whose values are the titles of the sections.
    ///   - isolation: where the results change and the delegate is called; the caller's by itself.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(), modelContext: ModelContext,
        sectionBy: KeyPath<Element, String?>, isolation: isolated (any Actor)? = #isolation
    ) {
        self.init(fetchDescriptor, section: sectionBy, context: modelContext, isolation: isolation)
    }
}
