/// How pickers look, by a name.
public protocol PickerStyle: Sendable {
    /// What faces know it by.
    var styleName: String { get }
}

/// `automatic`.
public struct DefaultPickerStyle: PickerStyle {
    /// `automatic`.
    public var styleName: String { "automatic" }

    /// The style.
    public init() {}
}

extension PickerStyle where Self == DefaultPickerStyle {
    /// `automatic`.
    public static var automatic: DefaultPickerStyle { DefaultPickerStyle() }
}

/// `inline`.
public struct InlinePickerStyle: PickerStyle {
    /// `inline`.
    public var styleName: String { "inline" }

    /// The style.
    public init() {}
}

extension PickerStyle where Self == InlinePickerStyle {
    /// `inline`.
    public static var inline: InlinePickerStyle { InlinePickerStyle() }
}

/// `menu`.
public struct MenuPickerStyle: PickerStyle {
    /// `menu`.
    public var styleName: String { "menu" }

    /// The style.
    public init() {}
}

extension PickerStyle where Self == MenuPickerStyle {
    /// `menu`.
    public static var menu: MenuPickerStyle { MenuPickerStyle() }
}

/// `segmented`.
public struct SegmentedPickerStyle: PickerStyle {
    /// `segmented`.
    public var styleName: String { "segmented" }

    /// The style.
    public init() {}
}

extension PickerStyle where Self == SegmentedPickerStyle {
    /// `segmented`.
    public static var segmented: SegmentedPickerStyle { SegmentedPickerStyle() }
}

/// `wheel`.
public struct WheelPickerStyle: PickerStyle {
    /// `wheel`.
    public var styleName: String { "wheel" }

    /// The style.
    public init() {}
}

extension PickerStyle where Self == WheelPickerStyle {
    /// `wheel`.
    public static var wheel: WheelPickerStyle { WheelPickerStyle() }
}

/// `navigationLink`.
public struct NavigationLinkPickerStyle: PickerStyle {
    /// `navigationLink`.
    public var styleName: String { "navigationLink" }

    /// The style.
    public init() {}
}

extension PickerStyle where Self == NavigationLinkPickerStyle {
    /// `navigationLink`.
    public static var navigationLink: NavigationLinkPickerStyle { NavigationLinkPickerStyle() }
}

extension View {
    /// How pickers inside look.
    public func pickerStyle<Style: PickerStyle>(_ style: Style) -> some View {
        attribute(.pickerStyle, .text(style.styleName))
    }
}
