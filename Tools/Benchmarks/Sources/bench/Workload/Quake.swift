import Foundation

/// The object that every side makes of a row: a plain class with eight properties.
final class Quake: Sendable {
    let id: UInt64
    /// 10 characters, different for every row.
    let code: String
    /// About 30 characters.
    let place: String
    /// One of 1,000 values from 0 to 9.99.
    let magnitude: Double
    let time: Date
    /// The day of `time` in UTC, one of 1,000.
    let day: String
    let felt: Int?
    let tsunami: Bool

    init(
        id: UInt64, code: String, place: String, magnitude: Double, time: Date, day: String, felt: Int?, tsunami: Bool
    ) {
        self.id = id
        self.code = code
        self.place = place
        self.magnitude = magnitude
        self.time = time
        self.day = day
        self.felt = felt
        self.tsunami = tsunami
    }

    /// A number that depends on every property. Equal objects of all sides have the same digest.
    var digest: UInt64 { digest(id: id) }

    /// The digest without the id, for rows whose ids differ from side to side.
    var contentDigest: UInt64 { digest(id: 0) }

    private func digest(id: UInt64) -> UInt64 {
        Self.digest(
            id: id, code: code, place: place, magnitude: magnitude, time: time, day: day, felt: felt, tsunami: tsunami)
    }

    static func digest(
        id: UInt64, code: String, place: String, magnitude: Double, time: Date, day: String, felt: Int?, tsunami: Bool
    ) -> UInt64 {
        var digest = id &* 31 &+ magnitude.bitPattern &+ time.timeIntervalSinceReferenceDate.bitPattern
        digest = digest &* 31 &+ UInt64(truncatingIfNeeded: felt ?? -1) &+ (tsunami ? 7 : 0)
        for text in [code, place, day] {
            for byte in text.utf8 { digest = digest &* 31 &+ UInt64(byte) }
        }
        return digest
    }
}
