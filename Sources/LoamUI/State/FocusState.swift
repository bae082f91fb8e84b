/// Which control has the focus, as far as views say and are told: a value, or whether one has it.
///
/// ```swift
/// @FocusState private var field: Field?
/// TextField("Name", text: $name).focused($field, equals: .name)
/// ```
///
/// Setting it moves the focus: nodes say whether they have it. What draws them sets it through their actions.
@propertyWrapper @MainActor public struct FocusState<Value: Hashable>: DynamicProperty {
    /// A binding to what has the focus.
    @propertyWrapper @MainActor public struct Binding {
        let base: LoamUI.Binding<Value>
        /// What it is where no control has the focus.
        let none: Value

        /// What has the focus.
        public var wrappedValue: Value {
            get { base.wrappedValue }
            nonmutating set { base.wrappedValue = newValue }
        }

        /// The binding itself.
        public var projectedValue: Binding { self }
    }

    @State private var value: Value
    private let none: Value

    /// Whether one control has the focus; it has not at first.
    public init() where Value == Bool { self.init(none: false) }

    /// Which of several controls has the focus; none at first.
    public init<Wrapped: Hashable>() where Value == Wrapped? { self.init(none: nil) }

    private init(none: Value) {
        self.none = none
        _value = State(initialValue: none)
    }

    /// What has the focus. Setting it moves the focus.
    public var wrappedValue: Value {
        get { value }
        nonmutating set { value = newValue }
    }

    /// A binding for `focused` modifiers.
    public var projectedValue: Binding { Binding(base: $value, none: none) }
}

extension FocusState: ObservedProperty {}

extension FocusState.Binding: HostedProperty {
    mutating func mount(in place: PropertyPlace) {}

    func showsSame(as other: Self) -> Bool { base.showsSame(as: other.base) }
}
