public import Observation

/// A view with another environment.
private struct EnvironmentView<Wrapped: View>: WrappingView {
    let wrapped: Wrapped
    let change: @MainActor (inout EnvironmentValues) -> Void

    func environment(_ environment: EnvironmentValues) -> EnvironmentValues {
        var environment = environment
        change(&environment)
        return environment
    }
}

extension View {
    /// Gives the view, and all inside, a value of the environment. Only views that read it are rendered when it is
    /// another; a value that is not `Equatable` is compared by its fields.
    public func environment<Value>(
        _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
    ) -> some View {
        EnvironmentView(wrapped: self) { $0[keyPath: keyPath] = value }
    }

    /// Gives the view, and all inside, an object, by its type; nil takes it away.
    public func environment<Object: AnyObject & Observable>(_ object: Object?) -> some View {
        EnvironmentView(wrapped: self) { $0[Object.self] = object }
    }

    /// Changes a value of the environment for the view and all inside.
    public func transformEnvironment<Value>(
        _ keyPath: WritableKeyPath<EnvironmentValues, Value>, transform: @escaping (inout Value) -> Void
    ) -> some View {
        EnvironmentView(wrapped: self) { transform(&$0[keyPath: keyPath]) }
    }

    /// Gives the view, and all inside, a context to fetch with and change.
    public func modelContext(_ context: ModelContext) -> some View {
        EnvironmentView(wrapped: self) { $0.modelContext = context }
    }

    /// Gives the view, and all inside, the main context of a container.
    public func modelContainer(_ container: ModelContainer) -> some View {
        EnvironmentView(wrapped: self) { $0.modelContext = container.mainContext }
    }

    /// Makes a container of a model in the default location, and gives the view its main context.
    ///
    /// The container is made when the view is mounted, and once: what `inMemory` is later has no effect. Where it cannot
    /// be made, views have no rows and ``EnvironmentValues/modelContextError`` is why.
    ///
    /// - Parameters:
    ///   - type: the model. Those that its relationships lead to come along.
    ///   - inMemory: whether it is a store that goes with the view.
    ///   - isAutosaveEnabled: whether changes are saved without `save()`.
    ///   - isUndoEnabled: SwiftData's; contexts have no undo, so it has no effect.
    ///   - onSetup: called once with the container, or with the error.
    public func modelContainer(
        for type: any PersistentModel.Type, inMemory: Bool = false, isAutosaveEnabled: Bool = true,
        isUndoEnabled: Bool = false, onSetup: @escaping (Result<ModelContainer, any Error>) -> Void = { _ in }
    ) -> some View {
        modelContainer(
            for: [type], inMemory: inMemory, isAutosaveEnabled: isAutosaveEnabled, isUndoEnabled: isUndoEnabled,
            onSetup: onSetup)
    }

    /// Makes a container of several models, otherwise as for one.
    public func modelContainer(
        for types: [any PersistentModel.Type], inMemory: Bool = false, isAutosaveEnabled: Bool = true,
        isUndoEnabled: Bool = false, onSetup: @escaping (Result<ModelContainer, any Error>) -> Void = { _ in }
    ) -> some View {
        modifier(
            MadeContainer(
                make: {
                    let schema = Schema(types)
                    return try ModelContainer(
                        for: schema,
                        configurations: ModelConfiguration(schema: schema, isStoredInMemoryOnly: inMemory))
                }, isAutosaveEnabled: isAutosaveEnabled, onSetup: onSetup))
    }
}

/// Makes a container once, and keeps it as long as its view is there.
private struct MadeContainer: ViewModifier {
    @State private var made: Result<ModelContainer, any Error>

    init(
        make: @escaping () throws -> ModelContainer, isAutosaveEnabled: Bool,
        onSetup: @escaping (Result<ModelContainer, any Error>) -> Void
    ) {
        _made = State(
            wrappedValue: {
                let made = Result { try make() }
                if case .success(let container) = made { container.mainContext.autosaveEnabled = isAutosaveEnabled }
                onSetup(made)
                return made
            }())
    }

    func body(content: Content) -> some View {
        EnvironmentView(wrapped: content) { [made] environment in
            switch made {
            case .success(let container): environment.modelContext = container.mainContext
            case .failure(let error): environment.removeModelContext(because: error)
            }
        }
    }
}
