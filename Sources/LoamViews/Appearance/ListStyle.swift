/// How lists look, by a name.
public protocol ListStyle: Sendable {
    /// What faces know it by.
    var styleName: String { get }
}

/// `automatic`.
public struct DefaultListStyle: ListStyle {
    /// `automatic`.
    public var styleName: String { "automatic" }

    /// The style.
    public init() {}
}

extension ListStyle where Self == DefaultListStyle {
    /// `automatic`.
    public static var automatic: DefaultListStyle { DefaultListStyle() }
}

/// `plain`.
public struct PlainListStyle: ListStyle {
    /// `plain`.
    public var styleName: String { "plain" }

    /// The style.
    public init() {}
}

extension ListStyle where Self == PlainListStyle {
    /// `plain`.
    public static var plain: PlainListStyle { PlainListStyle() }
}

/// `grouped`.
public struct GroupedListStyle: ListStyle {
    /// `grouped`.
    public var styleName: String { "grouped" }

    /// The style.
    public init() {}
}

extension ListStyle where Self == GroupedListStyle {
    /// `grouped`.
    public static var grouped: GroupedListStyle { GroupedListStyle() }
}

/// `inset`.
public struct InsetListStyle: ListStyle {
    /// `inset`.
    public var styleName: String { "inset" }

    /// The style.
    public init() {}
}

extension ListStyle where Self == InsetListStyle {
    /// `inset`.
    public static var inset: InsetListStyle { InsetListStyle() }
}

/// `insetGrouped`.
public struct InsetGroupedListStyle: ListStyle {
    /// `insetGrouped`.
    public var styleName: String { "insetGrouped" }

    /// The style.
    public init() {}
}

extension ListStyle where Self == InsetGroupedListStyle {
    /// `insetGrouped`.
    public static var insetGrouped: InsetGroupedListStyle { InsetGroupedListStyle() }
}

/// `sidebar`.
public struct SidebarListStyle: ListStyle {
    /// `sidebar`.
    public var styleName: String { "sidebar" }

    /// The style.
    public init() {}
}

extension ListStyle where Self == SidebarListStyle {
    /// `sidebar`.
    public static var sidebar: SidebarListStyle { SidebarListStyle() }
}

extension View {
    /// How lists inside look.
    public func listStyle<Style: ListStyle>(_ style: Style) -> some View {
        attribute(.listStyle, .text(style.styleName))
    }
}
