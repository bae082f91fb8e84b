extension Range<Int> {
    /// The first number for which a condition does not hold; `upperBound` where it holds for all. O(log n) calls.
    ///
    /// - Parameter isBefore: holds for a beginning of the range and for nothing behind it.
    /// - Throws: what the condition throws.
    @inlinable @inline(__always)
    package func partitionPoint<Failure: Error>(
        where isBefore: (Int) throws(Failure) -> Bool
    ) throws(Failure) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if try isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
