/// A colour: a style, and a view of its own.
public struct Color: Hashable, Sendable {
    let name: String

    private nonisolated init(named name: String) { self.name = name }

    /// A colour by the name that a face knows it by.
    public nonisolated init(_ name: String) { self.init(named: name) }

    /// A colour by its parts, each from 0 to 1; others are cut off.
    public nonisolated init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
        let parts = [red, green, blue, opacity].map { part in
            let byte = Int(((part.isNaN ? 0 : min(max(part, 0), 1)) * 255).rounded())
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count < 2 ? "0" + digits : digits
        }
        self.init(named: "#" + parts.joined())
    }

    /// A colour by its hue, round the circle of colours from red to red, and how strong and how bright it is: each from 0
    /// to 1; others are cut off.
    public nonisolated init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {
        let parts = [5.0, 3, 1].map { offset in
            let place = (offset + min(max(hue, 0), 1) * 6).truncatingRemainder(dividingBy: 6)
            return brightness * (1 - saturation * max(0, min(place, 4 - place, 1)))
        }
        self.init(red: parts[0], green: parts[1], blue: parts[2], opacity: opacity)
    }

    /// A shade of grey, from 0 to 1.
    public nonisolated init(white: Double, opacity: Double = 1) {
        self.init(red: white, green: white, blue: white, opacity: opacity)
    }

    /// The same colour that what is behind is seen through.
    public nonisolated func opacity(_ opacity: Double) -> Color { Color(named: "\(name) \(opacity)") }

    /// The colour of this name.
    public static let red = Color(named: "red")
    /// The colour of this name.
    public static let orange = Color(named: "orange")
    /// The colour of this name.
    public static let yellow = Color(named: "yellow")
    /// The colour of this name.
    public static let green = Color(named: "green")
    /// The colour of this name.
    public static let mint = Color(named: "mint")
    /// The colour of this name.
    public static let teal = Color(named: "teal")
    /// The colour of this name.
    public static let cyan = Color(named: "cyan")
    /// The colour of this name.
    public static let blue = Color(named: "blue")
    /// The colour of this name.
    public static let indigo = Color(named: "indigo")
    /// The colour of this name.
    public static let purple = Color(named: "purple")
    /// The colour of this name.
    public static let pink = Color(named: "pink")
    /// The colour of this name.
    public static let brown = Color(named: "brown")
    /// The colour of this name.
    public static let white = Color(named: "white")
    /// The colour of this name.
    public static let gray = Color(named: "gray")
    /// The colour of this name.
    public static let black = Color(named: "black")
    /// None.
    public static let clear = Color(named: "clear")
    /// That of text.
    public static let primary = Color(named: "primary")
    /// That of text which matters less.
    public static let secondary = Color(named: "secondary")
    /// That of controls.
    public static let accentColor = Color(named: "accentColor")
}

extension Color: ShapeStyle {
    /// The colour's name, or `#RRGGBBAA`.
    public var styleName: String { name }
}

extension Color: PrimitiveView {
    /// `Color`.
    public var kind: NodeKind { "Color" }

    /// The name.
    public func describe(_ node: inout NodeDescription) { node.nodeValue = .text(name) }
}
