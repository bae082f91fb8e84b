import Observation

extension ObservationRegistrar {
    /// ``willSet(_:keyPath:)`` for a key path whose value's type is known only at run time.
    func willChange<Model: Observable>(_ model: Model, keyPath: PartialKeyPath<Model>) {
        func open<Value>(_: Value.Type) {
            if let keyPath = keyPath as? KeyPath<Model, Value> { willSet(model, keyPath: keyPath) }
        }
        _openExistential(type(of: keyPath).valueType, do: open)
    }

    /// ``didSet(_:keyPath:)`` for a key path whose value's type is known only at run time.
    func didChange<Model: Observable>(_ model: Model, keyPath: PartialKeyPath<Model>) {
        func open<Value>(_: Value.Type) {
            if let keyPath = keyPath as? KeyPath<Model, Value> { didSet(model, keyPath: keyPath) }
        }
        _openExistential(type(of: keyPath).valueType, do: open)
    }
}
