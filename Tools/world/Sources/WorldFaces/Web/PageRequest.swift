public import Foundation

/// What a page asks for: one of a node's actions, with a value.
public struct PageRequest: Sendable, Equatable, Codable {
    /// The node.
    public let node: Int
    /// The action's name.
    public let action: String
    /// What the action is given; nil for nothing.
    public let value: FaceValue?

    /// The longest request in bytes.
    public static let longestBody = 8192
    /// The longest text in UTF-8 code units.
    public static let longestText = 1000
    /// The most numbers of a list.
    public static let mostIntegers = 1000
    private static let longestAction = 32

    /// A request.
    public init(node: Int, action: String, value: FaceValue? = nil) {
        (self.node, self.action, self.value) = (node, action, value)
    }

    /// A request out of its JSON; nil where it is none, or something of it is too long.
    public init?(json: some DataProtocol) {
        guard json.count <= Self.longestBody, let request = try? JSONDecoder().decode(Self.self, from: Data(json)),
            request.isBounded
        else { return nil }
        self = request
    }

    private var isBounded: Bool {
        guard action.utf8.count <= Self.longestAction else { return false }
        switch value {
        case .text(let text): return text.utf8.count <= Self.longestText
        case .integers(let integers): return integers.count <= Self.mostIntegers
        case .number(let number): return number.isFinite
        case .flag, .integer, nil: return true
        }
    }
}

/// What a page says of a message that it has.
public struct PageReceipt: Sendable, Equatable, Codable {
    /// The message's number.
    public let received: Int

    /// The receipt of a message.
    public init(received: Int) { self.received = received }
}
