import Foundation
import LoamQuery

/// What is done for every live result of the process, line by line on standard error, where the environment says
/// `LOAM_LIVE_TRACE=1`: how a result was opened, and what became of it after each commit that may have touched it.
///
/// ```
/// live 1 City: opened at save 3, 120 rows; virtual: its rows are entries of the index name
/// live 1 City: save 4, rounds 1, placed 1, searches 0, reads 0; 1 inserted; 31.2 µs
/// ```
///
/// The number tells the results of a file apart. Lines are written by whoever does the work, so that the program is
/// slower for it.
enum LiveLog {
    /// Whether the environment asked for it when the first result was opened.
    static let isOn = !["", "0"].contains(ProcessInfo.processInfo.environment["LOAM_LIVE_TRACE"] ?? "")

    static func write(_ result: LiveEngine.ID, of entity: String, _ text: @autoclosure () -> String) {
        guard isOn else { return }
        FileHandle.standardError.write(Data("live \(result) \(entity): \(text())\n".utf8))
    }
}

/// One look at a result, from its beginning.
struct LoggedRound {
    private let start = ContinuousClock.now
    private let before: LiveTrace

    /// Nil where nothing is written.
    init?(before: LiveTrace) {
        guard LiveLog.isOn else { return nil }
        self.before = before
    }

    /// Writes what was done. Nothing where the result turned out to be current.
    func finish(_ result: LiveEngine.ID, _ upkeep: ResultUpkeep, _ update: LiveUpdate?) {
        let done = upkeep.trace.since(before)
        guard done != LiveTrace() else { return }
        let microseconds = String(format: "%.1f", start.duration(to: .now) / .microseconds(1))
        let change = update.map { "\($0.change())" } ?? "no change"
        LiveLog.write(
            result, of: upkeep.query.entity, "save \(upkeep.state.save), \(done); \(change); \(microseconds) µs")
    }
}

extension LiveChange: CustomStringConvertible {
    /// The number of rows and sections that it concerns, in words.
    package var description: String {
        guard case .difference(let difference) = self else { return "reset" }
        let parts = [
            (difference.deletedSections.count, "sections deleted"),
            (difference.insertedSections.count, "sections inserted"),
            (difference.deletions.count, "deleted"), (difference.insertions.count, "inserted"),
            (difference.moves.count, "moved"), (difference.updates.count, "updated"),
        ].filter { $0.0 > 0 }
        return parts.isEmpty ? "no change" : parts.map { "\($0) \($1)" }.joined(separator: ", ")
    }
}
