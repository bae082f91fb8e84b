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

/// Views for a development environment to show beside their source, in an older form than ``Preview(_:body:)``.
///
/// The compiler checks them; nothing else asks for them.
@MainActor public protocol PreviewProvider {
    /// The views' type.
    associatedtype Previews: View
    /// The views.
    @ViewBuilder static var previews: Previews { get }
}
