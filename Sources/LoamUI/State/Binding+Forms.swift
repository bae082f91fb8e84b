extension Binding {
    /// A binding to an optional that has the value of another; setting it to nil does nothing.
    public init<Wrapped>(_ base: Binding<Wrapped>) where Value == Wrapped? {
        self = base.derived(
            step: "?",
            get: { $0 },
            set: { value, newValue in
                if let newValue { value = newValue }
            })
    }

    /// A binding to the value of an optional; nil where there is none now. Later, when the optional is nil, the binding
    /// reads the last value, and setting does nothing.
    public init?(_ base: Binding<Value?>) {
        guard let value = base.wrappedValue else { return nil }
        let last = LastValue(value)
        self = base.derived(
            step: "!",
            get: { value in
                if let value { last.value = value }
                return last.value
            },
            set: { value, newValue in
                guard value != nil else { return }
                (value, last.value) = (newValue, newValue)
            })
    }

    /// A binding to the value in a type-erased one.
    public init<Wrapped: Hashable>(_ base: Binding<Wrapped>) where Value == AnyHashable {
        self = base.derived(
            step: "#",
            get: { AnyHashable($0) },
            set: { value, newValue in
                if let newValue = newValue.base as? Wrapped { value = newValue }
            })
    }
}

@MainActor private final class LastValue<Value> {
    var value: Value

    init(_ value: Value) { self.value = value }
}

extension Binding: Identifiable where Value: Identifiable {
    /// The value's.
    public nonisolated var id: Value.ID {
        MainActor.assumeIsolated { IdentifierBox(wrappedValue.id) }.id
    }
}

/// Takes an identifier out of the main actor's isolation to the caller, who is on it.
struct IdentifierBox<ID>: @unchecked Sendable {
    let id: ID

    init(_ id: ID) { self.id = id }
}

extension Binding: @MainActor Sequence where Value: MutableCollection {
    /// A binding to each element.
    public typealias Element = Binding<Value.Element>
    /// Bindings one after the other.
    public typealias Iterator = IndexingIterator<Binding<Value>>
    /// A part of the elements.
    public typealias SubSequence = Slice<Binding<Value>>
}

extension Binding: @MainActor Collection where Value: MutableCollection {
    /// The value's.
    public typealias Index = Value.Index
    /// The value's.
    public typealias Indices = Value.Indices

    /// The value's first index.
    public var startIndex: Value.Index { wrappedValue.startIndex }
    /// The value's end.
    public var endIndex: Value.Index { wrappedValue.endIndex }
    /// The value's indices.
    public var indices: Value.Indices { wrappedValue.indices }

    /// The value's next index.
    public func index(after index: Value.Index) -> Value.Index { wrappedValue.index(after: index) }

    /// A binding to an element. Reading and setting it copy the collection's reference; where the element has gone
    /// since, as after a deletion, reading gives the last value, and setting does nothing.
    public subscript(position: Value.Index) -> Binding<Value.Element> {
        let last = LastValue(wrappedValue[position])
        return derived(
            step: HashableIndex(position).step,
            get: { collection in
                if collection.indices.contains(position) { last.value = collection[position] }
                return last.value
            },
            set: { collection, element in
                guard collection.indices.contains(position) else { return }
                (collection[position], last.value) = (element, element)
            })
    }
}

extension Binding: @MainActor BidirectionalCollection
where Value: BidirectionalCollection, Value: MutableCollection {
    /// The value's index before.
    public func index(before index: Value.Index) -> Value.Index { wrappedValue.index(before: index) }
}

extension Binding: @MainActor RandomAccessCollection
where Value: MutableCollection, Value: RandomAccessCollection {}

/// An index as a step of a binding's identity; one that is not hashable is like no other.
private struct HashableIndex<Index> {
    let step: AnyHashable

    init(_ index: Index) { step = (index as? AnyHashable) ?? AnyHashable(ObjectIdentifier(LastStep())) }

    private final class LastStep {}
}
