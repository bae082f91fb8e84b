public import Loam

/// Queries in sections by any property whose values can be compared. Sections come in the order of their titles, in the
/// direction of the sort descriptor on the same property, ascending without one.
extension Query {
    /// The models that a predicate holds for, by an attribute, in sections; with an animation of its changes.
    public init<Value: Comparable, Title: Hashable & Comparable & SendableMetatype>(
        filter: Predicate<Element>? = nil, sort keyPath: any KeyPath<Element, Value> & Sendable,
        order: SortOrder = .forward, sectionBy: KeyPath<Element, Title>,
        animation: Animation
    ) where Result == SectionedResults<Element, Title> {
        let order = [SortDescriptor(keyPath, order: order)]
        self.init(
            FetchDescriptor(predicate: filter, sortBy: order), sectionBy: sectionBy,
            change: Transaction(animation: animation))
    }

    /// The models that a predicate holds for, by an attribute that may be nil; nil comes first, in sections; with an animation of its changes.
    public init<Value: Comparable, Title: Hashable & Comparable & SendableMetatype>(
        filter: Predicate<Element>? = nil, sort keyPath: any KeyPath<Element, Value?> & Sendable,
        order: SortOrder = .forward, sectionBy: KeyPath<Element, Title>,
        animation: Animation
    ) where Result == SectionedResults<Element, Title> {
        let order = [SortDescriptor(keyPath, order: order)]
        self.init(
            FetchDescriptor(predicate: filter, sortBy: order), sectionBy: sectionBy,
            change: Transaction(animation: animation))
    }

    /// The models that a predicate holds for, in an order, in sections; with an animation of its changes.
    public init<Title: Hashable & Comparable & SendableMetatype>(
        filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [],
        sectionBy: KeyPath<Element, Title>,
        animation: Animation
    ) where Result == SectionedResults<Element, Title> {
        self.init(
            FetchDescriptor(predicate: filter, sortBy: descriptors), sectionBy: sectionBy,
            change: Transaction(animation: animation))
    }

    /// What a descriptor fetches, in sections; with an animation of its changes.
    public init<Title: Hashable & Comparable & SendableMetatype>(
        _ descriptor: FetchDescriptor<Element>, sectionBy: KeyPath<Element, Title>, animation: Animation
    ) where Result == SectionedResults<Element, Title> {
        self.init(descriptor, sectionBy: sectionBy, change: Transaction(animation: animation))
    }

    /// The models that a predicate holds for, by an attribute, in sections; with a transaction of its changes.
    public init<Value: Comparable, Title: Hashable & Comparable & SendableMetatype>(
        filter: Predicate<Element>? = nil, sort keyPath: any KeyPath<Element, Value> & Sendable,
        order: SortOrder = .forward, sectionBy: KeyPath<Element, Title>,
        transaction: Transaction? = nil
    ) where Result == SectionedResults<Element, Title> {
        let order = [SortDescriptor(keyPath, order: order)]
        self.init(FetchDescriptor(predicate: filter, sortBy: order), sectionBy: sectionBy, change: transaction)
    }

    /// The models that a predicate holds for, by an attribute that may be nil; nil comes first, in sections; with a transaction of its changes.
    public init<Value: Comparable, Title: Hashable & Comparable & SendableMetatype>(
        filter: Predicate<Element>? = nil, sort keyPath: any KeyPath<Element, Value?> & Sendable,
        order: SortOrder = .forward, sectionBy: KeyPath<Element, Title>,
        transaction: Transaction? = nil
    ) where Result == SectionedResults<Element, Title> {
        let order = [SortDescriptor(keyPath, order: order)]
        self.init(FetchDescriptor(predicate: filter, sortBy: order), sectionBy: sectionBy, change: transaction)
    }

    /// The models that a predicate holds for, in an order, in sections; with a transaction of its changes.
    public init<Title: Hashable & Comparable & SendableMetatype>(
        filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [],
        sectionBy: KeyPath<Element, Title>,
        transaction: Transaction? = nil
    ) where Result == SectionedResults<Element, Title> {
        self.init(FetchDescriptor(predicate: filter, sortBy: descriptors), sectionBy: sectionBy, change: transaction)
    }

    /// What a descriptor fetches, in sections; with a transaction of its changes.
    public init<Title: Hashable & Comparable & SendableMetatype>(
        _ descriptor: FetchDescriptor<Element>, sectionBy: KeyPath<Element, Title>, transaction: Transaction? = nil
    ) where Result == SectionedResults<Element, Title> {
        self.init(descriptor, sectionBy: sectionBy, change: transaction)
    }
}
