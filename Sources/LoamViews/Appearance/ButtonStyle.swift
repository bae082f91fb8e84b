/// How buttons look, by a name.
public protocol ButtonStyle: Sendable {
    /// What faces know it by.
    var styleName: String { get }
}

/// `automatic`.
public struct DefaultButtonStyle: ButtonStyle {
    /// `automatic`.
    public var styleName: String { "automatic" }

    /// The style.
    public init() {}
}

extension ButtonStyle where Self == DefaultButtonStyle {
    /// `automatic`.
    public static var automatic: DefaultButtonStyle { DefaultButtonStyle() }
}

/// `plain`.
public struct PlainButtonStyle: ButtonStyle {
    /// `plain`.
    public var styleName: String { "plain" }

    /// The style.
    public init() {}
}

extension ButtonStyle where Self == PlainButtonStyle {
    /// `plain`.
    public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

/// `borderless`.
public struct BorderlessButtonStyle: ButtonStyle {
    /// `borderless`.
    public var styleName: String { "borderless" }

    /// The style.
    public init() {}
}

extension ButtonStyle where Self == BorderlessButtonStyle {
    /// `borderless`.
    public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}

/// `bordered`.
public struct BorderedButtonStyle: ButtonStyle {
    /// `bordered`.
    public var styleName: String { "bordered" }

    /// The style.
    public init() {}
}

extension ButtonStyle where Self == BorderedButtonStyle {
    /// `bordered`.
    public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}

/// `borderedProminent`.
public struct BorderedProminentButtonStyle: ButtonStyle {
    /// `borderedProminent`.
    public var styleName: String { "borderedProminent" }

    /// The style.
    public init() {}
}

extension ButtonStyle where Self == BorderedProminentButtonStyle {
    /// `borderedProminent`.
    public static var borderedProminent: BorderedProminentButtonStyle { BorderedProminentButtonStyle() }
}

extension View {
    /// How buttons inside look.
    public func buttonStyle<Style: ButtonStyle>(_ style: Style) -> some View {
        attribute(.buttonStyle, .text(style.styleName))
    }
}
