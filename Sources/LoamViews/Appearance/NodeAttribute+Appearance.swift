extension NodeAttribute {
    /// The letters.
    public static let font: NodeAttribute = "font"
    /// How thick letters are.
    public static let fontWeight: NodeAttribute = "fontWeight"
    /// Whether letters are bold.
    public static let bold: NodeAttribute = "bold"
    /// Whether letters are italic.
    public static let italic: NodeAttribute = "italic"
    /// Whether a text is underlined.
    public static let underline: NodeAttribute = "underline"
    /// Whether a text is struck through.
    public static let strikethrough: NodeAttribute = "strikethrough"
    /// The colour of texts and shapes.
    public static let foregroundStyle: NodeAttribute = "foregroundStyle"
    /// The colour of controls.
    public static let tint: NodeAttribute = "tint"
    /// The colour behind.
    public static let background: NodeAttribute = "background"
    /// The colour in a shape.
    public static let fill: NodeAttribute = "fill"
    /// The colour of a shape's line.
    public static let stroke: NodeAttribute = "stroke"
    /// The width of a shape's line, in points.
    public static let lineWidth: NodeAttribute = "lineWidth"
    /// Whether the line is all inside of the shape.
    public static let strokesInside: NodeAttribute = "strokesInside"
    /// The room around, by edges and points.
    public static let padding: NodeAttribute = "padding"
    /// The width in points.
    public static let width: NodeAttribute = "width"
    /// The height in points.
    public static let height: NodeAttribute = "height"
    /// The least width in points.
    public static let minWidth: NodeAttribute = "minWidth"
    /// The greatest width in points.
    public static let maxWidth: NodeAttribute = "maxWidth"
    /// The least height in points.
    public static let minHeight: NodeAttribute = "minHeight"
    /// The greatest height in points.
    public static let maxHeight: NodeAttribute = "maxHeight"
    /// The radius of corners, in points.
    public static let cornerRadius: NodeAttribute = "cornerRadius"
    /// That corners are parts of circles: `circular`.
    public static let cornerStyle: NodeAttribute = "cornerStyle"
    /// How little what is behind is seen through: 0 to 1.
    public static let opacity: NodeAttribute = "opacity"
    /// The shape that it is seen in.
    public static let clipShape: NodeAttribute = "clipShape"
    /// How many lines a text has at most.
    public static let lineLimit: NodeAttribute = "lineLimit"
    /// Where lines begin.
    public static let multilineTextAlignment: NodeAttribute = "multilineTextAlignment"
    /// How many lines a text has at least.
    public static let minLines: NodeAttribute = "minLines"
    /// What kind of letters there are.
    public static let fontDesign: NodeAttribute = "fontDesign"
    /// How a list looks.
    public static let listStyle: NodeAttribute = "listStyle"
    /// How buttons look.
    public static let buttonStyle: NodeAttribute = "buttonStyle"
    /// How text fields look.
    public static let textFieldStyle: NodeAttribute = "textFieldStyle"
    /// How pickers look.
    public static let pickerStyle: NodeAttribute = "pickerStyle"
    /// How switches look.
    public static let toggleStyle: NodeAttribute = "toggleStyle"
    /// Whether labels of controls are left out.
    public static let labelsHidden: NodeAttribute = "labelsHidden"
    /// Whether it takes its place unseen.
    public static let hidden: NodeAttribute = "hidden"
    /// Whether a line stands between rows.
    public static let listRowSeparator: NodeAttribute = "listRowSeparator"
    /// What a voice says.
    public static let accessibilityLabel: NodeAttribute = "accessibilityLabel"
    /// What a voice adds.
    public static let accessibilityHint: NodeAttribute = "accessibilityHint"
    /// What tests know it by.
    public static let accessibilityIdentifier: NodeAttribute = "accessibilityIdentifier"
    /// What is said when a pointer rests.
    public static let help: NodeAttribute = "help"
    /// What the key says that submits.
    public static let submitLabel: NodeAttribute = "submitLabel"
    /// Which keys there are.
    public static let keyboardType: NodeAttribute = "keyboardType"
    /// Whether nobody corrects what is written.
    public static let autocorrectionDisabled: NodeAttribute = "autocorrectionDisabled"
    /// How letters are written: uppercase, lowercase.
    public static let textCase: NodeAttribute = "textCase"
    /// The radius of a shadow, in points.
    public static let shadow: NodeAttribute = "shadow"
    /// The colour of a shadow.
    public static let shadowColor: NodeAttribute = "shadowColor"
    /// How much further to the right a shadow is, in points.
    public static let shadowX: NodeAttribute = "shadowX"
    /// How much further below a shadow is, in points.
    public static let shadowY: NodeAttribute = "shadowY"
    /// Which letters are written in upper case without being asked for.
    public static let textInputAutocapitalization: NodeAttribute = "textInputAutocapitalization"
    /// Where a text is cut that is too long.
    public static let truncationMode: NodeAttribute = "truncationMode"
    /// How small letters may become, as a part of their size.
    public static let minimumScaleFactor: NodeAttribute = "minimumScaleFactor"
    /// Room between lines, in points.
    public static let lineSpacing: NodeAttribute = "lineSpacing"
    /// Whether all letters are equally wide.
    public static let monospaced: NodeAttribute = "monospaced"
    /// Whether all digits are equally wide.
    public static let monospacedDigit: NodeAttribute = "monospacedDigit"
    /// What a voice says of the value.
    public static let accessibilityValue: NodeAttribute = "accessibilityValue"
    /// Whether a voice passes it over.
    public static let accessibilityHidden: NodeAttribute = "accessibilityHidden"
    /// How much further to the right it is seen, in points.
    public static let offsetX: NodeAttribute = "offsetX"
    /// How much further below it is seen, in points.
    public static let offsetY: NodeAttribute = "offsetY"
    /// Before others in the same place that have less.
    public static let zIndex: NodeAttribute = "zIndex"
    /// Who gets room first: who has more.
    public static let layoutPriority: NodeAttribute = "layoutPriority"
    /// The directions in which it has its own size, whatever room there is.
    public static let fixedSize: NodeAttribute = "fixedSize"
    /// The edges at which it is also where bars or a keyboard are.
    public static let ignoresSafeArea: NodeAttribute = "ignoresSafeArea"
    /// Whether it fits into its room or fills it, with its proportions.
    public static let contentMode: NodeAttribute = "contentMode"
    /// The width, divided by the height.
    public static let aspectRatio: NodeAttribute = "aspectRatio"
    /// How many times as wide and high it is.
    public static let scale: NodeAttribute = "scale"
    /// By how many degrees it is turned clockwise.
    public static let rotation: NodeAttribute = "rotation"
    /// The radius by which it is blurred, in points.
    public static let blur: NodeAttribute = "blur"
    /// The colour of the line around.
    public static let border: NodeAttribute = "border"
    /// The width of the line around, in points.
    public static let borderWidth: NodeAttribute = "borderWidth"
    /// How large controls are.
    public static let controlSize: NodeAttribute = "controlSize"
    /// Whether the page or sheet is light or dark.
    public static let colorScheme: NodeAttribute = "colorScheme"
    /// How it comes, and goes where that is not said by itself.
    public static let transition: NodeAttribute = "transition"
    /// How it goes, where that is otherwise than it comes.
    public static let removalTransition: NodeAttribute = "removalTransition"
    /// The colour behind a row.
    public static let listRowBackground: NodeAttribute = "listRowBackground"
    /// Room around the content of a row, by edges and points.
    public static let listRowInsets: NodeAttribute = "listRowInsets"
    /// How large images are, beside the letters around.
    public static let imageScale: NodeAttribute = "imageScale"
    /// Whether nothing is seen of it outside of its frame.
    public static let isClipped: NodeAttribute = "isClipped"
    /// The shape within which it is tapped.
    public static let contentShape: NodeAttribute = "contentShape"
    /// What stands at the end of a row or on a tab.
    public static let badge: NodeAttribute = "badge"
}
