/// A plain value that a node shows or an action is given: what JSON can say.
public enum FaceValue: Hashable, Sendable {
    /// A text.
    case text(String)
    /// Yes or no.
    case flag(Bool)
    /// A whole number.
    case integer(Int)
    /// A number that is finite.
    case number(Double)
    /// Several whole numbers.
    case integers([Int])

    /// The text; nil for other values.
    public var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The flag; nil for other values.
    public var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
}

extension FaceValue: Codable {
    /// A value as JSON has it. Throws for null, objects and other lists.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let integer = try? container.decode(Int.self) {
            self = .integer(integer)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .integers(try container.decode([Int].self))
        }
    }

    /// The value as JSON has it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .flag(let flag): try container.encode(flag)
        case .integer(let integer): try container.encode(integer)
        case .number(let number): try container.encode(number)
        case .integers(let integers): try container.encode(integers)
        }
    }
}
