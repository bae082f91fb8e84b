/// A view for a development environment to show beside its source.
///
/// ```swift
/// #Preview("Three cities") {
///     ContentView().modelContainer(for: City.self, inMemory: true)
/// }
/// ```
///
/// The compiler checks the view as it checks any other; nothing is made of it, and it costs nothing when the program runs.
/// The declarations and statements in front of the view are checked, too.
///
/// - Parameters:
///   - name: what the view is called beside others; nobody reads it here.
///   - body: the view.
@freestanding(declaration)
public macro Preview(_ name: String? = nil, @ViewBuilder body: @escaping @MainActor () -> any View) =
    #externalMacro(module: "LoamPlugin", type: "PreviewMacro")
