/// An edge of a rectangle, and sets of edges.
public enum Edge: Int8, CaseIterable, Hashable, Sendable {
    /// The edges.
    case top, leading, bottom, trailing

    /// Several edges.
    public struct Set: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: Int8

        /// Edges by their bits.
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// The edge of this name.
        public static let top = Set(rawValue: 1)
        /// The edge of this name.
        public static let leading = Set(rawValue: 2)
        /// The edge of this name.
        public static let bottom = Set(rawValue: 4)
        /// The edge of this name.
        public static let trailing = Set(rawValue: 8)
        /// Left and right.
        public static let horizontal: Set = [.leading, .trailing]
        /// Top and bottom.
        public static let vertical: Set = [.top, .bottom]
        /// All.
        public static let all: Set = [.horizontal, .vertical]

        /// The names, as few as there can be.
        var name: String {
            switch self {
            case .all: return "all"
            case .horizontal: return "horizontal"
            case .vertical: return "vertical"
            default:
                let names: [(Set, String)] = [
                    (.top, "top"), (.leading, "leading"), (.bottom, "bottom"), (.trailing, "trailing"),
                ]
                return names.filter { contains($0.0) }.map(\.1).joined(separator: " ")
            }
        }
    }
}

/// Room at each edge of a rectangle, in points.
public struct EdgeInsets: Hashable, Sendable {
    /// At the top.
    public var top: Double
    /// At the beginning of a line.
    public var leading: Double
    /// At the bottom.
    public var bottom: Double
    /// At the end of a line.
    public var trailing: Double

    /// None.
    public init() { self.init(top: 0, leading: 0, bottom: 0, trailing: 0) }

    /// Room at each edge.
    public init(top: Double, leading: Double, bottom: Double, trailing: Double) {
        (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
    }

    /// Each edge with its length.
    var words: String { "top \(top), leading \(leading), bottom \(bottom), trailing \(trailing)" }
}

/// Where something stands from left to right.
public struct HorizontalAlignment: Hashable, Sendable {
    let name: String

    /// At the beginning of a line.
    public static let leading = HorizontalAlignment(name: "leading")
    /// In the middle.
    public static let center = HorizontalAlignment(name: "center")
    /// At the end of a line.
    public static let trailing = HorizontalAlignment(name: "trailing")
}

/// Where something stands from top to bottom.
public struct VerticalAlignment: Hashable, Sendable {
    let name: String

    /// At the top.
    public static let top = VerticalAlignment(name: "top")
    /// In the middle.
    public static let center = VerticalAlignment(name: "center")
    /// At the bottom.
    public static let bottom = VerticalAlignment(name: "bottom")
    /// On the line of the first text.
    public static let firstTextBaseline = VerticalAlignment(name: "firstTextBaseline")
    /// On the line of the last text.
    public static let lastTextBaseline = VerticalAlignment(name: "lastTextBaseline")
}

/// Where something stands in both directions.
public struct Alignment: Hashable, Sendable {
    let name: String

    /// In the middle.
    public static let center = Alignment(name: "center")
    /// At the beginning of a line.
    public static let leading = Alignment(name: "leading")
    /// At the end of a line.
    public static let trailing = Alignment(name: "trailing")
    /// At the top.
    public static let top = Alignment(name: "top")
    /// At the bottom.
    public static let bottom = Alignment(name: "bottom")
    /// In the corner.
    public static let topLeading = Alignment(name: "topLeading")
    /// In the corner.
    public static let topTrailing = Alignment(name: "topTrailing")
    /// In the corner.
    public static let bottomLeading = Alignment(name: "bottomLeading")
    /// In the corner.
    public static let bottomTrailing = Alignment(name: "bottomTrailing")
}

/// A direction, and sets of both.
public enum Axis: Int8, CaseIterable, Hashable, Sendable {
    /// The directions.
    case horizontal, vertical

    /// Directions.
    public struct Set: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: Int8

        /// Directions by their bits.
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// From left to right.
        public static let horizontal = Set(rawValue: 1)
        /// From top to bottom.
        public static let vertical = Set(rawValue: 2)

        var name: String {
            [(Set.horizontal, "horizontal"), (.vertical, "vertical")].filter { contains($0.0) }.map(\.1)
                .joined(separator: " ")
        }
    }
}

/// A point of a view, in parts of its size.
public struct UnitPoint: Hashable, Sendable {
    /// From left to right, 0 to 1.
    public var x: Double
    /// From top to bottom, 0 to 1.
    public var y: Double

    /// A point.
    public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

    /// The middle.
    public static let center = UnitPoint(x: 0.5, y: 0.5)
    /// The middle of the top.
    public static let top = UnitPoint(x: 0.5, y: 0)
    /// The middle of the bottom.
    public static let bottom = UnitPoint(x: 0.5, y: 1)
    /// The middle of the left.
    public static let leading = UnitPoint(x: 0, y: 0.5)
    /// The middle of the right.
    public static let trailing = UnitPoint(x: 1, y: 0.5)
}

/// Whether something is seen.
public enum Visibility: String, CaseIterable, Hashable, Sendable {
    /// As the face has it, or not.
    case automatic, visible, hidden
}
