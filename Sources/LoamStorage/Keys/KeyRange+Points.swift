/// Ranges that are one value of a component each.
extension [KeyRange] {
    /// Whether each holds the keys of one value of a component. O(ranges).
    package var arePoints: Bool {
        withUnsafeBufferPointer { ranges in
            for position in 0..<ranges.count where !ranges[position].isPoint { return false }
            return true
        }
    }

    /// The union of a few points, each the keys that begin with one of as many bytes, in order: two of them are the same
    /// or apart. Nil for other ranges, and for many. O(n²) comparisons of numbers, which for so few is less than O(n log
    /// n) of another kind.
    package var sortedPoints: [KeyRange]? {
        let count = count
        guard count > 1, count <= mostSortedPoints else { return nil }
        return withUnsafeBufferPointer { ranges in
            withUnsafeTemporaryAllocation(of: PointPlace.self, capacity: count) { places in
                var (found, isInOrder) = (0, true)
                for position in 0..<count {
                    guard ranges[position].isPoint, let key = ranges[position].prefixPlace,
                        found == 0 || key.3 == places[0].key.3
                    else { return nil }
                    // Into its place among those before it.
                    var hole = found
                    while hole > 0, key < places[hole - 1].key { hole -= 1 }
                    if hole > 0, places[hole - 1].key == key {
                        isInOrder = false
                        continue
                    }
                    if hole < found {
                        isInOrder = false
                        for moved in (hole..<found).reversed() { places[moved + 1] = places[moved] }
                    }
                    places[hole] = PointPlace(key: key, position: position)
                    found += 1
                }
                return isInOrder ? self : places[..<found].map { ranges[$0.position] }
            }
        }
    }
}

/// So many are put in order one by one as fast as in any other way.
private let mostSortedPoints = 16

/// The first key of a range, as numbers, and where the range stands in a list.
private struct PointPlace {
    var key: (UInt64, UInt64, UInt64, UInt8)
    var position: Int
}
