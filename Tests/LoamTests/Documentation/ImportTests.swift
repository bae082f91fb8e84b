import Loam
import Testing

/// A model as it is written in a file that imports nothing else.
@Model final class Appointment {
    var start: Date
    var length: TimeInterval
    var details: Data?

    init(start: Date, length: TimeInterval) {
        self.start = start
        self.length = length
    }

    var interval: DateInterval { DateInterval(start: start, duration: length) }

    func isOnDay(of date: Date, in zone: TimeZone) -> Bool {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar.isDate(start, inSameDayAs: date)
    }
}

@Suite("Files that import Loam alone")
struct ImportTests {
    @Test("have what models use of Foundation")
    func foundation() throws {
        let appointment = Appointment(start: Date(timeIntervalSinceReferenceDate: 0), length: 60)
        let zone = try #require(TimeZone(identifier: "UTC"))
        #expect(appointment.isOnDay(of: appointment.interval.end, in: zone))
        appointment.details = try JSONEncoder().encode(IndexSet([1, 2]))
        let details = try #require(appointment.details)
        #expect(try JSONDecoder().decode(IndexSet.self, from: details) == [1, 2])
    }
}
