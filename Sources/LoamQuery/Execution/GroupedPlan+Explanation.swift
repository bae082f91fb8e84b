import LoamStorage

extension GroupedPlan {
    /// The plan in lines of words: the groups, then the plan that reaches the rows.
    ///
    /// ```
    /// City: groups by country of count(), sum(population)
    ///   groups     made of rows, in memory
    ///   City: rows
    ///     table      all records
    /// ```
    package func explanation(with work: Work? = nil) -> String {
        var lines = [headline, "  groups     " + methodText]
        for (number, plan) in plans.enumerated() {
            // Of several plans only the whole work is known.
            let text = plan.explanation(with: number == plans.count - 1 ? work : nil)
            lines += text.split(separator: "\n").map { "  " + $0 }
        }
        return lines.joined(separator: "\n")
    }

    private var headline: String {
        var text = "\(query.entity): "
        text += query.keys.isEmpty ? "all rows" : "groups by " + query.keys.joined(separator: ", ")
        if !query.aggregates.isEmpty { text += " of " + query.aggregates.map(\.name).joined(separator: ", ") }
        if let having = query.having { text += " having " + asWritten("\(having)") }
        if !output.order.isEmpty {
            text += ", by " + output.order.map { asWritten("\($0)") }.joined(separator: ", ")
        }
        if let limit = query.limit { text += ", limit \(limit)" }
        if query.offset > 0 { text += ", offset \(query.offset)" }
        return text
    }

    /// The text with aggregates in place of their quoted names.
    private func asWritten(_ text: String) -> String {
        aggregates.reduce(text) { $0.replacing("#" + Value.quoted($1.name), with: $1.name) }
    }

    private var methodText: String {
        switch method {
        case .rows: "made of rows, in memory"
        case .sections: "from the sums of an index"
        case .ends: "one, from numbers of rows and the ends of indexes"
        }
    }

    private var plans: [Plan] {
        switch method {
        case .rows(let plan), .sections(let plan): [plan]
        case .ends(let plans): plans
        }
    }
}
