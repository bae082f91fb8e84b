/// A view with a sheet as long as there is something to show in it.
private struct SheetView<Content: View, Item, Sheet: View>: View {
    let content: Content
    let item: Binding<Item?>
    /// Tells sheets apart: another one begins anew.
    let id: (Item) -> AnyHashable
    let onDismiss: (() -> Void)?
    let sheet: (Item) -> Sheet
    @State private var dismissal = Dismissal()

    init(
        content: Content, item: Binding<Item?>, id: @escaping (Item) -> AnyHashable, onDismiss: (() -> Void)?,
        sheet: @escaping (Item) -> Sheet
    ) {
        (self.content, self.item, self.id, self.onDismiss, self.sheet) = (content, item, id, onDismiss, sheet)
    }

    var body: some View {
        // Not the view itself, which has the storage that the action is kept in.
        let _ = dismissal.action = { [item] in item.wrappedValue = nil }
        content
        if let shown = item.wrappedValue {
            Elsewhere("Sheet") { [dismissal] in
                $0.act(.dismiss) { dismissal.dismiss() }
            } content: {
                sheet(shown)
            }
            .presented(dismissal.dismiss)
            .onDisappear(perform: onDismiss)
            .id(id(shown))
        }
    }
}

extension View {
    /// Begins a surrounding of its own: what is around a sheet is not around what it shows.
    func presented(_ dismiss: DismissAction, closedByButtons: Bool = false) -> some View {
        environment(\.dismiss, dismiss)
            .environment(\.navigation, nil)
            .environment(\.listSelection, nil)
            .environment(\.buttonDismissal, closedByButtons ? dismiss : nil)
            .environment(\.isEnabled, true)
            .environment(\.submitActions, SubmitActions())
            .modifier(KeepsEditMode())
    }

    /// Shows a sheet as long as a flag is set; closing it clears the flag, then calls a closure.
    public func sheet<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        SheetView(content: self, item: isPresented.asItem, id: { AnyHashable($0) }, onDismiss: onDismiss) { _ in
            content()
        }
    }

    /// Shows a sheet as long as there is a value; closing it takes the value away, then calls a closure. A value with another
    /// identifier is another sheet.
    public func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        SheetView(content: self, item: item, id: { AnyHashable($0.id) }, onDismiss: onDismiss, sheet: content)
    }
}

extension Binding where Value == Bool {
    /// The flag as something that is there or not.
    var asItem: Binding<Bool?> {
        Binding<Bool?>(get: { wrappedValue ? true : nil }, set: { wrappedValue = $0 != nil })
    }
}
