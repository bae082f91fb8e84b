/// The arithmetic of how large the map is: pure, in bytes, multiples of 64 KiB.
enum MapSize {
    static let unit = 64 << 10
    /// Below this no smaller map is tried when the system refuses one.
    static let least = 1 << 20

    /// The size of the map when a file is opened: the one of the options, and at least what is used.
    static func initial(_ options: Environment.Options, used: Int) -> Int {
        let wanted = min(options.mapSize, options.maximumMapSize ?? .max)
        return rounded(max(wanted, used, unit))
    }

    /// The next smaller one to try when the system refuses a size; nil when there is none.
    static func smaller(_ size: Int, used: Int) -> Int? {
        let half = rounded(max(size / 2, used, least))
        return half < size ? half : nil
    }

    /// The next larger one: twice as much, up to the maximum; nil when it is reached.
    static func larger(_ size: Int, maximum: Int?) -> Int? {
        let (double, overflow) = size.multipliedReportingOverflow(by: 2)
        let next = min(overflow ? Int.max : double, maximum.map(rounded) ?? .max)
        return next > size && next < Int.max ? next : nil
    }

    /// The size for a deletion at the maximum: what is used, or the maximum, and a sixteenth of it, at least 1 MiB.
    static func withReserve(maximum: Int, used: Int) -> Int? {
        let (size, overflow) = max(rounded(maximum), rounded(used)).addingReportingOverflow(
            rounded(max(1 << 20, maximum / 16)))
        return overflow ? nil : size
    }

    /// Rounded up to the unit, or down where there is no more above.
    static func rounded(_ size: Int) -> Int {
        let (up, overflow) = max(size, 0).addingReportingOverflow(unit - 1)
        return (overflow ? Int.max : up) / unit * unit
    }
}
