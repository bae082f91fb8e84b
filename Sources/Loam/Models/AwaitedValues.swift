import LoamStorage

/// What an object outside any context lacks to enter one that a relationship of it leads into.
///
/// A relationship that an initializer sets may lead to a model of a context before the initializer is done. Were the
/// object inserted at once, a save, or one that an initializer which fails leaves behind, would meet it half made. So
/// it enters when the last value that it requires is set, and until then nothing but its own field knows of the
/// relationship.
struct AwaitedValues {
    /// Ordinals of the properties that require a value and have none.
    var properties: FieldMask
    weak var context: ModelContext?
}

extension _ModelBacking {
    /// The property is being set.
    func noteValue(of ordinal: Int) { awaited?.properties.remove(ordinal) }

    /// A property was set: where it was the last one, the object enters the context.
    func endWait(of model: some PersistentModel) {
        guard let awaited, awaited.properties.isEmpty else { return }
        self.awaited = nil
        if state == .free, context == nil { awaited.context?.admit(related: model) }
    }
}
