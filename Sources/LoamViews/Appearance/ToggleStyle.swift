/// How switches look, by a name.
public protocol ToggleStyle: Sendable {
    /// What faces know it by.
    var styleName: String { get }
}

/// `automatic`.
public struct DefaultToggleStyle: ToggleStyle {
    /// `automatic`.
    public var styleName: String { "automatic" }

    /// The style.
    public init() {}
}

extension ToggleStyle where Self == DefaultToggleStyle {
    /// `automatic`.
    public static var automatic: DefaultToggleStyle { DefaultToggleStyle() }
}

/// `switch`.
public struct SwitchToggleStyle: ToggleStyle {
    /// `switch`.
    public var styleName: String { "switch" }

    /// The style.
    public init() {}
}

extension ToggleStyle where Self == SwitchToggleStyle {
    /// `switch`.
    public static var `switch`: SwitchToggleStyle { SwitchToggleStyle() }
}

/// `button`.
public struct ButtonToggleStyle: ToggleStyle {
    /// `button`.
    public var styleName: String { "button" }

    /// The style.
    public init() {}
}

extension ToggleStyle where Self == ButtonToggleStyle {
    /// `button`.
    public static var button: ButtonToggleStyle { ButtonToggleStyle() }
}

extension View {
    /// How switches inside look.
    public func toggleStyle<Style: ToggleStyle>(_ style: Style) -> some View {
        attribute(.toggleStyle, .text(style.styleName))
    }
}
