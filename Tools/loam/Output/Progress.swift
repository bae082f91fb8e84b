import Foundation

/// A count on standard error while something takes longer than a second; silent unless that is a terminal.
final class Progress {
    private let label: String
    private let total: Int?
    private let isShown: Bool
    private var next: ContinuousClock.Instant
    private var hasShown = false

    /// - Parameters:
    ///   - label: what is done, in a word or two.
    ///   - total: the count at the end, where it is known.
    init(_ label: String, total: Int? = nil, isShown: Bool = Terminal.isError) {
        self.label = label
        self.total = total
        self.isShown = isShown
        next = .now + .seconds(1)
    }

    /// Takes the count so far. It is cheap enough for every row.
    @inline(__always)
    func update(_ count: Int) {
        if isShown, count & 1023 == 0 { show(count) }
    }

    /// Shows what is being done now.
    func note(_ what: String) {
        let now = ContinuousClock.now
        guard isShown, now >= next else { return }
        next = now + .milliseconds(200)
        hasShown = true
        Terminal.writeError("\r\u{1B}[K\(label): \(Printable.escaped(what, limit: 60))")
    }

    /// Clears the line of the terminal.
    func finish() {
        if hasShown { Terminal.writeError("\r\u{1B}[K") }
        hasShown = false
    }

    /// Shows a count that comes seldom, as ``update(_:)`` does others.
    func show(_ count: Int) {
        guard isShown else { return }
        let now = ContinuousClock.now
        guard now >= next else { return }
        next = now + .milliseconds(200)
        hasShown = true
        let share = total.map { $0 > 0 ? " (\(count * 100 / $0) %)" : "" } ?? ""
        Terminal.writeError("\r\u{1B}[K\(label): \(Grouped.text(count)) rows\(share)")
    }
}

/// Writes whole numbers for people.
enum Grouped {
    /// The number `1234567` as `1,234,567`.
    static func text(_ number: some BinaryInteger) -> String {
        var groups = String(number.magnitude)
        var position = groups.count - 3
        while position > 0 {
            groups.insert(",", at: groups.index(groups.startIndex, offsetBy: position))
            position -= 3
        }
        return number < 0 ? "-" + groups : groups
    }

    /// A number of bytes as `512 B`, `1.5 KiB`, `20 MiB`.
    static func bytes(_ count: some BinaryInteger) -> String {
        var amount = Double(count)
        var units = ["B", "KiB", "MiB", "GiB", "TiB"][...]
        while amount >= 1_024, units.count > 1 {
            amount /= 1_024
            units.removeFirst()
        }
        let isSmall = units.startIndex > 0 && amount < 10
        return "\(isSmall ? String(format: "%.1f", amount) : String(Int(amount.rounded()))) \(units.first ?? "B")"
    }
}
