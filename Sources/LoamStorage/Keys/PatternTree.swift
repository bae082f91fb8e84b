/// A regular expression as ICU reads it. ``PatternParser`` makes it; a ``LinearPattern`` or a ``BacktrackingProgram``
/// is made from it.
indirect enum PatternTree {
    /// One code point, matched as it stands.
    case scalar(Unicode.Scalar)
    /// One of the code points that ICU's pattern of this number matches; see ``PatternAtoms``.
    case atom(Int)
    /// Literal characters whose case is ignored, folded: here one character may match several, as ß does ss.
    case folded([Unicode.Scalar])
    /// Takes no character. Matches where one of the facts holds, or (`holds` is false) where none of them does.
    case condition(PatternFacts, holds: Bool)
    /// `\R`: CR LF, or one of the atom's characters, but not the CR of a CR LF.
    case lineBreak(Int)
    /// `.` where it matches line ends: CR LF, or one of the atom's characters, but not the CR of a CR LF.
    case anything(Int)
    case sequence([PatternTree])
    case alternatives([PatternTree])
    case repeated(PatternTree, PatternCount)
    /// A group that captures under this number, counted from 1.
    case group(Int, PatternTree)
    /// `(?>…)`: the first way in which it matches is the only one.
    case atomic(PatternTree)
    case look(PatternTree, PatternLook)
    /// The text that the group of this number has matched.
    case reference(Int, ignoresCase: Bool)

    /// The number of instructions that an ``Automaton`` has for the tree; large numbers are cut.
    var size: Int {
        switch self {
        case .scalar, .atom, .condition, .lineBreak, .anything, .look, .reference: 1
        case .folded(let scalars): scalars.count
        case .sequence(let parts): Self.sum(parts.map(\.size))
        case .alternatives(let parts): Self.sum(parts.map(\.size)) + 2 * (parts.count - 1)
        case .repeated(let part, let count):
            Self.size(repeated: part.size, max(1, count.most ?? count.least + 1))
        case .group(_, let part), .atomic(let part): part.size
        }
    }

    /// The size of a part that is repeated. It takes the part's size, so that each part in a deep tree is measured
    /// once.
    private static func size(repeated size: Int, _ times: Int) -> Int { size == 0 ? 0 : product(size + 1, times) }

    static let largest = 1 << 30

    static func sum(_ sizes: [Int]) -> Int { sizes.reduce(0) { min(largest, $0 + $1) } }
    static func product(_ left: Int, _ right: Int) -> Int {
        let (result, isTooLarge) = left.multipliedReportingOverflow(by: right)
        return isTooLarge ? largest : min(largest, result)
    }

    /// Whether some part of the tree refers to a group.
    var refers: Bool {
        switch self {
        case .scalar, .atom, .folded, .condition, .lineBreak, .anything: false
        case .sequence(let parts), .alternatives(let parts): parts.contains(where: \.refers)
        case .repeated(let part, _), .group(_, let part), .atomic(let part), .look(let part, _): part.refers
        case .reference: true
        }
    }

    /// The groups within the tree.
    var groups: [Int] {
        switch self {
        case .scalar, .atom, .folded, .condition, .lineBreak, .anything, .reference: []
        case .sequence(let parts), .alternatives(let parts): parts.flatMap(\.groups)
        case .repeated(let part, _), .atomic(let part), .look(let part, _): part.groups
        case .group(let number, let part): [number] + part.groups
        }
    }

    /// The part that takes exactly one code point, whatever the text; nil where the tree is no such part.
    var singleScalar: PatternTree? {
        switch self {
        case .scalar, .atom: self
        case .sequence(let parts) where parts.count == 1: parts[0].singleScalar
        default: nil
        }
    }
}

/// How often a part is repeated.
struct PatternCount {
    /// Which number of repetitions is tried first. That makes a difference to captures and within atomic parts only.
    enum Manner { case greedy, lazy, possessive }

    var least: Int
    /// The most repetitions; nil where any number is allowed.
    var most: Int?
    var manner = Manner.greedy
    /// Whether the count is written in braces. ICU ends such a repetition where the part has taken nothing; it ends
    /// `*?` and the like only where they fail.
    var isInterval = false
}

/// `(?=…)`, `(?!…)`, `(?<=…)` and `(?<!…)`.
struct PatternLook {
    var isBehind: Bool
    var isNegative: Bool
}

extension PatternTree {
    /// The least and the greatest number of UTF-16 units that the tree may match (nil for any number). They may be
    /// further apart than the real ones.
    var lengths: (least: Int, most: Int?) {
        switch self {
        case .scalar(let scalar): (UTF16.width(scalar), UTF16.width(scalar))
        case .atom, .lineBreak, .anything: (1, 2)
        case .folded(let scalars): (min(1, scalars.count), 2 * scalars.count)
        case .condition, .look: (0, 0)
        case .reference: (0, nil)
        case .group(_, let part), .atomic(let part): part.lengths
        case .sequence(let parts):
            parts.map(\.lengths).reduce((0, 0)) { sum, part in
                (Self.sum([sum.least, part.least]), Self.both(sum.most, part.most) { Self.sum([$0, $1]) })
            }
        case .alternatives(let parts):
            parts.map(\.lengths).reduce((Self.largest, 0)) { all, part in
                (min(all.least, part.least), Self.both(all.most, part.most, max))
            }
        case .repeated(let part, let count): Self.lengths(part.lengths, count: count)
        }
    }

    private static func lengths(_ part: (least: Int, most: Int?), count: PatternCount) -> (least: Int, most: Int?) {
        if count.most == 0 { return (0, 0) }
        let least = product(part.least, count.least)
        return (least, part.most == 0 ? 0 : both(part.most, count.most, product))
    }

    private static func both(_ left: Int?, _ right: Int?, _ combined: (Int, Int) -> Int) -> Int? {
        guard let left, let right else { return nil }
        return combined(left, right)
    }
}

/// A pattern that ``PatternParser`` knows.
struct ParsedPattern {
    let tree: PatternTree
    let atoms: PatternAtoms
    /// The groups that are referred to. What other groups match need not be kept.
    let references: Set<Int>
}
