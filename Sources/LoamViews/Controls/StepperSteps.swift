/// What a stepper does, and whether it can.
struct StepperSteps {
    /// The value; nil where it is no number.
    let value: @MainActor () -> NodeValue?
    var up: @MainActor () -> (() -> Void)?
    var down: @MainActor () -> (() -> Void)?
    var minimum: NodeValue?
    var maximum: NodeValue?

    @MainActor init(_ onIncrement: (() -> Void)?, _ onDecrement: (() -> Void)?) {
        value = { nil }
        up = { onIncrement.map { action in { action() } } }
        down = { onDecrement.map { action in { action() } } }
    }

    @MainActor init<Value: Strideable>(_ binding: Binding<Value>, _ bounds: ClosedRange<Value>?, _ step: Value.Stride) {
        @MainActor func go(by step: Value.Stride) -> (() -> Void)? {
            guard Self.next(binding.wrappedValue, by: step, in: bounds) != nil else { return nil }
            return {
                // The value may be another by now.
                if let next = Self.next(binding.wrappedValue, by: step, in: bounds) { binding.wrappedValue = next }
            }
        }
        value = { Self.nodeValue(binding.wrappedValue) }
        (up, down) = ({ go(by: step) }, { go(by: 0 - step) })
        (minimum, maximum) = (
            bounds.flatMap { Self.nodeValue($0.lowerBound) }, bounds.flatMap { Self.nodeValue($0.upperBound) }
        )
    }

    /// The same, with somebody told before each step and behind it.
    @MainActor func telling(_ change: @escaping (Bool) -> Void) -> StepperSteps {
        @MainActor func around(
            _ step: @escaping @MainActor () -> (() -> Void)?
        ) -> @MainActor () -> (() -> Void)? {
            {
                step().map { action in
                    {
                        change(true)
                        action()
                        change(false)
                    }
                }
            }
        }
        var steps = self
        (steps.up, steps.down) = (around(up), around(down))
        return steps
    }

    private static func nodeValue<Value>(_ value: Value) -> NodeValue? {
        if let integer = value as? any BinaryInteger { return Int(exactly: integer).map { .integer($0) } }
        if let number = value as? any BinaryFloatingPoint { return .number(Double(number)) }
        return (value as? Date).map { .date($0) }
    }

    /// The value after a step; nil where it would be out of bounds, or no value of the type.
    static func next<Value: Strideable>(
        _ value: Value, by step: Value.Stride, in bounds: ClosedRange<Value>?
    ) -> Value? {
        if let integer = value as? any FixedWidthInteger, !canAdd(step, to: integer) { return nil }
        let next = value.advanced(by: step)
        return bounds?.contains(next) ?? true ? next : nil
    }

    private static func canAdd<Integer: FixedWidthInteger>(_ step: Any, to integer: Integer) -> Bool {
        guard let step = step as? Int, let size = Integer(exactly: step.magnitude) else { return false }
        return !(step < 0 ? integer.subtractingReportingOverflow(size) : integer.addingReportingOverflow(size)).overflow
    }
}
