public import Observation

/// A value of the environment around a view, by its key path or by the type of an observable object.
///
/// ```swift
/// @Environment(\.modelContext) private var context
/// @Environment(Library.self) private var library
/// ```
///
/// A view that has one is rendered when the value around it is another. Reading is O(1). Outside of a mounted view it is
/// the default of the key.
@propertyWrapper @MainActor public struct Environment<Value>: DynamicProperty {
    private enum Source {
        case mounted(Value)
        case unmounted
    }

    private let read: @MainActor (EnvironmentValues) -> Value?
    private var source = Source.unmounted

    /// The value that a key path leads to.
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { read = { $0[keyPath: keyPath] } }

    /// An object that a view around this one was given by `environment(_:)`. Reading it where there is none stops the
    /// program; where there may be none, declare an optional.
    public init(_ type: Value.Type) where Value: AnyObject & Observable { read = { $0[type] } }

    /// An object that a view around this one may have been given by `environment(_:)`; else nil.
    public init<Object: AnyObject & Observable>(_ type: Object.Type) where Value == Object? {
        read = { .some($0[type]) }
    }

    /// The value.
    public var wrappedValue: Value {
        if case .mounted(let value) = source { return value }
        guard let value = read(EnvironmentValues()) else {
            preconditionFailure("No \(Value.self) in the environment: add environment(_:) to a view around this one.")
        }
        return value
    }
}

extension Environment: HostedProperty {
    mutating func mount(in place: PropertyPlace) {
        source = read(place.observedEnvironment).map(Source.mounted) ?? .unmounted
    }

    func showsSame(as other: Self) -> Bool { true }
}
