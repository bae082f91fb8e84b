extension Text {
    /// The same text in a font; nil for that of the place.
    public nonisolated func font(_ font: Font?) -> Text { font.map { with(.font, .text($0.name)) } ?? self }

    /// The same text in a weight.
    public nonisolated func fontWeight(_ weight: Font.Weight?) -> Text {
        weight.map { with(.fontWeight, .text($0.name)) } ?? self
    }

    /// The same text, bold.
    public nonisolated func bold(_ isActive: Bool = true) -> Text { with(.bold, .flag(isActive)) }

    /// The same text, italic.
    public nonisolated func italic(_ isActive: Bool = true) -> Text { with(.italic, .flag(isActive)) }

    /// The same text, underlined.
    public nonisolated func underline(_ isActive: Bool = true) -> Text { with(.underline, .flag(isActive)) }

    /// The same text, struck through.
    public nonisolated func strikethrough(_ isActive: Bool = true) -> Text { with(.strikethrough, .flag(isActive)) }

    /// The same text in a style.
    public nonisolated func foregroundStyle<Style: ShapeStyle>(_ style: Style) -> Text {
        with(.foregroundStyle, .text(style.styleName))
    }

    /// The same text in a colour; nil for that of the place.
    public nonisolated func foregroundColor(_ color: Color?) -> Text {
        color.map { with(.foregroundStyle, .text($0.styleName)) } ?? self
    }
}
