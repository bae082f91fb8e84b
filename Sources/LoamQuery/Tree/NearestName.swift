/// The name that is most like one that is not known.
enum NearestName {
    /// The name with the fewest letters to change, add or take away, whatever their case; nil where none is near.
    /// O(names * length²).
    static func of(_ name: String, among names: some Sequence<String>) -> String? {
        let wanted = Array(name.lowercased().prefix(longest))
        var best: (name: String, distance: Int)?
        for candidate in names {
            let distance = distance(wanted, Array(candidate.lowercased().prefix(longest)))
            if distance < best?.distance ?? min(4, wanted.count / 3 + 2) { best = (candidate, distance) }
        }
        return best?.name
    }

    /// What stands behind so many letters of a name tells it apart from no other.
    private static let longest = 64

    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (number, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = number + 1
            for (other, candidate) in right.enumerated() {
                let changed = diagonal + (letter == candidate ? 0 : 1)
                diagonal = row[other + 1]
                row[other + 1] = min(changed, min(row[other], diagonal) + 1)
            }
        }
        return row[right.count]
    }
}
