/// A property of a view, of a modifier or of another such property that the host gives its storage, and tells before
/// each body.
///
/// ```swift
/// struct Counter: DynamicProperty {
///     @State private var count = 0
///     @Environment(\.modelContext) private var context
///     mutating func update() { ... }
/// }
/// ```
///
/// A parent's render makes a view anew with its properties; the host then puts the storage of the old ones into the new,
/// the inner ones first, and calls ``update()``. What an `update()` reads of observable objects makes the view render
/// when it changes, as if the body had read it.
@MainActor public protocol DynamicProperty {
    /// Called before the view's body, when the properties within have their storage; also for a view that was made
    /// anew whose body then needs not run. Does nothing by itself.
    mutating func update()
}

extension DynamicProperty {
    /// Does nothing.
    public mutating func update() {}
}

/// A property all of whose results are observed: two values of it need not be compared to know whether a body that
/// reads them has to run. What changes for the body is told by Observation, after `update()` at the latest.
package protocol ObservedProperty: DynamicProperty {}

/// A property that the host gives storage, or values of the environment.
@MainActor protocol HostedProperty: DynamicProperty {
    mutating func mount(in place: PropertyPlace)

    /// Whether a body that was made with the other reads the same, as far as nothing else tells of the difference.
    func showsSame(as other: Self) -> Bool
}

/// A value whose fields are looked at for properties though it is none itself.
package protocol InnerProperties: DynamicProperty {}
