// Classes in brackets, and classes by a property.

extension PatternParser {
    /// The most positions of a pattern where a class is looked at to end.
    private static let mostEnds = 100

    /// Reads `[…]` with all that stands in it, other classes too, or `\p{…}`.
    ///
    /// ICU reads a pattern from left to right and refuses a class that is not closed. So a class ends with the first
    /// bracket, or brace, with which ICU takes it for a pattern: whatever may stand in it as itself.
    mutating func characterClass(upTo end: Unicode.Scalar) throws(Unknown) -> PatternTree {
        let start = position
        var ends = 0
        while let next = peek(), ends < Self.mostEnds, atoms.hasRoom {
            position += 1
            guard next == end else { continue }
            ends += 1
            let source = scalars[start..<position]
            let pattern = mode(for: source) + String(String.UnicodeScalarView(source))
            guard let number = atoms.number(of: pattern, ignoresCase: flags.contains(.ignoresCase)) else { continue }
            // Quotes within a property's name may go on behind it.
            if end == "}", source.dropFirst().contains("\\") { throw Unknown() }
            if Self.mayHoldSurrogates(source), atoms.holdsOneSurrogate(number) { throw Unknown() }
            if flags.contains(.ignoresCase), let only = atoms.onlyNotable(in: number) { return .scalar(only) }
            return .atom(number)
        }
        throw Unknown()
    }

    /// The flags that a class is read with, but for the one that ignores case.
    private func mode(for source: ArraySlice<Unicode.Scalar>) -> String {
        guard flags.contains(.comments) else { return "" }
        return source.contains { $0 == "#" || $0.properties.isPatternWhitespace } ? "(?x)" : ""
    }

    /// Half of a pair by its number would join the other half beside the class.
    private static func mayHoldSurrogates(_ source: ArraySlice<Unicode.Scalar>) -> Bool {
        zip(source.indices, zip(source, source.dropFirst())).contains { position, pair in
            guard pair.0 == "\\", "uUx".unicodeScalars.contains(pair.1) else { return false }
            let digits = source[(position + 2)...].drop { $0 == "{" || $0 == "0" }.prefix(2)
            let first = UInt8(String(String.UnicodeScalarView(digits)), radix: 16)
            return first.map { (0xD8...0xDF).contains($0) } ?? false
        }
    }
}
