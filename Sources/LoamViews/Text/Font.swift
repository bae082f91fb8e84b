/// The letters of a text, by a name.
public struct Font: Hashable, Sendable {
    let name: String

    private init(_ name: String) { self.name = name }

    /// The largest titles.
    public static let largeTitle = Font("largeTitle")
    /// Titles.
    public static let title = Font("title")
    /// Smaller titles.
    public static let title2 = Font("title2")
    /// The smallest titles.
    public static let title3 = Font("title3")
    /// What stands over a paragraph.
    public static let headline = Font("headline")
    /// What stands below it.
    public static let subheadline = Font("subheadline")
    /// Text that is read.
    public static let body = Font("body")
    /// What is said beside it.
    public static let callout = Font("callout")
    /// Notes at the foot.
    public static let footnote = Font("footnote")
    /// What stands at an image.
    public static let caption = Font("caption")
    /// Smaller.
    public static let caption2 = Font("caption2")

    /// The system's font of a size in points.
    public static func system(size: Double, weight: Weight? = nil, design: Design? = nil) -> Font {
        Font("system \(size)").with(weight, design)
    }

    /// The system's font of a style.
    public static func system(_ style: TextStyle, design: Design? = nil, weight: Weight? = nil) -> Font {
        Font(style.rawValue).with(weight, design)
    }

    private func with(_ weight: Weight?, _ design: Design?) -> Font {
        var font = weight.map(self.weight) ?? self
        if let design { font = Font("\(font.name) \(design.rawValue)") }
        return font
    }

    /// The same font, bold.
    public func bold() -> Font { Font("\(name) bold") }
    /// The same font, italic.
    public func italic() -> Font { Font("\(name) italic") }
    /// The same font with letters of one width.
    public func monospaced() -> Font { Font("\(name) monospaced") }
    /// The same font with digits of one width.
    public func monospacedDigit() -> Font { Font("\(name) monospacedDigit") }
    /// The same font in a weight.
    public func weight(_ weight: Weight) -> Font { Font("\(name) \(weight.name)") }

    /// How thick letters are.
    public struct Weight: Hashable, Sendable {
        let name: String

        /// The thinnest.
        public static let ultraLight = Weight(name: "ultraLight")
        /// Thin.
        public static let thin = Weight(name: "thin")
        /// Light.
        public static let light = Weight(name: "light")
        /// As text is read.
        public static let regular = Weight(name: "regular")
        /// Between regular and bold.
        public static let medium = Weight(name: "medium")
        /// Nearly bold.
        public static let semibold = Weight(name: "semibold")
        /// Bold.
        public static let bold = Weight(name: "bold")
        /// More than bold.
        public static let heavy = Weight(name: "heavy")
        /// The thickest.
        public static let black = Weight(name: "black")
    }

    /// What kind of letters they are.
    public enum Design: String, Hashable, Sendable {
        /// The system's, those of books, round ones, those of one width.
        case `default`, serif, rounded, monospaced
    }

    /// What a text is for.
    public enum TextStyle: String, CaseIterable, Hashable, Sendable {
        /// As the fonts of these names.
        case largeTitle, title, title2, title3, headline, subheadline, body, callout, footnote, caption, caption2
    }
}
