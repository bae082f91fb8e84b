/// A key that was pressed.
public enum Key: Hashable, Sendable {
    /// A character that is typed.
    case character(Character)
    /// A letter with the control key.
    case control(Character)
    case up, down, left, right, pageUp, pageDown, home, end
    case enter, tab, backTab, backspace, delete, escape
}

/// Makes keys of the bytes that a terminal sends: UTF-8 and the sequences of VT100 and xterm.
///
/// Bytes come in any pieces. A lone escape byte is a key only once ``flush()`` says that nothing follows it.
public struct KeyDecoder: Sendable {
    private var pending: [UInt8] = []
    /// A longer sequence is no key of any terminal; it is dropped.
    private static let longestSequence = 32

    /// A decoder that has read nothing.
    public init() {}

    /// Whether bytes wait for those that follow.
    public var isPending: Bool { !pending.isEmpty }

    /// The keys that are complete with more bytes.
    public mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        while let (key, length) = next() {
            if let key { keys.append(key) }
            pending.removeFirst(length)
        }
        return keys
    }

    /// Takes what waits as it is: an escape byte is the escape key, half a character is nothing.
    public mutating func flush() -> [Key] {
        defer { pending = [] }
        return pending.first == 0x1B ? [.escape] : []
    }

    /// The first key and its length in bytes; nil where bytes are missing. No key for what means nothing.
    private func next() -> (key: Key?, length: Int)? {
        guard let first = pending.first else { return nil }
        switch first {
        case 0x1B: return escaped()
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x09: return (.tab, 1)
        case 0x7F, 0x08: return (.backspace, 1)
        case 0x01...0x1A: return (.control(Character(Unicode.Scalar(first + 0x60))), 1)
        case 0..<0x20: return (nil, 1)
        case 0x20..<0x80: return (.character(Character(Unicode.Scalar(first))), 1)
        default: return multibyte(first)
        }
    }

    private func multibyte(_ first: UInt8) -> (key: Key?, length: Int)? {
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1
        let part = pending.prefix(length)
        if let wrong = part.dropFirst().firstIndex(where: { $0 & 0xC0 != 0x80 }) { return (nil, wrong) }
        guard part.count == length else { return nil }
        guard length > 1, let text = String(validating: part, as: UTF8.self), let character = text.first else {
            return (nil, length)
        }
        // C1 control characters steer terminals; nobody types them.
        return (character.unicodeScalars.allSatisfy { $0.value >= 0xA0 } ? .character(character) : nil, length)
    }

    private func escaped() -> (key: Key?, length: Int)? {
        guard pending.count > 1 else { return nil }
        switch pending[1] {
        case UInt8(ascii: "["): return controlSequence()
        case UInt8(ascii: "O"):
            return pending.count > 2 ? (Self.named(by: pending[2], parameter: ""), 3) : nil
        case 0x1B: return (.escape, 1)
        // With the alt key a terminal sends an escape byte before the character: that is no key here.
        default: return (nil, 2)
        }
    }

    private func controlSequence() -> (key: Key?, length: Int)? {
        guard let end = pending.dropFirst(2).firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
            return pending.count > Self.longestSequence ? (nil, pending.count) : nil
        }
        guard (0x40...0x7E).contains(pending[end]) else { return (nil, end) }
        let parameter = String(decoding: pending[2..<end].prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
        return (Self.named(by: pending[end], parameter: parameter), end + 1)
    }

    private static func named(by final: UInt8, parameter: String) -> Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "M"): .enter
        case UInt8(ascii: "Z"): .backTab
        case UInt8(ascii: "~"):
            ["1": .home, "3": .delete, "4": .end, "5": .pageUp, "6": .pageDown, "7": .home, "8": .end][parameter]
        default: nil
        }
    }
}
