import Foundation
import LoamStorage
import SeededRandom
import Testing

@Suite struct ISO8601Tests {
    @Test(arguments: [
        (0.0, "2001-01-01T00:00:00Z"), (378_727_200, "2013-01-01T10:00:00Z"), (0.5, "2001-01-01T00:00:00.5Z"),
        (-0.25, "2000-12-31T23:59:59.75Z"), (-1, "2000-12-31T23:59:59Z"), (1e-7, "2001-01-01T00:00:00.0000001Z"),
        (-63_113_904_000, "0001-01-01T00:00:00Z"), (252_423_993_600, "+010000-01-01T00:00:00Z"),
        (-63_177_062_400, "-000001-01-01T00:00:00Z"),
    ])
    func `a date is written in UTC, with a fraction only when it has one`(seconds: Double, text: String) {
        #expect(ISO8601.text(of: Date(timeIntervalSinceReferenceDate: seconds)) == text)
        #expect(ISO8601.date(text)?.seconds == seconds)
    }

    @Test(arguments: [
        ("2013-01-01", 378_691_200.0), ("2013-01-01T10:00Z", 378_727_200), ("2013-01-01 10:00:00", 378_727_200),
        ("2013-01-01T12:00:00+02:00", 378_727_200), ("2013-01-01T05:30:00-0430", 378_727_200),
        ("2013-01-01T12:00:00.000+02", 378_727_200), ("2012-12-31T24:00:00Z", 378_691_200),
        ("2000-12-31T23:59:59,50Z", -0.5),
    ])
    func `usual spellings are read`(text: String, seconds: Double) {
        #expect(ISO8601.date(text)?.seconds == seconds)
    }

    @Test(arguments: [
        "", "2013", "2013-1-1", "2013-02-29", "2013-13-01", "2013-00-10", "2013-01-32", "2013-01-00", "2013-01-01T",
        "2013-01-01T10", "2013-01-01T25:00", "2013-01-01T24:01", "2013-01-01T10:60", "2013-01-01T10:00:60Z",
        "2013-01-01T10:00:00.Z", "2013-01-01T10:00:00+2", "2013-01-01T10:00:00Zx", "+2013-01-01", "20130101",
        "2013-01-01T10:00:00+24:00", "２０１３-01-01",
    ])
    func `anything else is refused`(text: String) {
        #expect(ISO8601.date(text) == nil)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, -0.0, 1e300, 1e-30])
    func `a date that the text cannot say exactly has none`(seconds: Double) {
        #expect(ISO8601.text(of: Date(timeIntervalSinceReferenceDate: seconds)) == nil)
    }

    @Test func `every written date reads back bit by bit`() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            let scale = [1.0, 1e3, 1e9, 1e11, 1e-6][Int.random(in: 0..<5, using: &generator)]
            let seconds = Double.random(in: -1...1, using: &generator) * scale
            let text = try #require(ISO8601.text(of: Date(timeIntervalSinceReferenceDate: seconds)), "\(seconds)")
            #expect(ISO8601.date(text)?.seconds.bitPattern == seconds.bitPattern, "\(seconds) \(text)")
        }
    }
}
