private struct ModelContextKey: EnvironmentKey {
    static var defaultValue: ModelContext? { nil }
}

private struct ModelContextErrorKey: EnvironmentKey {
    static var defaultValue: (any Error)? { nil }
}

extension EnvironmentValues {
    /// The context that views fetch with and change: of the container that was given, or a context that was given
    /// itself. Where there is none it is an empty one, without any models: what is asked of it throws.
    ///
    /// ``modelContextError`` says why there is none.
    public var modelContext: ModelContext {
        get { self[ModelContextKey.self] ?? ModelContext.withoutModels() }
        set {
            self[ModelContextKey.self] = newValue
            self[ModelContextErrorKey.self] = nil
        }
    }

    /// Why ``modelContext`` is an empty one: nobody has given a container, or the one that was asked for could not be
    /// made. Nil where there is a context.
    public var modelContextError: (any Error)? {
        if self[ModelContextKey.self] != nil { return nil }
        return self[ModelContextErrorKey.self]
            ?? SwiftDataError(
                .missingModelContext,
                detail: "The environment has no model context: add modelContainer(_:) to a view around this one.")
    }

    /// Takes the context away, for a container that could not be made.
    mutating func removeModelContext(because error: any Error) {
        self[ModelContextKey.self] = nil
        self[ModelContextErrorKey.self] = error
    }
}
