/// A regular expression that is regular in the strict sense: what a text may be follows from its characters alone, one
/// after the other. ``PatternParser`` makes it.
indirect enum PatternTree {
    /// One code point, matched as it stands.
    case scalar(Unicode.Scalar)
    /// One of the code points that ICU's pattern of this number matches; see ``ParsedPattern``.
    case atom(Int)
    /// A run of literal characters whose case is ignored, folded: here one character may match several, as ß does ss.
    case folded([Unicode.Scalar])
    case place(PatternPlace)
    case sequence([PatternTree])
    case alternatives([PatternTree])
    /// At least so many times, and at most; nil for any number.
    case repeated(PatternTree, Int, Int?)

    /// Instructions that an ``Automaton`` has for it; large numbers are cut.
    var size: Int {
        switch self {
        case .scalar, .atom, .place: 1
        case .folded(let scalars): scalars.count
        case .sequence(let parts): Self.sum(parts.map(\.size))
        case .alternatives(let parts): Self.sum(parts.map(\.size)) + 2 * (parts.count - 1)
        case .repeated(let part, let least, let most):
            Self.size(repeated: part.size, max(1, most ?? least + 1))
        }
    }

    /// The size of a part is asked once: parts lie in one another as deep as the pattern says.
    private static func size(repeated size: Int, _ times: Int) -> Int { size == 0 ? 0 : product(size + 1, times) }

    private static let largest = 1 << 30

    private static func sum(_ sizes: [Int]) -> Int { sizes.reduce(0) { min(largest, $0 + $1) } }
    private static func product(_ left: Int, _ right: Int) -> Int {
        let (result, isTooLarge) = left.multipliedReportingOverflow(by: right)
        return isTooLarge ? largest : min(largest, result)
    }
}

/// Where in the text a pattern may be without taking any of it.
struct PatternPlace: OptionSet, Hashable {
    let rawValue: UInt8

    /// `^` and `\A`.
    static let start = PatternPlace(rawValue: 1)
    /// `\z`.
    static let end = PatternPlace(rawValue: 2)
    /// `$` and `\Z`: the end, or before a line's end that the text ends with.
    static let lineEnd = PatternPlace(rawValue: 4)
}

/// A pattern that ``PatternParser`` knows.
struct ParsedPattern {
    let tree: PatternTree
    /// Patterns of one character each, which ICU answers: classes, and characters whose case is ignored.
    let atoms: [ICU.Matcher]
    let ignoresCase: Bool
}
