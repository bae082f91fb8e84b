/// Leads to another page. Node: `NavigationLink` with the action `press`, where there is a stack around it.
public struct NavigationLink<LabelContent: View, Destination: View>: PrimitiveView {
    private enum Target {
        case value(AnyHashable?)
        case view(() -> Destination)
    }

    @MainActor private final class Pushed {
        weak var page: PushedPage?
    }

    private let target: Target
    /// The label.
    public let content: LabelContent
    @State private var pushed = Pushed()
    @Environment(\.navigation) private var navigation
    @Environment(\.replacesPages) private var replacesPages
    @Environment(\.listSelection) private var listSelection
    @Environment(\.isEnabled) private var isEnabled

    private init(_ target: Target, _ label: LabelContent) { (self.target, content) = (target, label) }

    /// A link to a view.
    public init(@ViewBuilder destination: @escaping () -> Destination, @ViewBuilder label: () -> LabelContent) {
        self.init(.view(destination), label())
    }

    /// A link to a view.
    public init(destination: Destination, @ViewBuilder label: () -> LabelContent) {
        self.init(.view({ destination }), label())
    }

    /// A link to the page of a value; nil: disabled.
    public init<Value: Hashable>(value: Value?, @ViewBuilder label: () -> LabelContent) where Destination == Never {
        self.init(.value(value.map { AnyHashable($0) }), label())
    }

    /// `NavigationLink`.
    public var kind: NodeKind { "NavigationLink" }

    /// That it can be followed.
    public func describe(_ node: inout NodeDescription) {
        switch target {
        case .value(let value): node.enable(isEnabled && follow(value, &node))
        case .view(let destination):
            pushed.page?.view = AnyView(destination())
            if let navigation {
                node.act(.press) { [pushed, replacesPages] in
                    let page = PushedPage(AnyView(destination()))
                    pushed.page = page
                    navigation.push(page, replacing: replacesPages)
                }
            }
            node.enable(isEnabled && navigation != nil)
        }
    }

    /// Whether there is somewhere to go.
    private func follow(_ value: AnyHashable?, _ node: inout NodeDescription) -> Bool {
        guard let value, navigation != nil || listSelection != nil else { return false }
        node.act(.press) { [navigation, listSelection, replacesPages] _ in
            let isChosen = listSelection?.selection?.select([value]) ?? false
            if isChosen, replacesPages || navigation == nil { return true }
            return navigation?.push(value, replacing: replacesPages) ?? false || isChosen
        }
        return true
    }
}

extension NavigationLink where LabelContent == Text {
    /// A link to a view, with a title.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder destination: @escaping () -> Destination) {
        self.init(destination: destination) { Text(titleKey) }
    }

    /// A link to a view, with a title.
    @_disfavoredOverload
    public init<Title: StringProtocol>(_ title: Title, @ViewBuilder destination: @escaping () -> Destination) {
        self.init(destination: destination) { Text(title) }
    }

    /// A link to a view, with a title.
    public init(_ titleKey: LocalizedStringKey, destination: Destination) {
        self.init(destination: destination) { Text(titleKey) }
    }

    /// A link to a view, with a title.
    @_disfavoredOverload public init<Title: StringProtocol>(_ title: Title, destination: Destination) {
        self.init(destination: destination) { Text(title) }
    }

    /// A link to the page of a value, with a title; nil: disabled.
    public init<Value: Hashable>(_ titleKey: LocalizedStringKey, value: Value?) where Destination == Never {
        self.init(value: value) { Text(titleKey) }
    }

    /// A link to the page of a value, with a title; nil: disabled.
    @_disfavoredOverload
    public init<Title: StringProtocol, Value: Hashable>(_ title: Title, value: Value?) where Destination == Never {
        self.init(value: value) { Text(title) }
    }
}
