import Foundation

extension [UInt8] {
    var withoutZerosAtItsEnd: [UInt8] {
        guard last == 0 else { return self }
        return withUnsafeBytes { Array($0.withoutZerosAtItsEnd) }
    }

    /// Compares bytes: negative, zero or positive, as `memcmp`. Bytes that are the beginning of the other ones come
    /// first.
    func order(against other: [UInt8]) -> Int {
        withUnsafeBytes { left in other.withUnsafeBytes { left.order(against: $0) } }
    }
}

extension UnsafeRawBufferPointer {
    /// Compares bytes: negative, zero or positive, as `memcmp`. Bytes that are the beginning of the other ones come
    /// first.
    func order(against other: UnsafeRawBufferPointer) -> Int {
        if let left = baseAddress, let right = other.baseAddress {
            let order = memcmp(left, right, Swift.min(count, other.count))
            if order != 0 { return Int(order) }
        }
        return count - other.count
    }

    var withoutZerosAtItsEnd: UnsafeRawBufferPointer {
        var end = count
        while end > 0, self[end - 1] == 0 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[..<end])
    }

    /// How many bytes others begin with in common with these.
    func commonCount(with other: UnsafeRawBufferPointer) -> Int {
        let end = Swift.min(count, other.count)
        for position in 0..<end where self[position] != other[position] { return position }
        return end
    }
}
