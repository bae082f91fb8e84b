/// A view with an alert or a dialog as long as it is asked for.
struct DialogView<Content: View, Actions: View, Message: View>: View {
    let content: Content
    let kind: NodeKind
    let title: Text
    let attributes: [NodeAttribute: NodeValue]
    let isPresented: Binding<Bool>
    let actions: () -> Actions
    let message: () -> Message
    @State private var dismissal = Dismissal()

    init(
        _ content: Content, _ kind: NodeKind, title: Text, attributes: [NodeAttribute: NodeValue] = [:],
        isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> Actions,
        @ViewBuilder message: @escaping () -> Message = { EmptyView() }
    ) {
        (self.content, self.kind, self.title, self.attributes) = (content, kind, title, attributes)
        (self.isPresented, self.actions, self.message) = (isPresented, actions, message)
    }

    var body: some View {
        let _ = dismissal.action = { [isPresented] in isPresented.wrappedValue = false }
        content
        if isPresented.wrappedValue {
            Elsewhere(kind, describing: describe) {
                if Message.self != EmptyView.self { Part("Message") { message() } }
                actions()
            }
            .presented(dismissal.dismiss, closedByButtons: true)
        }
    }

    private func describe(_ node: inout NodeDescription) {
        node.nodeValue = .text(title.content)
        for (name, value) in attributes { node[name] = value }
        node.act(.dismiss) { [dismissal] in dismissal.dismiss() }
    }
}
