/// What toolbars are made of: ``ToolbarItem``s, and structures whose body is of such.
public protocol ToolbarContent: View where Body: ToolbarContent {}

/// Makes the content of a toolbar.
public typealias ToolbarContentBuilder = ViewBuilder

extension Never: ToolbarContent {}
extension EmptyView: ToolbarContent {}
extension TupleView: ToolbarContent where repeat each Content: ToolbarContent {}
extension ConditionalContent: ToolbarContent where First: ToolbarContent, Second: ToolbarContent {}
extension Optional: ToolbarContent where Wrapped: ToolbarContent {}

/// Where an item of a toolbar stands.
public struct ToolbarItemPlacement: Hashable, Sendable {
    let name: String

    /// Where the face has such items.
    public static let automatic = ToolbarItemPlacement(name: "automatic")
    /// In the middle.
    public static let principal = ToolbarItemPlacement(name: "principal")
    /// At the beginning.
    public static let navigation = ToolbarItemPlacement(name: "navigation")
    /// What is done mostly.
    public static let primaryAction = ToolbarItemPlacement(name: "primaryAction")
    /// What is done now and then.
    public static let secondaryAction = ToolbarItemPlacement(name: "secondaryAction")
    /// What is said of the state.
    public static let status = ToolbarItemPlacement(name: "status")
    /// What says yes in a sheet.
    public static let confirmationAction = ToolbarItemPlacement(name: "confirmationAction")
    /// What says no in a sheet.
    public static let cancellationAction = ToolbarItemPlacement(name: "cancellationAction")
    /// What deletes in a sheet.
    public static let destructiveAction = ToolbarItemPlacement(name: "destructiveAction")
    /// At the beginning of the top.
    public static let topBarLeading = ToolbarItemPlacement(name: "topBarLeading")
    /// At the end of the top.
    public static let topBarTrailing = ToolbarItemPlacement(name: "topBarTrailing")
    /// At the beginning of the top.
    public static let navigationBarLeading = ToolbarItemPlacement(name: "topBarLeading")
    /// At the end of the top.
    public static let navigationBarTrailing = ToolbarItemPlacement(name: "topBarTrailing")
    /// At the bottom.
    public static let bottomBar = ToolbarItemPlacement(name: "bottomBar")
    /// At the keyboard.
    public static let keyboard = ToolbarItemPlacement(name: "keyboard")
}

/// Something in a toolbar. Node: `ToolbarItem` with its placement.
public struct ToolbarItem<Content: View>: PrimitiveView, ToolbarContent {
    private let placement: ToolbarItemPlacement
    /// What is there.
    public let content: Content

    /// A view at a place.
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        (self.placement, self.content) = (placement, content())
    }

    /// `ToolbarItem`.
    public var kind: NodeKind { "ToolbarItem" }

    /// The placement.
    public func describe(_ node: inout NodeDescription) { node[.placement] = .text(placement.name) }
}

/// Several views in a toolbar. Node: a `ToolbarItem` with all of them.
public struct ToolbarItemGroup<Content: View>: PrimitiveView, ToolbarContent {
    private let placement: ToolbarItemPlacement
    /// What is there.
    public let content: Content

    /// Views at a place.
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        (self.placement, self.content) = (placement, content())
    }

    /// `ToolbarItem`.
    public var kind: NodeKind { "ToolbarItem" }

    /// The placement.
    public func describe(_ node: inout NodeDescription) { node[.placement] = .text(placement.name) }
}

extension View {
    /// Gives the page or sheet around the view a toolbar: items, or views that stand where the face has such.
    public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View {
        Attached(content: self, attachment: Elsewhere("Toolbar", content: content))
    }
}
