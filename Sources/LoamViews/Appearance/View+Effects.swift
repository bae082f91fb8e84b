/// How a view fills the room that it gets, its proportions kept.
public enum ContentMode: String, CaseIterable, Hashable, Sendable {
    /// All of it is seen, or all of the room is filled.
    case fit, fill
}

/// How large controls are.
public enum ControlSize: String, CaseIterable, Hashable, Sendable {
    /// From the smallest to the largest.
    case mini, small, regular, large, extraLarge
}

/// Whether what is behind is light or dark.
public enum ColorScheme: String, CaseIterable, Hashable, Sendable {
    /// Light, or dark.
    case light, dark
}

/// Parts of the screen that a view leaves free for others.
public struct SafeAreaRegions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int8

    /// Regions by their bits.
    public init(rawValue: Int8) { self.rawValue = rawValue }

    /// That of bars.
    public static let container = SafeAreaRegions(rawValue: 1)
    /// That of a keyboard.
    public static let keyboard = SafeAreaRegions(rawValue: 2)
    /// All.
    public static let all: SafeAreaRegions = [.container, .keyboard]
}

extension View {
    /// The view so much further to the right and below, in points.
    public func offset(x: Double = 0, y: Double = 0) -> some View {
        attributes([.offsetX: .number(x), .offsetY: .number(y)])
    }

    /// Before others that stand in the same place, with less.
    public func zIndex(_ value: Double) -> some View { attribute(.zIndex, .number(value)) }

    /// Which of several views gets room first: the one with more.
    public func layoutPriority(_ value: Double) -> some View { attribute(.layoutPriority, .number(value)) }

    /// The view in its own size, whatever room there is.
    public func fixedSize() -> some View { fixedSize(horizontal: true, vertical: true) }

    /// The view in its own size in some directions, whatever room there is.
    public func fixedSize(horizontal: Bool, vertical: Bool) -> some View {
        var axes: Axis.Set = []
        if horizontal { axes.insert(.horizontal) }
        if vertical { axes.insert(.vertical) }
        return attributes(axes.isEmpty ? [:] : [.fixedSize: .text(axes.name)])
    }

    /// The view also where bars or a keyboard are, at some edges.
    public func ignoresSafeArea(_ regions: SafeAreaRegions = .all, edges: Edge.Set = .all) -> some View {
        let isNone = regions.isEmpty || edges.isEmpty
        let words = [edges.name, regions == .container ? "container" : regions == .keyboard ? "keyboard" : nil]
        return attributes(isNone ? [:] : [.ignoresSafeArea: .text(words.compactMap { $0 }.joined(separator: " "))])
    }

    /// The width of the view, divided by its height; nil for its own. It fits into the room that there is, or fills it.
    public func aspectRatio(_ ratio: Double? = nil, contentMode: ContentMode) -> some View {
        var attributes: [NodeAttribute: NodeValue] = [.contentMode: .text(contentMode.rawValue)]
        attributes[.aspectRatio] = ratio.map { .number($0) }
        return self.attributes(attributes)
    }

    /// The view as large as the room is, all of it seen, with its proportions.
    public func scaledToFit() -> some View { aspectRatio(contentMode: .fit) }

    /// The view so large that it fills the room, with its proportions.
    public func scaledToFill() -> some View { aspectRatio(contentMode: .fill) }

    /// The view so many times as wide and high.
    public func scaleEffect(_ scale: Double) -> some View { attribute(.scale, .number(scale)) }

    /// The view turned clockwise.
    public func rotationEffect(_ angle: Angle) -> some View { attribute(.rotation, .number(angle.degrees)) }

    /// The view blurred by a radius in points.
    public func blur(radius: Double) -> some View { attribute(.blur, .number(radius)) }

    /// A line around the view, of a width in points.
    public func border<Style: ShapeStyle>(_ content: Style, width: Double = 1) -> some View {
        attributes([.border: .text(content.styleName), .borderWidth: .number(width)])
    }

    /// How large controls inside are.
    public func controlSize(_ size: ControlSize) -> some View { attribute(.controlSize, .text(size.rawValue)) }

    /// What of the view is outside of its frame is not seen.
    public func clipped() -> some View { attribute(.isClipped, .flag(true)) }

    /// The shape within which the view is tapped.
    public func contentShape<Hit: Shape>(_ shape: Hit) -> some View { attribute(.contentShape, .text(shape.clipName)) }

    /// Room around the content of a row of a list, in points; nil for that of the place.
    public func listRowInsets(_ insets: EdgeInsets?) -> some View {
        attributes(insets.map { [.listRowInsets: .text($0.words)] } ?? [:])
    }

    /// Whether the page or sheet around is light or dark; nil for what the face has.
    public func preferredColorScheme(_ colorScheme: ColorScheme?) -> some View {
        attributes(colorScheme.map { [.colorScheme: .text($0.rawValue)] } ?? [:])
    }

    /// The colour behind a row of a list; nil for that of the place.
    public func listRowBackground(_ color: Color?) -> some View {
        attributes(color.map { [.listRowBackground: .text($0.styleName)] } ?? [:])
    }

    /// A number at the end of a row or on a tab; none for 0.
    public func badge(_ count: Int) -> some View { attributes(count == 0 ? [:] : [.badge: .text("\(count)")]) }

    /// A text at the end of a row or on a tab; nil for none.
    public func badge(_ label: Text?) -> some View { attributes(label.map { [.badge: .text($0.content)] } ?? [:]) }
}

/// An angle.
public struct Angle: Hashable, Sendable {
    /// In degrees, of which a whole turn has 360.
    public var degrees: Double
    /// In radians, of which a whole turn has 2π.
    public var radians: Double {
        get { degrees * .pi / 180 }
        set { degrees = newValue * 180 / .pi }
    }

    /// An angle in degrees.
    public init(degrees: Double) { self.degrees = degrees }

    /// An angle in radians.
    public init(radians: Double) { degrees = radians * 180 / .pi }

    /// An angle in degrees.
    public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }

    /// An angle in radians.
    public static func radians(_ radians: Double) -> Angle { Angle(radians: radians) }

    /// None.
    public static let zero = Angle(degrees: 0)
}
