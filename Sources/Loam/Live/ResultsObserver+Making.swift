public import Foundation

/// Observers of results without sections.
extension ResultsObserver where SectionTitle == Never {
    /// Observes the models that a descriptor fetches.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: which models, in which order.
    ///   - modelContext: the context that makes the models.
    ///   - isolation: where the results change; the caller's by itself.
    /// - Throws: ``SwiftDataError`` where the descriptor cannot be run or the store cannot be read.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(), modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, section: nil, context: modelContext, isolation: isolation)
    }

    /// Observes the models that a descriptor fetches, with models in a context of its own.
    ///
    /// - Throws: ``SwiftDataError`` where the descriptor cannot be run or the store cannot be read.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(), modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, section: nil, context: ModelContext(modelContainer), isolation: isolation)
    }

    /// Observes what a predicate and an order say, with models in a context.
    ///
    /// - Throws: ``SwiftDataError`` where the descriptor cannot be run or the store cannot be read.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        let descriptor = FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? [])
        try self.init(descriptor, section: nil, context: modelContext, isolation: isolation)
    }

    /// Observes what a predicate and an order say, with models in a context of its own.
    ///
    /// - Throws: ``SwiftDataError`` where the descriptor cannot be run or the store cannot be read.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        let descriptor = FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? [])
        try self.init(descriptor, section: nil, context: ModelContext(modelContainer), isolation: isolation)
    }
}

/// Observers of results in sections by any property whose values can be compared.
extension ResultsObserver where SectionTitle: Comparable {
    /// Observes a descriptor, in sections by a property, with models in a context.
    ///
    /// - Throws: ``SwiftDataError`` where the descriptor cannot be run or the store cannot be read.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(), sectionBy: KeyPath<Element, SectionTitle>,
        modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, section: sectionBy, context: modelContext, isolation: isolation)
    }

    /// Observes a descriptor, in sections by a property, with models in a context of its own.
    ///
    /// - Throws: ``SwiftDataError`` where the descriptor cannot be run or the store cannot be read.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(), sectionBy: KeyPath<Element, SectionTitle>,
        modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            fetchDescriptor, section: sectionBy, context: ModelContext(modelContainer), isolation: isolation)
    }

    /// Observes what a predicate and an order say, in sections by a property, with models in a context.
    ///
    /// - Throws: ``SwiftDataError`` where the descriptor cannot be run or the store cannot be read.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, SectionTitle>, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        let descriptor = FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? [])
        try self.init(descriptor, section: sectionBy, context: modelContext, isolation: isolation)
    }

    /// Observes what a predicate and an order say, in sections by a property, with models in a context of its own.
    ///
    /// - Throws: ``SwiftDataError`` where the descriptor cannot be run or the store cannot be read.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, SectionTitle>, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        let descriptor = FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? [])
        try self.init(descriptor, section: sectionBy, context: ModelContext(modelContainer), isolation: isolation)
    }
}

/// Observers of results in sections by an optional string. Models without a string are in the section titled "", with
/// those whose string is empty.
extension ResultsObserver where SectionTitle == String {
    /// Observes a descriptor, in sections by a property, with models in a context.
    ///
    /// - Throws: ``SwiftDataError`` where the descriptor cannot be run or the store cannot be read.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(), sectionBy: KeyPath<Element, String?>,
        modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, section: sectionBy, context: modelContext, isolation: isolation)
    }

    /// Observes a descriptor, in sections by a property, with models in a context of its own.
    ///
    /// - Throws: ``SwiftDataError`` where the descriptor cannot be run or the store cannot be read.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor(), sectionBy: KeyPath<Element, String?>,
        modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            fetchDescriptor, section: sectionBy, context: ModelContext(modelContainer), isolation: isolation)
    }

    /// Observes what a predicate and an order say, in sections by a property, with models in a context.
    ///
    /// - Throws: ``SwiftDataError`` where the descriptor cannot be run or the store cannot be read.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, String?>, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        let descriptor = FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? [])
        try self.init(descriptor, section: sectionBy, context: modelContext, isolation: isolation)
    }

    /// Observes what a predicate and an order say, in sections by a property, with models in a context of its own.
    ///
    /// - Throws: ``SwiftDataError`` where the descriptor cannot be run or the store cannot be read.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, String?>, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        let descriptor = FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? [])
        try self.init(descriptor, section: sectionBy, context: ModelContext(modelContainer), isolation: isolation)
    }
}
