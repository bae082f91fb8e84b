/// Rows with something above and below. Node: `Section`; inside a `Header` where there is one, the rows, a `Footer`.
///
/// With `isExpanded` its node has that as an attribute, and the actions `set` and `toggle`.
public struct Section<Parent: View, Rows: View, Footer: View>: PrimitiveView {
    private let header: Parent
    private let footer: Footer
    private let rows: Rows
    private let isExpanded: Binding<Bool>?
    @Environment(\.isEnabled) private var isEnabled

    private init(_ header: Parent, _ rows: Rows, _ footer: Footer, isExpanded: Binding<Bool>? = nil) {
        (self.header, self.rows, self.footer, self.isExpanded) = (header, rows, footer, isExpanded)
    }

    /// Rows with a header and a footer.
    public init(
        @ViewBuilder content: () -> Rows, @ViewBuilder header: () -> Parent, @ViewBuilder footer: () -> Footer
    ) {
        self.init(header(), content(), footer())
    }

    /// Rows with a header and a footer.
    public init(header: Parent, footer: Footer, @ViewBuilder content: () -> Rows) {
        self.init(header, content(), footer)
    }

    /// As in the list around it.
    public static var rowMounting: RowMounting { .inherited }

    /// `Section`.
    public var kind: NodeKind { "Section" }

    /// Whether it is expanded, and that it can be, where that is the program's to say.
    public func describe(_ node: inout NodeDescription) {
        guard let isExpanded else { return }
        node[.isExpanded] = .flag(isExpanded.wrappedValue)
        node.act(.set) { value in
            guard let flag = value?.flag else { return false }
            isExpanded.wrappedValue = flag
            return true
        }
        node.act(.toggle) { isExpanded.wrappedValue.toggle() }
        node.enable(isEnabled)
    }

    /// The header, the rows where they are not folded away, the footer.
    public var content: some View {
        if Parent.self != EmptyView.self { Part("Header") { header } }
        if isExpanded?.wrappedValue ?? true { rows }
        if Footer.self != EmptyView.self { Part("Footer") { footer } }
    }
}

extension Section where Parent == EmptyView {
    /// Rows with a footer.
    public init(@ViewBuilder content: () -> Rows, @ViewBuilder footer: () -> Footer) {
        self.init(EmptyView(), content(), footer())
    }

    /// Rows with a footer.
    public init(footer: Footer, @ViewBuilder content: () -> Rows) { self.init(EmptyView(), content(), footer) }
}

extension Section where Footer == EmptyView {
    /// Rows with a header.
    public init(@ViewBuilder content: () -> Rows, @ViewBuilder header: () -> Parent) {
        self.init(header(), content(), EmptyView())
    }

    /// Rows with a header.
    public init(header: Parent, @ViewBuilder content: () -> Rows) { self.init(header, content(), EmptyView()) }

    /// Rows with a header, which are there as long as the section is expanded.
    public init(
        isExpanded: Binding<Bool>, @ViewBuilder content: () -> Rows, @ViewBuilder header: () -> Parent
    ) {
        self.init(header(), content(), EmptyView(), isExpanded: isExpanded)
    }
}

extension Section where Parent == EmptyView, Footer == EmptyView {
    /// Rows.
    public init(@ViewBuilder content: () -> Rows) { self.init(EmptyView(), content(), EmptyView()) }
}

extension Section where Parent == Text, Footer == EmptyView {
    /// Rows with a title.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Rows) {
        self.init(Text(titleKey), content(), EmptyView())
    }

    /// Rows with a title.
    @_disfavoredOverload public init<Title: StringProtocol>(_ title: Title, @ViewBuilder content: () -> Rows) {
        self.init(Text(title), content(), EmptyView())
    }

    /// Rows with a title, which are there as long as the section is expanded.
    public init(_ titleKey: LocalizedStringKey, isExpanded: Binding<Bool>, @ViewBuilder content: () -> Rows) {
        self.init(Text(titleKey), content(), EmptyView(), isExpanded: isExpanded)
    }

    /// Rows with a title, which are there as long as the section is expanded.
    @_disfavoredOverload
    public init<Title: StringProtocol>(
        _ title: Title, isExpanded: Binding<Bool>, @ViewBuilder content: () -> Rows
    ) {
        self.init(Text(title), content(), EmptyView(), isExpanded: isExpanded)
    }
}

/// Controls in rows. Node: `Form`; its children are rows, and sections with rows.
public struct Form<Content: View>: PrimitiveView {
    /// The rows.
    public let content: Content

    /// Controls in rows.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    /// `Form`.
    public var kind: NodeKind { "Form" }
}
