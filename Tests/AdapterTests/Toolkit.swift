import Loam
import Observation

// As much of another toolkit as an adapter needs: properties that last, an environment, and bodies that are observed.

@MainActor protocol DynamicProperty {
    mutating func update()
}

/// A place of a view: its storage, and what its body has read.
@MainActor final class Place {
    fileprivate static var current: Place?
    fileprivate var storage: [ObjectIdentifier: Any] = [:]
    let environment: EnvironmentValues
    /// Whether something has changed that the last body has read.
    private(set) var isStale = false

    init(_ context: ModelContext) { environment = EnvironmentValues(modelContext: context) }

    /// What a body makes of a property that a view was made with.
    func render<Property: DynamicProperty, Body>(_ property: Property, body: (Property) -> Body) -> Body {
        Place.current = self
        var property = property
        property.update()
        isStale = false
        return withObservationTracking {
            body(property)
        } onChange: { [weak self] in
            MainActor.assumeIsolated { self?.isStale = true }
        }
    }
}

/// A value that lasts; a place has one of each type.
@propertyWrapper @MainActor struct State<Value> {
    private let initial: Value

    init(wrappedValue: Value) { initial = wrappedValue }

    var wrappedValue: Value {
        if let value = Place.current?.storage[ObjectIdentifier(Value.self)] as? Value { return value }
        Place.current?.storage[ObjectIdentifier(Value.self)] = initial
        return initial
    }
}

@MainActor struct EnvironmentValues {
    let modelContext: ModelContext
}

@propertyWrapper @MainActor struct Environment<Value> {
    private let read: (EnvironmentValues) -> Value?

    init(_ keyPath: KeyPath<EnvironmentValues, Value>) { read = { $0[keyPath: keyPath] } }

    var wrappedValue: Value {
        guard let value = Place.current.flatMap({ read($0.environment) }) else {
            preconditionFailure("A property is read outside of a place.")
        }
        return value
    }
}

@propertyWrapper @MainActor struct Binding<Value> {
    let get: () -> Value
    let set: (Value) -> Void

    var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }
}
