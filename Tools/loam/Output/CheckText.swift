import LoamStorage

/// Writes the report of a check for people, and as JSON.
enum CheckText {
    struct JSON: Encodable {
        var clean: Bool
        var records: Int
        var longValues: Int
        var indexes: Int
        var entries: Int
        var links: Int
        var saves: Int
        var faults: [CheckReport.Fault]
        var furtherFaults: Int
        var notes: [String]

        init(_ report: CheckReport) {
            clean = report.isClean
            records = report.records
            longValues = report.longValues
            indexes = report.indexes
            entries = report.entries
            links = report.links
            saves = report.saves
            faults = report.faults
            furtherFaults = report.furtherFaults
            notes = report.notes
        }
    }

    static func text(_ report: CheckReport) -> String {
        var lines = report.faults.map { Printable.escaped("\($0)") }
        if report.furtherFaults > 0 { lines.append("... and \(Grouped.text(report.furtherFaults)) more") }
        lines += report.notes.map { "note: \(Printable.escaped($0))" }
        let faults = report.faults.count + report.furtherFaults
        let checked =
            "\(count(report.records, "record")), \(count(report.indexes, "index", "indexes")), "
            + count(report.entries, "index entry", "index entries")
            + (report.links > 0 ? ", \(count(report.links, "link"))" : "")
        lines.append(report.isClean ? "Clean: \(checked)." : "\(count(faults, "fault")) in \(checked).")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(Grouped.text(number)) \(number == 1 ? one : many ?? one + "s")"
    }
}
