import Foundation

/// How long some pieces of work took, in words.
struct WaitSummary: CustomStringConvertible {
    private let sorted: [Double]

    /// - Parameter seconds: in any order.
    init(seconds: [Double]) { sorted = seconds.sorted() }

    var description: String {
        guard let longest = sorted.last else { return "none" }
        func at(_ part: Double) -> String { Self.milliseconds(sorted[Int(Double(sorted.count - 1) * part)]) }
        return "\(sorted.count), median \(at(0.5)), 99 % below \(at(0.99)), longest \(Self.milliseconds(longest))"
    }

    private static func milliseconds(_ seconds: Double) -> String { String(format: "%.2f ms", seconds * 1_000) }
}
