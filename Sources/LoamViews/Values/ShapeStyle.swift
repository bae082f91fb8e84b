/// What texts and shapes are filled with.
public protocol ShapeStyle: Sendable {
    /// What faces know it by.
    var styleName: String { get }
}

/// The colour of the place, more or less strong.
public struct HierarchicalShapeStyle: ShapeStyle, Hashable {
    /// `primary` to `quaternary`.
    public let styleName: String
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    /// The strongest.
    public static var primary: HierarchicalShapeStyle { HierarchicalShapeStyle(styleName: "primary") }
    /// Less strong.
    public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle(styleName: "secondary") }
    /// Weaker.
    public static var tertiary: HierarchicalShapeStyle { HierarchicalShapeStyle(styleName: "tertiary") }
    /// The weakest.
    public static var quaternary: HierarchicalShapeStyle { HierarchicalShapeStyle(styleName: "quaternary") }
}

/// The colour of controls.
public struct TintShapeStyle: ShapeStyle, Hashable {
    /// `tint`.
    public var styleName: String { "tint" }

    /// The colour of controls.
    public init() {}
}

extension ShapeStyle where Self == TintShapeStyle {
    /// The colour of controls.
    public static var tint: TintShapeStyle { TintShapeStyle() }
}

/// The colour that is behind all.
public struct BackgroundStyle: ShapeStyle, Hashable {
    /// `background`.
    public var styleName: String { "background" }

    /// The colour that is behind all.
    public init() {}
}

extension ShapeStyle where Self == BackgroundStyle {
    /// The colour that is behind all.
    public static var background: BackgroundStyle { BackgroundStyle() }
}

/// What is behind shows through it, blurred.
public struct Material: ShapeStyle, Hashable {
    /// `ultraThinMaterial` to `ultraThickMaterial`, and `barMaterial`.
    public let styleName: String
}

extension ShapeStyle where Self == Material {
    /// The most shows through.
    public static var ultraThinMaterial: Material { Material(styleName: "ultraThinMaterial") }
    /// Much shows through.
    public static var thinMaterial: Material { Material(styleName: "thinMaterial") }
    /// Something shows through.
    public static var regularMaterial: Material { Material(styleName: "regularMaterial") }
    /// Little shows through.
    public static var thickMaterial: Material { Material(styleName: "thickMaterial") }
    /// The least shows through.
    public static var ultraThickMaterial: Material { Material(styleName: "ultraThickMaterial") }
    /// As bars have it.
    public static var bar: Material { Material(styleName: "barMaterial") }
}

extension ShapeStyle where Self == Color {
    /// The colour of this name.
    public static var red: Color { Color.red }
    /// The colour of this name.
    public static var orange: Color { Color.orange }
    /// The colour of this name.
    public static var yellow: Color { Color.yellow }
    /// The colour of this name.
    public static var green: Color { Color.green }
    /// The colour of this name.
    public static var mint: Color { Color.mint }
    /// The colour of this name.
    public static var teal: Color { Color.teal }
    /// The colour of this name.
    public static var cyan: Color { Color.cyan }
    /// The colour of this name.
    public static var blue: Color { Color.blue }
    /// The colour of this name.
    public static var indigo: Color { Color.indigo }
    /// The colour of this name.
    public static var purple: Color { Color.purple }
    /// The colour of this name.
    public static var pink: Color { Color.pink }
    /// The colour of this name.
    public static var brown: Color { Color.brown }
    /// The colour of this name.
    public static var white: Color { Color.white }
    /// The colour of this name.
    public static var gray: Color { Color.gray }
    /// The colour of this name.
    public static var black: Color { Color.black }
    /// The colour of this name.
    public static var clear: Color { Color.clear }
}
