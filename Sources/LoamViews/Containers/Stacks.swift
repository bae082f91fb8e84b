/// Views beside each other. Node: `HStack`.
public struct HStack<Content: View>: PrimitiveView {
    private let alignment: VerticalAlignment
    private let spacing: Double?
    /// The views.
    public let content: Content

    /// A stack of views; the spacing is in points.
    public init(
        alignment: VerticalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> Content
    ) {
        (self.alignment, self.spacing, self.content) = (alignment, spacing, content())
    }

    /// `HStack`.
    public var kind: NodeKind { "HStack" }

    /// Alignment and spacing, where they are not as usual.
    public func describe(_ node: inout NodeDescription) {
        if alignment != .center { node[.alignment] = .text(alignment.name) }
        node[.spacing] = spacing.map { .number($0) }
    }
}

/// Views below each other. Node: `VStack`.
public struct VStack<Content: View>: PrimitiveView {
    private let alignment: HorizontalAlignment
    private let spacing: Double?
    /// The views.
    public let content: Content

    /// A stack of views; the spacing is in points.
    public init(
        alignment: HorizontalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> Content
    ) {
        (self.alignment, self.spacing, self.content) = (alignment, spacing, content())
    }

    /// `VStack`.
    public var kind: NodeKind { "VStack" }

    /// Alignment and spacing, where they are not as usual.
    public func describe(_ node: inout NodeDescription) {
        if alignment != .center { node[.alignment] = .text(alignment.name) }
        node[.spacing] = spacing.map { .number($0) }
    }
}

/// Views beside each other. Node: `LazyHStack`.
///
/// Of each `ForEach` inside it mounts the rows that are shown, as a ``List`` does.
public struct LazyHStack<Content: View>: PrimitiveView {
    private let alignment: VerticalAlignment
    private let spacing: Double?
    private let pinnedViews: PinnedScrollableViews
    /// The views.
    public let content: Content

    /// A stack of views; the spacing is in points.
    public init(
        alignment: VerticalAlignment = .center, spacing: Double? = nil, pinnedViews: PinnedScrollableViews = [],
        @ViewBuilder content: () -> Content
    ) {
        (self.alignment, self.spacing, self.pinnedViews) = (alignment, spacing, pinnedViews)
        self.content = content()
    }

    /// Those that are shown.
    public static var rowMounting: RowMounting { .shown }

    /// `LazyHStack`.
    public var kind: NodeKind { "LazyHStack" }

    /// Alignment, spacing and what is pinned, where they are not as usual.
    public func describe(_ node: inout NodeDescription) {
        if alignment != .center { node[.alignment] = .text(alignment.name) }
        node[.spacing] = spacing.map { .number($0) }
        if !pinnedViews.isEmpty { node[.pinnedViews] = .text(pinnedViews.name) }
    }
}

/// Views below each other. Node: `LazyVStack`.
///
/// Of each `ForEach` inside it mounts the rows that are shown, as a ``List`` does.
public struct LazyVStack<Content: View>: PrimitiveView {
    private let alignment: HorizontalAlignment
    private let spacing: Double?
    private let pinnedViews: PinnedScrollableViews
    /// The views.
    public let content: Content

    /// A stack of views; the spacing is in points.
    public init(
        alignment: HorizontalAlignment = .center, spacing: Double? = nil, pinnedViews: PinnedScrollableViews = [],
        @ViewBuilder content: () -> Content
    ) {
        (self.alignment, self.spacing, self.pinnedViews) = (alignment, spacing, pinnedViews)
        self.content = content()
    }

    /// Those that are shown.
    public static var rowMounting: RowMounting { .shown }

    /// `LazyVStack`.
    public var kind: NodeKind { "LazyVStack" }

    /// Alignment, spacing and what is pinned, where they are not as usual.
    public func describe(_ node: inout NodeDescription) {
        if alignment != .center { node[.alignment] = .text(alignment.name) }
        node[.spacing] = spacing.map { .number($0) }
        if !pinnedViews.isEmpty { node[.pinnedViews] = .text(pinnedViews.name) }
    }
}

/// Views in front of each other, the last in front. Node: `ZStack`.
public struct ZStack<Content: View>: PrimitiveView {
    private let alignment: Alignment
    /// The views.
    public let content: Content

    /// A stack of views.
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
        (self.alignment, self.content) = (alignment, content())
    }

    /// `ZStack`.
    public var kind: NodeKind { "ZStack" }

    /// The alignment, where it is not as usual.
    public func describe(_ node: inout NodeDescription) {
        if alignment != .center { node[.alignment] = .text(alignment.name) }
    }
}

/// What of a section stays in sight.
public struct PinnedScrollableViews: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Parts by their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Headers.
    public static let sectionHeaders = PinnedScrollableViews(rawValue: 1)
    /// Footers.
    public static let sectionFooters = PinnedScrollableViews(rawValue: 2)

    var name: String {
        [(Self.sectionHeaders, "headers"), (.sectionFooters, "footers")].filter { contains($0.0) }.map(\.1)
            .joined(separator: " ")
    }
}

/// Room that takes what is left. Node: `Spacer`.
public struct Spacer: PrimitiveView {
    private let minLength: Double?

    /// Room of a least length in points.
    public init(minLength: Double? = nil) { self.minLength = minLength }

    /// `Spacer`.
    public var kind: NodeKind { "Spacer" }

    /// The least length.
    public func describe(_ node: inout NodeDescription) { node[.minimum] = minLength.map { .number($0) } }
}

/// A line between views. Node: `Divider`.
public struct Divider: PrimitiveView {
    /// A line.
    public init() {}

    /// `Divider`.
    public var kind: NodeKind { "Divider" }
}
