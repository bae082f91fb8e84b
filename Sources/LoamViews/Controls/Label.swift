public import Foundation

/// A title with an icon. Node: `Label`, the icon inside before the title.
public struct Label<Title: View, Icon: View>: PrimitiveView {
    private let title: Title
    private let icon: Icon

    /// A title with an icon.
    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        (self.title, self.icon) = (title(), icon())
    }

    /// `Label`.
    public var kind: NodeKind { "Label" }

    /// The icon, then the title.
    public var content: TupleView<Icon, Title> { TupleView((icon, title)) }
}

extension Label where Title == Text, Icon == Image {
    /// A text with one of the system's images.
    public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
        self.init {
            Text(titleKey)
        } icon: {
            Image(systemName: name)
        }
    }

    /// A text with one of the system's images.
    @_disfavoredOverload public init<Content: StringProtocol>(_ title: Content, systemImage name: String) {
        self.init {
            Text(title)
        } icon: {
            Image(systemName: name)
        }
    }

    /// A text with an image.
    public init(_ titleKey: LocalizedStringKey, image name: String) {
        self.init {
            Text(titleKey)
        } icon: {
            Image(name)
        }
    }
}

/// An image by its name. Node: `Image` with the name.
public struct Image: PrimitiveView, Equatable {
    private let name: String
    private let isSystemImage: Bool
    private var isDecorative = false
    private var isResizable = false

    /// An image that the face has under a name.
    public init(_ name: String) { (self.name, isSystemImage) = (name, false) }

    /// An image that the face has under a name, and that a voice passes over.
    public init(decorative name: String) { (self.name, isSystemImage, isDecorative) = (name, false, true) }

    /// One of the system's images.
    public init(systemName: String) { (name, isSystemImage) = (systemName, true) }

    /// `Image`.
    public var kind: NodeKind { "Image" }

    /// The name.
    public func describe(_ node: inout NodeDescription) {
        node.nodeValue = .text(name)
        node[.isSystemImage] = .flag(isSystemImage)
        if isResizable { node[.isResizable] = .flag(true) }
        if isDecorative { node[.accessibilityHidden] = .flag(true) }
    }

    /// The same image, as large as the room is.
    public func resizable() -> Image {
        var image = self
        image.isResizable = true
        return image
    }
}

/// Leads to a page of the web. Node: `Link` with the URL, which the face opens.
public struct Link<LabelContent: View>: PrimitiveView {
    private let destination: URL
    /// The label.
    public let content: LabelContent

    /// A link with a label.
    public init(destination: URL, @ViewBuilder label: () -> LabelContent) {
        (self.destination, content) = (destination, label())
    }

    /// `Link`.
    public var kind: NodeKind { "Link" }

    /// The URL.
    public func describe(_ node: inout NodeDescription) { node.nodeValue = .text(destination.absoluteString) }
}

extension Link where LabelContent == Text {
    /// A link with a title.
    public init(_ titleKey: LocalizedStringKey, destination: URL) {
        self.init(destination: destination) { Text(titleKey) }
    }

    /// A link with a title.
    @_disfavoredOverload public init<Title: StringProtocol>(_ title: Title, destination: URL) {
        self.init(destination: destination) { Text(title) }
    }
}
