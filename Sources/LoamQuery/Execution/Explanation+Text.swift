public import Foundation

extension Explanation: CustomStringConvertible {
    /// One line for each operator, set in under the one that takes its rows, and then the whole. The same plan has the
    /// same text: no time is in it.
    public var description: String { text() }

    /// One line for each operator, set in under the one that takes its rows, and then the whole.
    ///
    /// - Parameters:
    ///   - showsTimes: whether each operator's own time is told where the query was run.
    ///   - store: the path of the store, for the commands that add the indexes of ``advice``.
    public func text(showsTimes: Bool = false, store: String = "STORE") -> String {
        var lines = [root.details]
        for child in root.children { child.addLines(to: &lines, depth: 1, showsTimes: showsTimes) }
        if let estimate = root.estimate { lines.append("  estimated " + estimate.words(isWhole: true)) }
        if let total {
            let words =
                total.words(isWhole: true, rows: root.kind) + (showsTimes ? [Actual.time(total.nanoseconds)] : [])
            lines.append("  actual " + words.joined(separator: ", "))
        }
        lines += adviceLines(store: store)
        return lines.joined(separator: "\n")
    }

    private func adviceLines(store: String) -> [String] {
        guard let first = advice.first else { return [] }
        let entity = String(root.details.prefix { $0 != ":" })
        let indexes = advice.map { $0.words(in: entity) }
        let words =
            advice.count == 1
            ? "An index \(indexes[0]) would serve"
            : "Indexes \(indexes.joined(separator: " and ")) would serve together"
        let commands = advice.compactMap { $0.command(store: store) }
        guard commands.count == advice.count, first.components.count > 0 else { return ["  \(words)."] }
        return ["  \(words):"] + commands.map { "    " + $0 }
    }

    /// The explanation as JSON, with sorted keys, to be read by a decoder of this type.
    ///
    /// - Throws: what `JSONEncoder` throws.
    public var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self)
        }
    }
}

extension Explanation.Operator {
    fileprivate func addLines(to lines: inout [String], depth: Int, showsTimes: Bool) {
        var notes: [String] = []
        if let estimate, !estimate.words().isEmpty { notes.append("estimated " + estimate.words()) }
        if let actual {
            let words = actual.words(rows: kind) + (showsTimes ? [Explanation.Actual.time(actual.nanoseconds)] : [])
            if !words.isEmpty { notes.append("actual " + words.joined(separator: ", ")) }
        }
        let note = notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"
        lines.append(String(repeating: "  ", count: depth) + title + note)
        for child in children { child.addLines(to: &lines, depth: depth + 1, showsTimes: showsTimes) }
    }

    private var title: String {
        switch kind {
        case .rows, .count, .sections, .groups: details
        case .limit where details.hasPrefix("offset"): details
        default: details.isEmpty ? kind.rawValue : "\(kind.rawValue) \(details)"
        }
    }
}

extension Explanation.Estimate {
    fileprivate func words(isWhole: Bool = false) -> String {
        [
            entries.flatMap { isWhole && $0 == 0 ? nil : counted($0, noun: "entry", plural: "entries") },
            records.map { counted($0, noun: "record") }, rows.map { counted($0, noun: "row") },
            cost.flatMap { $0 == 0 ? nil : "cost \(Self.rounded($0))" },
        ].compactMap(\.self).joined(separator: ", ")
    }

    /// A cost in as many digits as mean something.
    private static func rounded(_ cost: Double) -> String {
        String(format: cost < 10 && cost != cost.rounded() ? "%.1f" : "%.0f", cost)
    }
}

extension Explanation.Actual {
    fileprivate static func time(_ nanoseconds: Int) -> String {
        let micros = Double(nanoseconds) / 1_000
        return micros < 1_000 ? String(format: "%.1f µs", micros) : String(format: "%.2f ms", micros / 1_000)
    }

    fileprivate func words(isWhole: Bool = false, rows kind: Explanation.Operator.Kind) -> [String] {
        let work: [String?] = [
            ranges > 0 ? counted(ranges, noun: "range") : nil, blocks > 0 ? counted(blocks, noun: "block") : nil,
            entries > 0 ? counted(entries, noun: "entry", plural: "entries") : nil,
            sums > 0 ? counted(sums, noun: "sum") : nil,
            isWhole || records > 0 ? counted(records, noun: "record") : nil, sorted > 0 ? "\(sorted) sorted" : nil,
            spilledRuns.map { "\(counted($0, noun: "run")) of \(counted(spilledBytes ?? 0, noun: "byte")) written" },
            pending > 0 ? "\(pending) pending" : nil, abandoned > 0 ? "\(abandoned) abandoned" : nil,
        ]
        let noun = kind == .sections ? "section" : kind == .groups ? "group" : "row"
        let rows: String? =
            switch (rowsIn, rowsOut) {
            case (let taken?, let given?) where !isWhole && taken != given:
                "\(given) of \(counted(taken, noun: noun))"
            case (_, let given?): counted(given, noun: noun)
            case (let taken?, nil): "of \(counted(taken, noun: noun))"
            case (nil, nil): nil
            }
        return work.compactMap(\.self) + [rows].compactMap(\.self)
    }
}

/// A number with its noun.
func counted(_ count: Int, noun: String, plural: String? = nil) -> String {
    "\(count) " + (count == 1 ? noun : plural ?? noun + "s")
}
