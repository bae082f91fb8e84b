extension View {
    /// The colour of texts and shapes inside.
    public func foregroundStyle<Style: ShapeStyle>(_ style: Style) -> some View {
        attribute(.foregroundStyle, .text(style.styleName))
    }

    /// The colour of texts and shapes inside; nil for that of the place.
    public func foregroundColor(_ color: Color?) -> some View {
        attributes(color.map { [.foregroundStyle: .text($0.styleName)] } ?? [:])
    }

    /// The colour of controls inside; nil for that of the place.
    public func tint(_ color: Color?) -> some View { attributes(color.map { [.tint: .text($0.styleName)] } ?? [:]) }

    /// The colour of controls inside.
    @_disfavoredOverload public func tint<Style: ShapeStyle>(_ style: Style) -> some View {
        attribute(.tint, .text(style.styleName))
    }

    /// The colour behind the view.
    public func background<Style: ShapeStyle>(_ style: Style) -> some View {
        attribute(.background, .text(style.styleName))
    }

    /// The colour behind the view, in a shape.
    public func background<Style: ShapeStyle, Mask: Shape>(_ style: Style, in shape: Mask) -> some View {
        attribute(.background, .text(style.styleName)).clipShape(shape)
    }

    /// The colour of backgrounds behind the view, in a shape.
    public func background<Mask: Shape>(in shape: Mask) -> some View { background(.background, in: shape) }

    /// Round corners, by a radius in points.
    public func cornerRadius(_ radius: Double) -> some View { attribute(.cornerRadius, .number(radius)) }

    /// How little what is behind is seen through the view: 0 for nothing but that, 1 for nothing of it.
    public func opacity(_ opacity: Double) -> some View { attribute(.opacity, .number(opacity)) }

    /// A shadow of a radius in points.
    public func shadow(radius: Double, x: Double = 0, y: Double = 0) -> some View {
        attributes(shadow(radius, x, y))
    }

    /// A shadow of a colour and a radius, so much further to the right and below, in points.
    public func shadow(color: Color, radius: Double, x: Double = 0, y: Double = 0) -> some View {
        attributes(shadow(radius, x, y).merging([.shadowColor: .text(color.styleName)]) { $1 })
    }

    private func shadow(_ radius: Double, _ x: Double, _ y: Double) -> [NodeAttribute: NodeValue] {
        var shadow: [NodeAttribute: NodeValue] = [.shadow: .number(radius)]
        if x != 0 { shadow[.shadowX] = .number(x) }
        if y != 0 { shadow[.shadowY] = .number(y) }
        return shadow
    }

    /// Takes the place of the view without showing it.
    public func hidden() -> some View { attribute(.hidden, .flag(true)) }

    /// Leaves the labels of controls inside out.
    public func labelsHidden() -> some View { attribute(.labelsHidden, .flag(true)) }

    /// Whether a line stands between this row and others.
    public func listRowSeparator(_ visibility: Visibility) -> some View {
        attribute(.listRowSeparator, .text(visibility.rawValue))
    }
}
