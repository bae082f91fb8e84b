/// What is shown where there is nothing else to show. Node: `ContentUnavailableView`; inside a `Title`, and a `Description`
/// and `Actions` where there are such.
public struct ContentUnavailableView<LabelContent: View, Description: View, Actions: View>: PrimitiveView {
    private let label: LabelContent
    private let description: Description
    private let actions: Actions

    /// A label with a description and actions.
    public init(
        @ViewBuilder label: () -> LabelContent, @ViewBuilder description: () -> Description = { EmptyView() },
        @ViewBuilder actions: () -> Actions = { EmptyView() }
    ) {
        (self.label, self.description, self.actions) = (label(), description(), actions())
    }

    /// `ContentUnavailableView`.
    public var kind: NodeKind { "ContentUnavailableView" }

    /// The label, the description, the actions.
    public var content: some View {
        Part("Title") { label }
        if Description.self != EmptyView.self { Part("Description") { description } }
        if Actions.self != EmptyView.self { Part("Actions") { actions } }
    }
}

extension ContentUnavailableView where LabelContent == Label<Text, Image>, Description == Text?, Actions == EmptyView {
    /// A title with an image, and a description.
    public init(_ titleKey: LocalizedStringKey, systemImage name: String, description: Text? = nil) {
        self.init {
            Label(titleKey, systemImage: name)
        } description: {
            description
        }
    }

    /// A title with an image, and a description.
    @_disfavoredOverload
    public init<Title: StringProtocol>(_ title: Title, systemImage name: String, description: Text? = nil) {
        self.init {
            Label(title, systemImage: name)
        } description: {
            description
        }
    }

    /// A search that has found nothing.
    public static var search: Self { search(text: "") }

    /// A search for a text that has found nothing.
    public static func search(text: String) -> Self {
        let title = text.isEmpty ? "No Results" : "No Results for “\(text)”"
        return Self(
            title, systemImage: "magnifyingglass",
            description: Text(verbatim: "Check the spelling or try a new search."))
    }
}
