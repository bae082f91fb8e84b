/// A form that is filled or drawn as a line. Node: its name, with `fill`, `stroke`, `cornerRadius`.
public protocol Shape: PrimitiveView {}

/// A circle.
public struct Circle: Shape, Hashable {
    /// A circle.
    public nonisolated init() {}

    /// `Circle`.
    public var kind: NodeKind { "Circle" }
}

/// A rectangle.
public struct Rectangle: Shape, Hashable {
    /// A rectangle.
    public nonisolated init() {}

    /// `Rectangle`.
    public var kind: NodeKind { "Rectangle" }
}

/// A rectangle with half circles at two ends.
public struct Capsule: Shape, Hashable {
    /// A capsule.
    public nonisolated init() {}

    /// `Capsule`.
    public var kind: NodeKind { "Capsule" }
}

/// A rectangle with round corners.
public struct RoundedRectangle: Shape, Hashable {
    private let cornerRadius: Double
    private let style: RoundedCornerStyle

    /// A rectangle whose corners have a radius in points.
    public nonisolated init(cornerRadius: Double, style: RoundedCornerStyle = .continuous) {
        (self.cornerRadius, self.style) = (cornerRadius, style)
    }

    /// `RoundedRectangle`.
    public var kind: NodeKind { "RoundedRectangle" }

    /// The radius, and that corners are parts of circles.
    public func describe(_ node: inout NodeDescription) {
        node[.cornerRadius] = .number(cornerRadius)
        if style == .circular { node[.cornerStyle] = .text("circular") }
    }
}

/// How corners are round.
public enum RoundedCornerStyle: Sendable {
    /// Parts of circles, or curves that begin earlier.
    case circular, continuous
}

extension Shape where Self == Circle {
    /// A circle.
    public static var circle: Circle { Circle() }
}

extension Shape where Self == Capsule {
    /// A capsule.
    public static var capsule: Capsule { Capsule() }
}

extension Shape where Self == Rectangle {
    /// A rectangle.
    public static var rect: Rectangle { Rectangle() }
}

extension Shape where Self == RoundedRectangle {
    /// A rectangle whose corners have a radius in points.
    public static func rect(
        cornerRadius: Double, style: RoundedCornerStyle = .continuous
    ) -> RoundedRectangle {
        RoundedRectangle(cornerRadius: cornerRadius, style: style)
    }
}

extension Shape {
    /// The shape, filled.
    public func fill<Style: ShapeStyle>(_ style: Style) -> some View { attribute(.fill, .text(style.styleName)) }

    /// The shape as a line.
    public func stroke<Style: ShapeStyle>(_ style: Style, lineWidth: Double = 1) -> some View {
        attributes([.stroke: .text(style.styleName), .lineWidth: .number(lineWidth)])
    }

    /// The shape as a line that is all inside of it.
    public func strokeBorder<Style: ShapeStyle>(_ style: Style, lineWidth: Double = 1) -> some View {
        attributes([.stroke: .text(style.styleName), .lineWidth: .number(lineWidth), .strokesInside: .flag(true)])
    }

    /// The shape's name, with the radius of its corners.
    var clipName: String {
        var node = NodeDescription()
        describe(&node)
        return ["\(kind)", node[.cornerRadius].map { "\($0)" }].compactMap { $0 }.joined(separator: " ")
    }
}

extension View {
    /// Shows the view within a shape alone.
    public func clipShape<Mask: Shape>(_ shape: Mask) -> some View { attribute(.clipShape, .text(shape.clipName)) }
}
