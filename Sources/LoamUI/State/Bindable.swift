public import Observation

/// Bindings to the properties of an observable object, as of a model.
///
/// ```swift
/// struct CityEditor: View {
///     @Bindable var city: City
///     var body: some View { NameField(text: $city.name) }
/// }
/// ```
///
/// It may stand in a body, too: `@Bindable var city = city`, or `Bindable(city).name`. A view that reads a property through
/// a binding is rendered when that property changes, whoever changes it. Setting is what an assignment to the property
/// is: a change of a model waits to be saved. Making one costs O(1), and nothing is kept of it.
@propertyWrapper @dynamicMemberLookup @MainActor public struct Bindable<Value: AnyObject & Observable> {
    /// The object.
    public var wrappedValue: Value

    /// Bindings to the properties of an object.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Bindings to the properties of an object.
    public init(_ wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Bindings to the properties of another one's object.
    public init(projectedValue: Bindable<Value>) { self = projectedValue }

    /// Itself: `$city.name` is a binding to `city.name`.
    public var projectedValue: Bindable<Value> { self }

    /// A binding to a property of the object, which the binding keeps.
    public subscript<Member>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Member>) -> Binding<Member> {
        let object = wrappedValue
        return Binding(
            identity: BindingIdentity(root: object, path: [keyPath]), get: { object[keyPath: keyPath] },
            set: { value, _ in object[keyPath: keyPath] = value })
    }
}

extension Bindable: Identifiable where Value: Identifiable {
    /// The object's.
    public nonisolated var id: Value.ID {
        MainActor.assumeIsolated { IdentifierBox(wrappedValue.id) }.id
    }
}
