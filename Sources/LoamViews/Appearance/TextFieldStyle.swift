/// How text fields look, by a name.
public protocol TextFieldStyle: Sendable {
    /// What faces know it by.
    var styleName: String { get }
}

/// `automatic`.
public struct DefaultTextFieldStyle: TextFieldStyle {
    /// `automatic`.
    public var styleName: String { "automatic" }

    /// The style.
    public init() {}
}

extension TextFieldStyle where Self == DefaultTextFieldStyle {
    /// `automatic`.
    public static var automatic: DefaultTextFieldStyle { DefaultTextFieldStyle() }
}

/// `plain`.
public struct PlainTextFieldStyle: TextFieldStyle {
    /// `plain`.
    public var styleName: String { "plain" }

    /// The style.
    public init() {}
}

extension TextFieldStyle where Self == PlainTextFieldStyle {
    /// `plain`.
    public static var plain: PlainTextFieldStyle { PlainTextFieldStyle() }
}

/// `roundedBorder`.
public struct RoundedBorderTextFieldStyle: TextFieldStyle {
    /// `roundedBorder`.
    public var styleName: String { "roundedBorder" }

    /// The style.
    public init() {}
}

extension TextFieldStyle where Self == RoundedBorderTextFieldStyle {
    /// `roundedBorder`.
    public static var roundedBorder: RoundedBorderTextFieldStyle { RoundedBorderTextFieldStyle() }
}

extension View {
    /// How text fields inside look.
    public func textFieldStyle<Style: TextFieldStyle>(_ style: Style) -> some View {
        attribute(.textFieldStyle, .text(style.styleName))
    }
}
