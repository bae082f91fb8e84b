import LoamStorage

extension Plan {
    /// The plan in lines of words, with what was expected and, after an execution, what was done.
    ///
    /// ```
    /// City: rows where country == 'PE' AND name CONTAINS 'a', by -population, limit 10
    ///   index      country,-population, forwards, 1 range
    ///   ranges     country == 'PE'
    ///   records    read in the order of the index
    ///   test       name CONTAINS 'a'
    ///   order      served by the index
    ///   estimated  100 entries, 100 records, 10 rows
    ///   actual     1 range, 2 blocks, 143 entries, 143 records, 10 rows
    /// ```
    package func explanation(with work: Work? = nil) -> String {
        var lines = [headline]
        func add(_ title: String, text: String) {
            lines.append("  " + title + String(repeating: " ", count: max(1, 11 - title.count)) + text)
        }
        for (title, text) in accessPathLines { add(title, text: text) }
        if let records = recordsLine { add("records", text: records) }
        if !residual.isEmpty { add("test", text: Self.shortened(.all(residual))) }
        if let order = orderLine { add("order", text: order) }
        if skipsByPosition { add("offset", text: "skipped by position") }
        if let rows = SearchWatch.rowsBefore(self) { add("watch", text: "priced again after \(rows) rows") }
        add("estimated", text: estimatedLine)
        if let work { add("actual", text: line(of: work)) }
        return lines.joined(separator: "\n")
    }

    private var headline: String {
        var text = "\(query.entity.name): "
        switch query.result {
        case .rows: text += "rows"
        case .count: text += "count"
        case .sections: text += "sections by \(query.section?.description ?? "")"
        }
        if query.predicate != .constant(true) { text += " where " + Self.shortened(query.predicate) }
        guard query.result != .sections else { return text }
        if query.result == .rows, !query.order.isEmpty {
            text += ", by " + query.order.map(\.description).joined(separator: ", ")
        }
        if let limit = query.limit { text += ", limit \(limit)" }
        if query.offset > 0 { text += ", offset \(query.offset)" }
        return text
    }

    private var accessPathLines: [(String, String)] {
        switch accessPath {
        case .nothing: [("nothing", "no row can match")]
        case .rows(let rowIDs): [("look-up", Self.counted(rowIDs.count, noun: "row") + " by id")]
        case .table(.min, .max): [("table", arrangement == .sums ? "its number of rows" : "all records" + backwards)]
        case .table(let from, let through): [("table", "records from row \(from) through row \(through)" + backwards)]
        case .index(let scan): lines(of: scan)
        case .union(let scans):
            [("union", "of \(Self.counted(scans.count, noun: "scan")), each row once")]
                + scans.flatMap { lines(of: $0) }
        case .intersection(let scans):
            [("intersect", "of \(Self.counted(scans.count, noun: "scan")), the rows that all of them reach")]
                + scans.flatMap { lines(of: $0) }
        case .skip(let skip): lines(of: skip.scan, behind: skip.leadingCount)
        case .join(let join): lines(of: join)
        }
    }

    /// The plan of the rows that the relationship leads to, set in under the join.
    private func lines(of join: Join) -> [(String, String)] {
        let target = join.target
        let rows = Self.counted(target.estimate.rows, noun: "row")
        var inner = target.accessPathLines
        if let records = target.recordsLine { inner.append(("records", records)) }
        if !target.residual.isEmpty { inner.append(("test", Self.shortened(.all(target.residual)))) }
        return [
            ("join", "along \(join.hop.relationship.name), from about \(rows) of \(target.query.entity.name)"),
            ("answers", Self.shortened(join.condition)),
        ] + inner.map { ("  " + $0, $1) }
    }

    private var backwards: String {
        query.rowIDDirection == .descending && query.openOrder.isEmpty ? ", backwards" : ""
    }

    /// - Parameter leadingCount: of a scan behind each of about so many first values; nil for any other.
    private func lines(of scan: IndexScan, behind leadingCount: Int? = nil) -> [(String, String)] {
        let direction = scan.isReversed ? "backwards" : "forwards"
        var ranges = scan.isNarrowed ? Self.counted(scan.ranges.count, noun: "range") : "all of it"
        if let leadingCount {
            ranges = "behind each of about \(Self.counted(leadingCount, noun: "first value"))"
        }
        if scan.isMerged { ranges += " merged" }
        let sums = arrangement == .sums ? ", sums only" : ", \(direction)"
        let inexact = scan.isInexact ? ", has cut keys" : ""
        return [("index", "\(scan.index.name)\(sums), \(ranges)\(inexact)")]
            + (scan.conditions.isEmpty ? [] : [("ranges", Self.shortened(.all(scan.conditions)))])
    }

    private var recordsLine: String? {
        guard arrangement != .sums else { return nil }
        switch accessPath {
        case .nothing, .rows, .table: return refetches ? "read again for the columns" : nil
        case .index where covering != nil, .skip where covering != nil: return "not read: the index covers the query"
        case .index, .skip, .union, .intersection, .join:
            if neededPaths.isEmpty { return "not read" }
            if case .partial = arrangement { return "read in row id order, a group at a time" }
            let order = arrangement == .served && query.result == .rows ? "the order of the index" : "row id order"
            return "read in \(order)" + (refetches ? ", again for the columns" : "")
        }
    }

    private var orderLine: String? {
        guard query.result == .rows else { return nil }
        let keys = query.openOrder.map(\.description).joined(separator: ", ")
        switch (arrangement, accessPath) {
        case (.served, .index), (.served, .skip): return "served by the index"
        case (.partial(let count), _):
            let leading = query.openOrder.prefix(count).map(\.description).joined(separator: ", ")
            let rest = query.openOrder.dropFirst(count).map(\.description).joined(separator: ", ")
            return "served by the index for \(leading), then sorted by \(rest.isEmpty ? "row id" : rest)"
        case (.served, _), (.sums, _): return nil
        case (.byRowID, _): return "row ids sorted"
        case (.sorted, _): return "sorted by \(keys)"
        case (.top(let limit), _): return "the first \(limit) kept, by \(keys)"
        }
    }

    /// Long lists of constants are cut: nobody reads them.
    private static func shortened(_ predicate: TypedPredicate) -> String {
        let text = predicate.description
        let limit = 400
        return text.count <= limit ? text : "\(text.prefix(limit))… (\(text.count) characters)"
    }

    private static func counted(_ count: Int, noun: String, plural: String? = nil) -> String {
        "\(count) " + (count == 1 ? noun : plural ?? noun + "s")
    }

    private var estimatedLine: String {
        [
            estimate.entries > 0 ? Self.counted(estimate.entries, noun: "entry", plural: "entries") : nil,
            Self.counted(estimate.records, noun: "record"),
            query.result == .rows ? Self.counted(estimate.rows, noun: "row") : nil,
        ].compactMap { $0 }.joined(separator: ", ")
    }

    private func line(of work: Work) -> String {
        let parts: [String?] = [
            work.ranges > 0 ? Self.counted(work.ranges, noun: "range") : nil,
            work.blocks > 0 ? Self.counted(work.blocks, noun: "block") : nil,
            work.entries > 0 ? Self.counted(work.entries, noun: "entry", plural: "entries") : nil,
            work.sums > 0 ? Self.counted(work.sums, noun: "sum") : nil,
            Self.counted(work.records, noun: "record"),
            work.sorted > 0 ? "\(work.sorted) sorted" : nil,
            work.abandoned > 0 ? "\(work.abandoned) abandoned" : nil,
            query.result == .count ? nil : Self.counted(work.returned, noun: query.result == .rows ? "row" : "section"),
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }
}
