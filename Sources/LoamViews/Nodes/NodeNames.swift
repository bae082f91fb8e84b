/// What can be done with a node, by name: what a face may pass from outside as a text.
public struct NodeAction: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible, Comparable {
    /// The name.
    public let description: String

    /// By name.
    public static func < (left: NodeAction, right: NodeAction) -> Bool { left.description < right.description }

    /// An action by its name.
    public init(_ name: String) { description = name }

    /// An action by its name.
    public init(stringLiteral name: String) { self.init(name) }

    /// Presses a button or follows a link. No value.
    public static let press: NodeAction = "press"
    /// Sets the value: a text, a flag or a date, as the node's own.
    public static let set: NodeAction = "set"
    /// Switches a toggle. No value.
    public static let toggle: NodeAction = "toggle"
    /// Chooses rows of a list or an option of a picker, by the ids of their nodes.
    public static let select: NodeAction = "select"
    /// One step up. No value.
    public static let increment: NodeAction = "increment"
    /// One step down. No value.
    public static let decrement: NodeAction = "decrement"
    /// Says that a text is complete. No value.
    public static let submit: NodeAction = "submit"
    /// Deletes a row. No value.
    public static let delete: NodeAction = "delete"
    /// Moves a row: an integer, the position of the row that it comes to stand before.
    public static let move: NodeAction = "move"
    /// Asks for newer content. No value.
    public static let refresh: NodeAction = "refresh"
    /// Closes a sheet, an alert or a page, or ends a search. No value.
    public static let dismiss: NodeAction = "dismiss"
    /// Gives the node the focus, or takes it: a flag, or no value for the former.
    public static let focus: NodeAction = "focus"
    /// Taps what is no button. No value.
    public static let tap: NodeAction = "tap"
}

/// What is to be known of a node beside its value, by name. <doc:Faces> lists which nodes have which.
public struct NodeAttribute: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name.
    public let description: String

    /// An attribute by its name.
    public init(stringLiteral name: String) { description = name }
}

extension NodeAttribute {
    /// False where the node is disabled; it has no actions then.
    public static let isEnabled: NodeAttribute = "isEnabled"
    /// Whether it has the focus, where a `focused` modifier says so.
    public static let isFocused: NodeAttribute = "isFocused"
    /// What a button is for: `cancel`, `destructive`.
    public static let role: NodeAttribute = "role"
    /// What stands in an empty field.
    public static let prompt: NodeAttribute = "prompt"
    /// Whether an image is one of the system's.
    public static let isSystemImage: NodeAttribute = "isSystemImage"
    /// What of a date is chosen: `date`, `time`.
    public static let components: NodeAttribute = "components"
    /// The least value.
    public static let minimum: NodeAttribute = "minimum"
    /// The greatest value.
    public static let maximum: NodeAttribute = "maximum"
    /// Whether the rows of a section are there.
    public static let isExpanded: NodeAttribute = "isExpanded"
    /// Whether a list's rows are being edited.
    public static let isEditing: NodeAttribute = "isEditing"
    /// The directions that are scrolled.
    public static let axes: NodeAttribute = "axes"
    /// Whether it is seen how far something is scrolled.
    public static let showsIndicators: NodeAttribute = "showsIndicators"
    /// What of sections stays in sight: `headers`, `footers`.
    public static let pinnedViews: NodeAttribute = "pinnedViews"
    /// The direction in which a field grows: `horizontal`, `vertical`.
    public static let axis: NodeAttribute = "axis"
    /// Whether an image is as large as the room is.
    public static let isResizable: NodeAttribute = "isResizable"
    /// The distance between views, in points.
    public static let spacing: NodeAttribute = "spacing"
    /// Where views stand that are smaller.
    public static let alignment: NodeAttribute = "alignment"
    /// How a title is shown: `automatic`, `inline`, `large`.
    public static let displayMode: NodeAttribute = "displayMode"
    /// Where an item of a toolbar stands.
    public static let placement: NodeAttribute = "placement"
    /// Whether a dialog's title is seen: `automatic`, `visible`, `hidden`.
    public static let titleVisibility: NodeAttribute = "titleVisibility"
    /// At which edge of a row actions are: `leading`, `trailing`.
    public static let edge: NodeAttribute = "edge"
    /// Whether a full swipe does the first action.
    public static let allowsFullSwipe: NodeAttribute = "allowsFullSwipe"
}
