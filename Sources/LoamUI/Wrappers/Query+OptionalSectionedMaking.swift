public import Loam

/// Queries in sections by a string that may be nil: models without one are in the section titled "".
extension Query where Result == SectionedResults<Element, String> {
    /// The models that a predicate holds for, by an attribute, in sections; with an animation of its changes.
    public init<Value: Comparable>(
        filter: Predicate<Element>? = nil, sort keyPath: any KeyPath<Element, Value> & Sendable,
        order: SortOrder = .forward, sectionBy: KeyPath<Element, String?>,
        animation: Animation
    ) {
        let order = [SortDescriptor(keyPath, order: order)]
        self.init(
            FetchDescriptor(predicate: filter, sortBy: order), sectionBy: sectionBy,
            change: Transaction(animation: animation))
    }

    /// The models that a predicate holds for, by an attribute that may be nil; nil comes first, in sections; with an animation of its changes.
    public init<Value: Comparable>(
        filter: Predicate<Element>? = nil, sort keyPath: any KeyPath<Element, Value?> & Sendable,
        order: SortOrder = .forward, sectionBy: KeyPath<Element, String?>,
        animation: Animation
    ) {
        let order = [SortDescriptor(keyPath, order: order)]
        self.init(
            FetchDescriptor(predicate: filter, sortBy: order), sectionBy: sectionBy,
            change: Transaction(animation: animation))
    }

    /// The models that a predicate holds for, in an order, in sections; with an animation of its changes.
    public init(
        filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [],
        sectionBy: KeyPath<Element, String?>,
        animation: Animation
    ) {
        self.init(
            FetchDescriptor(predicate: filter, sortBy: descriptors), sectionBy: sectionBy,
            change: Transaction(animation: animation))
    }

    /// What a descriptor fetches, in sections; with an animation of its changes.
    public init(_ descriptor: FetchDescriptor<Element>, sectionBy: KeyPath<Element, String?>, animation: Animation) {
        self.init(descriptor, sectionBy: sectionBy, change: Transaction(animation: animation))
    }

    /// The models that a predicate holds for, by an attribute, in sections; with a transaction of its changes.
    public init<Value: Comparable>(
        filter: Predicate<Element>? = nil, sort keyPath: any KeyPath<Element, Value> & Sendable,
        order: SortOrder = .forward, sectionBy: KeyPath<Element, String?>,
        transaction: Transaction? = nil
    ) {
        let order = [SortDescriptor(keyPath, order: order)]
        self.init(FetchDescriptor(predicate: filter, sortBy: order), sectionBy: sectionBy, change: transaction)
    }

    /// The models that a predicate holds for, by an attribute that may be nil; nil comes first, in sections; with a transaction of its changes.
    public init<Value: Comparable>(
        filter: Predicate<Element>? = nil, sort keyPath: any KeyPath<Element, Value?> & Sendable,
        order: SortOrder = .forward, sectionBy: KeyPath<Element, String?>,
        transaction: Transaction? = nil
    ) {
        let order = [SortDescriptor(keyPath, order: order)]
        self.init(FetchDescriptor(predicate: filter, sortBy: order), sectionBy: sectionBy, change: transaction)
    }

    /// The models that a predicate holds for, in an order, in sections; with a transaction of its changes.
    public init(
        filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [],
        sectionBy: KeyPath<Element, String?>,
        transaction: Transaction? = nil
    ) {
        self.init(FetchDescriptor(predicate: filter, sortBy: descriptors), sectionBy: sectionBy, change: transaction)
    }

    /// What a descriptor fetches, in sections; with a transaction of its changes.
    public init(
        _ descriptor: FetchDescriptor<Element>, sectionBy: KeyPath<Element, String?>, transaction: Transaction? = nil
    ) {
        self.init(descriptor, sectionBy: sectionBy, change: transaction)
    }
}
