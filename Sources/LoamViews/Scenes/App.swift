/// A program: its windows.
///
/// ```swift
/// @main struct WorldApp: App {
///     var body: some Scene {
///         WindowGroup { WorldView() }
///             .modelContainer(for: Country.self)
///     }
/// }
/// ```
///
/// A face shows it by mounting an ``AppView``. Its own protocol that refines this one can have another `main()`.
@MainActor @preconcurrency public protocol App {
    /// What it is made of.
    associatedtype Body: Scene
    /// The windows.
    @SceneBuilder var body: Body { get }
    /// Makes the app, once.
    init()
}

extension App {
    /// Runs the app without a face: mounts the first window, prints its nodes as an outline, and ends.
    public static func main() {
        let host = ViewHost { AppView(Self()) }
        print(host.root.outline)
        host.unmount()
    }
}

/// The first window of an app: what a face mounts. Properties of the app, as `State`, are kept as a view's are.
public struct AppView<Program: App>: View {
    private var app: AppProperty<Program>

    /// The first window of an app.
    public init(_ app: Program) { self.app = AppProperty(app: app) }

    /// What is in the window; nothing where the app has none.
    public var body: some View {
        if let window = app.app.body.windows.first { window.content }
    }
}

private struct AppProperty<Program: App>: InnerProperties {
    var app: Program
}
