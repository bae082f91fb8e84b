/// A value that belongs to a place in the tree of views, however often the view is made anew.
///
/// ```swift
/// struct Row: View {
///     @State private var isOpen = false
/// }
/// ```
///
/// The first view at a place gives the first value; it stays until the view is removed. Bodies that have read the value
/// are rendered when it is set. Reading and setting are O(1) beside the bodies. Before its view is mounted the value is
/// the first one, and setting it does nothing.
@propertyWrapper @MainActor public struct State<Value>: DynamicProperty {
    private let initial: () -> Value
    private var cell: StateCell<Value>?

    /// A value by its first one, which is made once for a place, when the view is mounted.
    public init(wrappedValue: @autoclosure @escaping () -> Value) { initial = wrappedValue }

    /// A value by its first one.
    public init(initialValue: Value) { initial = { initialValue } }

    /// The value. Setting it renders what has read it.
    public var wrappedValue: Value {
        get { cell?.value ?? initial() }
        nonmutating set { cell?.value = newValue }
    }

    /// A binding to the value.
    public var projectedValue: Binding<Value> {
        guard let cell else { return .constant(initial()) }
        return Binding(cell)
    }
}

extension State where Value: ExpressibleByNilLiteral {
    /// A value that is nil at first.
    public init() { self.init(initialValue: nil) }
}

extension State: HostedProperty {
    mutating func mount(in place: PropertyPlace) {
        cell = place.storage { StateCell(initial()) }
    }

    func showsSame(as other: Self) -> Bool { true }
}
