import Observation

/// Tells who reads something when it changes. One key path serves for all, since a generic one is made at each use.
@MainActor class ObservedCell: Observable {
    private nonisolated static let keyPath: any KeyPath<ObservedCell, Void> & Sendable = \ObservedCell.content
    private let registrar = ObservationRegistrar()
    /// What is observed, whatever it is.
    private nonisolated var content: Void { () }

    final func noteRead() { registrar.access(self, keyPath: Self.keyPath) }

    final func change(_ change: () -> Void) { registrar.withMutation(of: self, keyPath: Self.keyPath, change) }
}

/// Where the value of a ``State`` is.
final class StateCell<Value>: ObservedCell {
    private var stored: Value

    init(_ value: Value) { stored = value }

    var value: Value {
        get {
            noteRead()
            return stored
        }
        set { change { stored = newValue } }
    }

    /// The value, of which nobody is told later.
    var unobserved: Value { stored }
}
