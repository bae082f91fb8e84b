/// A range that one number of a row has to lie in, tested by a scan before it hands the row out.
///
/// A row that it keeps back costs no call of the scan's closure.
package struct RowSieve: Hashable, Sendable {
    /// What the number may be, both ends included.
    package enum Bounds: Hashable, Sendable {
        /// Of a Double, or of a date's seconds.
        case floating(lower: Double, upper: Double)
        /// Of a signed integer of any width.
        case signed(lower: Int64, upper: Int64)
    }

    /// The position of the number in `entity.properties`.
    package let property: Int
    package let bounds: Bounds

    package init(property: Int, bounds: Bounds) {
        (self.property, self.bounds) = (property, bounds)
    }

    /// What passes both; nil where they test different numbers.
    package func combined(with other: RowSieve) -> RowSieve? {
        guard property == other.property else { return nil }
        switch (bounds, other.bounds) {
        case (.floating(let lower, let upper), .floating(let otherLower, let otherUpper)):
            return RowSieve(
                property: property, bounds: .floating(lower: max(lower, otherLower), upper: min(upper, otherUpper)))
        case (.signed(let lower, let upper), .signed(let otherLower, let otherUpper)):
            return RowSieve(
                property: property, bounds: .signed(lower: max(lower, otherLower), upper: min(upper, otherUpper)))
        default: return nil
        }
    }

    /// Whether a row passes; one whose number is nil does not.
    ///
    /// - Throws: `typeMismatch` where the property has no such numbers, `damagedRecord` where the field's bytes are
    ///   impossible.
    @inline(never)
    fileprivate func passes(_ row: borrowing StoredRow) throws -> Bool {
        switch bounds {
        case .floating(let lower, let upper):
            guard let number = try row.double(property) else { return false }
            return lower <= number && number <= upper
        case .signed(let lower, let upper):
            guard let number = try row.int64(property) else { return false }
            return lower <= number && number <= upper
        }
    }
}

/// A sieve made ready for the records of one layout: where the number is a Double that they have, it is read from there.
struct LayoutSieve {
    private let sieve: RowSieve
    /// Where the Double is; nil where the records have the number in another way.
    private let location: FieldLocation?
    private let lower: Double
    private let upper: Double

    init(_ sieve: RowSieve, _ frame: RowFrame) {
        self.sieve = sieve
        let record = frame.record.pointee
        let slot = UInt(bitPattern: sieve.property) < frame.slotCount ? frame.slots[sieve.property] : -1
        guard slot >= 0, slot < record.slotCount, case .floating(let lower, let upper) = sieve.bounds else {
            (location, self.lower, self.upper) = (nil, 0, 0)
            return
        }
        let found = record.locations[Int(slot)]
        location = found.kind == .double || found.kind == .date ? found : nil
        (self.lower, self.upper) = (lower, upper)
    }

    /// As ``RowSieve/passes(_:)``.
    ///
    /// - Parameter row: one of the layout.
    @inline(__always)
    func passes(_ row: borrowing StoredRow) throws -> Bool {
        guard let location else { return try sieve.passes(row) }
        guard !row.view.isNull(location) else { return false }
        let number = Double(bitPattern: row.view.bytes.littleEndian(at: Int(location.offset)))
        return lower <= number && number <= upper
    }
}
