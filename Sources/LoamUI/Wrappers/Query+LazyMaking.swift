public import Loam

/// Queries whose models are made when they are asked for: O(1) after a change.
extension Query where Result == FetchResultsCollection<Element> {
    /// The models that a predicate holds for, by an attribute; with an animation of its changes.
    @_disfavoredOverload
    public init<Value: Comparable>(
        filter: Predicate<Element>? = nil, sort keyPath: any KeyPath<Element, Value> & Sendable,
        order: SortOrder = .forward,
        animation: Animation
    ) {
        let order = [SortDescriptor(keyPath, order: order)]
        self.init(FetchDescriptor(predicate: filter, sortBy: order), change: Transaction(animation: animation))
    }

    /// The models that a predicate holds for, by an attribute that may be nil; nil comes first; with an animation of its changes.
    @_disfavoredOverload
    public init<Value: Comparable>(
        filter: Predicate<Element>? = nil, sort keyPath: any KeyPath<Element, Value?> & Sendable,
        order: SortOrder = .forward,
        animation: Animation
    ) {
        let order = [SortDescriptor(keyPath, order: order)]
        self.init(FetchDescriptor(predicate: filter, sortBy: order), change: Transaction(animation: animation))
    }

    /// The models that a predicate holds for, in an order; with an animation of its changes.
    @_disfavoredOverload
    public init(
        filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [],
        animation: Animation
    ) {
        self.init(FetchDescriptor(predicate: filter, sortBy: descriptors), change: Transaction(animation: animation))
    }

    /// What a descriptor fetches; with an animation of its changes.
    @_disfavoredOverload
    public init(_ descriptor: FetchDescriptor<Element>, animation: Animation) {
        self.init(descriptor, change: Transaction(animation: animation))
    }

    /// The models that a predicate holds for, by an attribute; with a transaction of its changes.
    @_disfavoredOverload
    public init<Value: Comparable>(
        filter: Predicate<Element>? = nil, sort keyPath: any KeyPath<Element, Value> & Sendable,
        order: SortOrder = .forward,
        transaction: Transaction? = nil
    ) {
        let order = [SortDescriptor(keyPath, order: order)]
        self.init(FetchDescriptor(predicate: filter, sortBy: order), change: transaction)
    }

    /// The models that a predicate holds for, by an attribute that may be nil; nil comes first; with a transaction of its changes.
    @_disfavoredOverload
    public init<Value: Comparable>(
        filter: Predicate<Element>? = nil, sort keyPath: any KeyPath<Element, Value?> & Sendable,
        order: SortOrder = .forward,
        transaction: Transaction? = nil
    ) {
        let order = [SortDescriptor(keyPath, order: order)]
        self.init(FetchDescriptor(predicate: filter, sortBy: order), change: transaction)
    }

    /// The models that a predicate holds for, in an order; with a transaction of its changes.
    @_disfavoredOverload
    public init(
        filter: Predicate<Element>?, sort descriptors: [SortDescriptor<Element>] = [],
        transaction: Transaction? = nil
    ) {
        self.init(FetchDescriptor(predicate: filter, sortBy: descriptors), change: transaction)
    }

    /// All models in an order; with a transaction of its changes.
    @_disfavoredOverload
    public init(sort descriptors: [SortDescriptor<Element>], transaction: Transaction? = nil) {
        self.init(FetchDescriptor(sortBy: descriptors), change: transaction)
    }

    /// All models; with a transaction of its changes.
    @_disfavoredOverload
    public init(transaction: Transaction?) { self.init(FetchDescriptor(), change: transaction) }

    /// What a descriptor fetches; with a transaction of its changes.
    @_disfavoredOverload
    public init(_ descriptor: FetchDescriptor<Element>, transaction: Transaction? = nil) {
        self.init(descriptor, change: transaction)
    }
}
