/// A value that goes up and down. Node: `Stepper` with the value where it is a number, and the actions `increment` and
/// `decrement`, each where there is room. `onEditingChanged` is called with true before a step and with false behind it.
public struct Stepper<LabelContent: View>: PrimitiveView {
    private let steps: StepperSteps
    /// The label.
    public let content: LabelContent
    @Environment(\.isEnabled) private var isEnabled

    private init(_ steps: StepperSteps, _ label: LabelContent) { (self.steps, content) = (steps, label) }

    /// A stepper with a label and closures; none where there is no room.
    public init(
        @ViewBuilder label: () -> LabelContent, onIncrement: (() -> Void)?,
        onDecrement: (() -> Void)?, onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        self.init(StepperSteps(onIncrement, onDecrement).telling(onEditingChanged), label())
    }

    /// A stepper with a label for a value.
    public init<Value: Strideable>(
        value: Binding<Value>, step: Value.Stride = 1, @ViewBuilder label: () -> LabelContent,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        self.init(StepperSteps(value, nil, step).telling(onEditingChanged), label())
    }

    /// A stepper with a label for a value within bounds.
    public init<Value: Strideable>(
        value: Binding<Value>, in bounds: ClosedRange<Value>, step: Value.Stride = 1,
        @ViewBuilder label: () -> LabelContent, onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        self.init(StepperSteps(value, bounds, step).telling(onEditingChanged), label())
    }

    /// `Stepper`.
    public var kind: NodeKind { "Stepper" }

    /// The value, its bounds, and what can be done.
    public func describe(_ node: inout NodeDescription) {
        node.nodeValue = steps.value()
        (node[.minimum], node[.maximum]) = (steps.minimum, steps.maximum)
        if let increment = steps.up() { node.act(.increment) { increment() } }
        if let decrement = steps.down() { node.act(.decrement) { decrement() } }
        node.enable(isEnabled)
    }
}

extension Stepper where LabelContent == Text {
    /// A stepper with a title and closures; none where there is no room.
    public init(
        _ titleKey: LocalizedStringKey, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        self.init(StepperSteps(onIncrement, onDecrement).telling(onEditingChanged), Text(titleKey))
    }

    /// A stepper with a title for a value.
    public init<Value: Strideable>(
        _ titleKey: LocalizedStringKey, value: Binding<Value>, step: Value.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        self.init(StepperSteps(value, nil, step).telling(onEditingChanged), Text(titleKey))
    }

    /// A stepper with a title for a value within bounds.
    public init<Value: Strideable>(
        _ titleKey: LocalizedStringKey, value: Binding<Value>, in bounds: ClosedRange<Value>, step: Value.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        self.init(StepperSteps(value, bounds, step).telling(onEditingChanged), Text(titleKey))
    }

    /// A stepper with a title for a value.
    @_disfavoredOverload
    public init<Title: StringProtocol, Value: Strideable>(
        _ title: Title, value: Binding<Value>, step: Value.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        self.init(StepperSteps(value, nil, step).telling(onEditingChanged), Text(title))
    }

    /// A stepper with a title for a value within bounds.
    @_disfavoredOverload
    public init<Title: StringProtocol, Value: Strideable>(
        _ title: Title, value: Binding<Value>, in bounds: ClosedRange<Value>, step: Value.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        self.init(StepperSteps(value, bounds, step).telling(onEditingChanged), Text(title))
    }
}
