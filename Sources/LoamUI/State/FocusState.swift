/// Which control has the focus, as far as views say and are told: a value, or whether one has it.
///
/// What draws the views sets it through the bindings that `focused` modifiers are given, and follows it.
@propertyWrapper @MainActor public struct FocusState<Value: Hashable>: DynamicProperty {
    /// A binding to what has the focus.
    @propertyWrapper @MainActor public struct Binding {
        private let base: LoamUI.Binding<Value>

        init(_ base: LoamUI.Binding<Value>) { self.base = base }

        /// What has the focus.
        public var wrappedValue: Value {
            get { base.wrappedValue }
            nonmutating set { base.wrappedValue = newValue }
        }

        /// The binding itself.
        public var projectedValue: Binding { self }
    }

    @State private var value: Value

    /// Whether one control has the focus; it has not at first.
    public init() where Value == Bool { _value = State(initialValue: false) }

    /// Which of several controls has the focus; none at first.
    public init<Wrapped: Hashable>() where Value == Wrapped? { _value = State(initialValue: nil) }

    /// What has the focus. Setting it moves the focus.
    public var wrappedValue: Value {
        get { value }
        nonmutating set { value = newValue }
    }

    /// A binding for `focused` modifiers.
    public var projectedValue: Binding { Binding($value) }
}

extension FocusState: ObservedProperty {}
