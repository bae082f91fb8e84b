/// What shows a view for as long as a binding is true.
@MainActor private final class Presentation {
    var isPresented: Binding<Bool>?
    /// One for all renders, so that no view is rendered for another.
    private(set) lazy var dismiss = DismissAction { [weak self] in self?.isPresented?.wrappedValue = false }
}

private struct PresentedView<Wrapped: View>: View {
    let wrapped: Wrapped
    let isPresented: Binding<Bool>
    @State private var presentation = Presentation()

    var body: some View {
        let _ = presentation.isPresented = isPresented
        wrapped.environment(\.dismiss, presentation.dismiss)
    }
}

extension View {
    /// The view as what a binding shows, a sheet or a page: its ``EnvironmentValues/dismiss`` sets the binding to false.
    ///
    /// For views that present others. A render of whoever presents it renders no view for its `dismiss`.
    package func presented(by isPresented: Binding<Bool>) -> some View {
        PresentedView(wrapped: self, isPresented: isPresented)
    }
}
