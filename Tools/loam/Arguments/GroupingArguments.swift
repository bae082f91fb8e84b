import ArgumentParser
import LoamQuery

/// The options of `query` that make groups of rows.
struct GroupingArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Print one line for all rows with the same values of these keys. Without --aggregate, with their number.",
            valueName: "a,b"))
    var group: NameList?

    @Option(
        help: ArgumentHelp(
            """
            What to compute of each group, or of all rows without --group: count(), count(a), sum(a), average(a), \
            minimum(a), maximum(a). Nil is no value. --sort takes these, too.
            """,
            valueName: "sum(a),count()"))
    var aggregate: AggregateList?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only groups for which this holds, as 'count() > 10 AND a != nil'.", valueName: "format"))
    var having: String?

    var isGiven: Bool { group != nil || aggregate != nil }

    func validate() throws {
        guard having == nil || isGiven else {
            throw ValidationError("--having is a condition on groups: it goes with --group or --aggregate.")
        }
    }
}

/// Aggregates separated by commas: `count(),sum(population)`. Commas in parentheses and quotes separate nothing.
struct AggregateList: ExpressibleByArgument, Hashable {
    var aggregates: [GroupAggregate]

    init?(argument: String) {
        aggregates = []
        for part in KeyList.parts(argument) {
            guard let aggregate = try? GroupAggregate(String(part)) else { return nil }
            aggregates.append(aggregate)
        }
        guard Set(aggregates).count == aggregates.count else { return nil }
    }
}
