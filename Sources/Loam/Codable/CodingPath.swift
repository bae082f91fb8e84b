/// The way from an attribute's value to a value inside it. Going down costs one step, not a copy of the way.
indirect enum CodingPath {
    case root
    case member(any CodingKey, of: CodingPath)
    case element(Int, of: CodingPath)

    /// The keys on the way, outermost first. O(depth).
    var keys: [any CodingKey] {
        var keys: [any CodingKey] = []
        var rest = self
        while true {
            switch rest {
            case .root:
                keys.reverse()
                return keys
            case .member(let key, let parent):
                keys.append(key)
                rest = parent
            case .element(let index, let parent):
                keys.append(PlainKey(index))
                rest = parent
            }
        }
    }
}

/// A key that is made at run time: the index of an element, or the name under which a superclass is kept.
struct PlainKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init?(intValue: Int) { self.init(intValue) }

    /// What `superEncoder()` and `superDecoder()` without a key stand for.
    static let superclass = PlainKey(stringValue: "super")
}

/// Bounds of nesting, so that no type and no stored bytes can use up the stack.
enum CodingLimit {
    /// The most arrays, dictionaries and structures inside each other: what a record can hold.
    static let containers = 64
    /// The most calls of `encode(to:)` or `init(from:)` inside each other.
    static let calls = 128
}
