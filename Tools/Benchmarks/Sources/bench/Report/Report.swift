import Foundation

/// The results of all contests, with what one has to know to read them.
struct Report {
    let rowCount: Int
    let rounds: Int
    let clock: WorkClock
    let fileSizes: [Side: Int]
    let loadAverages: (before: Double, after: Double)
    let results: [ContestResult]

    /// A table for people: medians, and how many times as fast as the others Loam is.
    var table: String {
        var lines: [[String]] = [["", "Loam", "raw LMDB", "GRDB", "Loam/LMDB", "Loam/GRDB", "target"]]
        for result in results {
            lines.append(
                [result.contest.name] + Side.allCases.map { Self.text(result.median($0), result.contest.unit) }
                    + [
                        Self.ratio(result.speed(over: .raw)), Self.ratio(result.speed(over: .grdb)),
                        result.contest.target,
                    ])
            guard result.contest.hasTail else { continue }
            lines.append(
                ["  99 of 100 rounds below"] + Side.allCases.map { Self.text(result.tail($0), result.contest.unit) }
                    + ["-", "-", ""])
        }
        func size(_ side: Side) -> Double { Double(fileSizes[side] ?? 0) / 1e6 }
        lines.append(
            ["file after the load"] + Side.allCases.map { "\(Self.digits(size($0))) MB" }
                + [
                    Self.ratio(size(.raw) / size(.loam)), Self.ratio(size(.grdb) / size(.loam)),
                    "no larger than SQLite's",
                ])
        return ([heading, ""] + Self.aligned(lines)).joined(separator: "\n")
    }

    private var heading: String {
        """
        \(rowCount) rows, median of \(rounds) rounds or more, \(clock == .elapsed ? "elapsed time" : "processor time"), \
        durable commits on all sides, warm. Ratios are of speed: above 1 Loam is faster.
        Load average \(Self.digits(loadAverages.before)) before, \(Self.digits(loadAverages.after)) after.
        """
    }

    private static func aligned(_ lines: [[String]]) -> [String] {
        let columns = lines.first?.count ?? 0
        let widths = (0..<columns).map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            line.enumerated().map { column, text in
                let space = String(repeating: " ", count: widths[column] - text.count)
                return column == 0 || column == columns - 1 ? text + space : space + text
            }.joined(separator: "  ")
        }
    }

    /// Seconds per unit of work as a rate or as a time.
    private static func text(_ seconds: Double?, _ unit: Contest.Unit) -> String {
        guard let seconds else { return "-" }
        // What comes to its reader before the save has returned.
        guard seconds > 0 else { return "0" }
        switch unit {
        case .rate:
            let rate = 1 / seconds
            if rate >= 1e6 { return "\(digits(rate / 1e6)) M/s" }
            return "\(digits(rate / 1e3)) k/s"
        case .time:
            if seconds >= 1e-3 { return "\(digits(seconds * 1e3)) ms" }
            return "\(digits(seconds * 1e6)) us"
        }
    }

    private static func ratio(_ value: Double?) -> String { value.map { "\(digits($0))x" } ?? "-" }

    /// The number with three digits that count.
    private static func digits(_ value: Double) -> String {
        let places = value >= 100 ? 0 : value >= 10 ? 1 : 2
        return String(format: "%.\(places)f", value)
    }
}

extension Report {
    private struct Line: Codable {
        let name: String
        let unit: Contest.Unit
        let target: String
        /// Median seconds per unit of work.
        let seconds: [String: Double]
        /// Seconds per unit of work in each round.
        let samples: [String: [Double]]
        let speedOverRawLMDB: Double?
        let speedOverGRDB: Double?
    }

    private struct Document: Codable {
        let rows: Int
        let isProcessorTime: Bool
        let loadAverageBefore: Double
        let loadAverageAfter: Double
        let fileBytes: [String: Int]
        let contests: [Line]
    }

    /// The report for programs, with every sample.
    func json() throws -> String {
        let lines = results.map { result in
            Line(
                name: result.contest.name, unit: result.contest.unit, target: result.contest.target,
                seconds: .init(Side.allCases.compactMap { side in result.median(side).map { (side.rawValue, $0) } }) {
                    first, _ in first
                },
                samples: .init(result.samples.map { ($0.rawValue, $1) }) { first, _ in first },
                speedOverRawLMDB: result.speed(over: .raw), speedOverGRDB: result.speed(over: .grdb))
        }
        let document = Document(
            rows: rowCount, isProcessorTime: clock == .processor, loadAverageBefore: loadAverages.before,
            loadAverageAfter: loadAverages.after,
            fileBytes: .init(fileSizes.map { ($0.rawValue, $1) }) { first, _ in first }, contests: lines)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return String(decoding: try encoder.encode(document), as: UTF8.self)
    }
}
