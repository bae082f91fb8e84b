/// A part of an app: windows.
@MainActor @preconcurrency public protocol Scene {
    /// What it is made of.
    associatedtype Body: Scene
    /// The scenes that it is made of.
    @SceneBuilder var body: Body { get }
}

extension Never: Scene {
    /// There is none.
    public var body: Never { self }
}

extension Scene where Body == Never {
    /// Such a scene is not made of others: asking stops the program, and nobody does.
    public var body: Never { preconditionFailure("\(Self.self) is made of no other scenes: ask for no body.") }
}

/// Makes one scene of several.
@MainActor @resultBuilder public enum SceneBuilder {
    /// One scene is itself.
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }

    /// Several scenes, one after the other.
    @_disfavoredOverload public static func buildBlock<each Content: Scene>(
        _ content: repeat each Content
    ) -> some Scene {
        var windows: [SceneWindow] = []
        for scene in repeat each content { windows += scene.windows }
        return SceneList(windows: windows)
    }

    /// A scene as it stands.
    public static func buildExpression<Content: Scene>(_ content: Content) -> Content { content }
}

/// A window of an app, not yet shown.
@MainActor public struct SceneWindow {
    /// Its title; nil where it has none.
    public let title: String?
    /// What is in it, with the scene's environment.
    public let content: AnyView
}

/// A scene that has its windows itself.
@MainActor protocol WindowScene: Scene {
    var sceneWindows: [SceneWindow] { get }
}

extension Scene {
    /// The windows of the scene, in their order. Makes their views, and mounts none.
    public var windows: [SceneWindow] { (self as? any WindowScene)?.sceneWindows ?? body.windows }
}

struct SceneList: WindowScene {
    let windows: [SceneWindow]

    var sceneWindows: [SceneWindow] { windows }
}

/// A window, or several of a kind.
public struct WindowGroup<Content: View>: Scene {
    private let title: String?
    private let content: Content

    /// A window.
    public init(@ViewBuilder content: () -> Content) { (title, self.content) = (nil, content()) }

    /// A window with a title.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        (title, self.content) = (titleKey.text, content())
    }

    /// A window with a title.
    @_disfavoredOverload public init<Title: StringProtocol>(_ title: Title, @ViewBuilder content: () -> Content) {
        (self.title, self.content) = (String(title), content())
    }

    /// A window that an app knows by an identifier.
    public init(id: String, @ViewBuilder content: () -> Content) { (title, self.content) = (nil, content()) }
}

extension WindowGroup: WindowScene {
    var sceneWindows: [SceneWindow] { [SceneWindow(title: title, content: AnyView(content))] }
}

/// A scene whose windows have something around them.
private struct ModifiedScene: WindowScene {
    let windows: [SceneWindow]

    init<Base: Scene, Content: View>(_ base: Base, _ modify: (AnyView) -> Content) {
        windows = base.windows.map { SceneWindow(title: $0.title, content: AnyView(modify($0.content))) }
    }

    var sceneWindows: [SceneWindow] { windows }
}

extension Scene {
    /// Gives the windows a value of the environment.
    public func environment<Value>(
        _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
    ) -> some Scene {
        ModifiedScene(self) { $0.environment(keyPath, value) }
    }

    /// Gives the windows an object, by its type.
    public func environment<Object: AnyObject & Observable>(_ object: Object?) -> some Scene {
        ModifiedScene(self) { $0.environment(object) }
    }

    /// Gives the windows a context to fetch with and change.
    public func modelContext(_ context: ModelContext) -> some Scene { ModifiedScene(self) { $0.modelContext(context) } }

    /// Gives the windows the main context of a container.
    public func modelContainer(_ container: ModelContainer) -> some Scene {
        ModifiedScene(self) { $0.modelContainer(container) }
    }

    /// Makes a container of a model for each window, when it is mounted, and gives it the main context: as for views.
    public func modelContainer(
        for type: any PersistentModel.Type, inMemory: Bool = false, isAutosaveEnabled: Bool = true,
        isUndoEnabled: Bool = false, onSetup: @escaping (Result<ModelContainer, any Error>) -> Void = { _ in }
    ) -> some Scene {
        modelContainer(
            for: [type], inMemory: inMemory, isAutosaveEnabled: isAutosaveEnabled, isUndoEnabled: isUndoEnabled,
            onSetup: onSetup)
    }

    /// Makes a container of several models for each window, otherwise as for one.
    public func modelContainer(
        for types: [any PersistentModel.Type], inMemory: Bool = false, isAutosaveEnabled: Bool = true,
        isUndoEnabled: Bool = false, onSetup: @escaping (Result<ModelContainer, any Error>) -> Void = { _ in }
    ) -> some Scene {
        ModifiedScene(self) {
            $0.modelContainer(
                for: types, inMemory: inMemory, isAutosaveEnabled: isAutosaveEnabled, isUndoEnabled: isUndoEnabled,
                onSetup: onSetup)
        }
    }
}
