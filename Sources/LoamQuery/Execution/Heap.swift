/// A heap in an array: no element comes before its parent, so that the first one of all is on top.
extension Array {
    /// Moves the element at a position up to where it belongs. O(log n).
    ///
    /// - Parameter precedes: the same order each time.
    @inline(__always)
    mutating func siftUp(_ start: Int, by precedes: (Element, Element) -> Bool) {
        var position = start
        while position > 0 {
            let parent = (position - 1) / 2
            guard precedes(self[position], self[parent]) else { return }
            swapAt(parent, position)
            position = parent
        }
    }

    /// Moves the element at a position down to where it belongs; nothing where there is none. O(log n).
    ///
    /// - Parameter precedes: the same order each time.
    @inline(__always)
    mutating func siftDown(_ start: Int, by precedes: (Element, Element) -> Bool) {
        var position = start
        while true {
            let (left, right) = (2 * position + 1, 2 * position + 2)
            var first = position
            if left < count, precedes(self[left], self[first]) { first = left }
            if right < count, precedes(self[right], self[first]) { first = right }
            guard first != position else { return }
            swapAt(first, position)
            position = first
        }
    }

    /// Makes a heap of what lies in any order. O(n).
    @inline(__always)
    mutating func makeHeap(by precedes: (Element, Element) -> Bool) {
        for position in indices.reversed() { siftDown(position, by: precedes) }
    }
}
