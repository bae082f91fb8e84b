import ArgumentParser
import LoamQuery

/// The levels of an explanation, as they are written on the command line.
enum ExplanationLevel: String, CaseIterable, ExpressibleByArgument {
    case plan, estimates, work

    fileprivate var level: Explanation.Level {
        switch self {
        case .plan: .plan
        case .estimates: .estimates
        case .work: .work
        }
    }
}

/// How a plan is explained.
struct ExplanationArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Explain, as --explain does, so much: plan (the operators), estimates (and what they are expected to read), work (run the query, \
            and tell what each operator read and how long that took).
            """, valueName: "level"))
    var level: ExplanationLevel?

    @Flag(help: "With an explanation: write JSON.")
    var json = false

    @Flag(inversion: .prefixedNo, help: "With the level work: print times, which are never twice the same.")
    var times = true

    /// How much is told.
    var told: Explanation.Level { level?.level ?? .estimates }

    /// The explanation as it is printed.
    ///
    /// - Parameter store: its path as it was given, for the commands that add the indexes that are advised.
    func text(of explanation: Explanation, store: String) throws -> String {
        guard json else { return Printable.escapedLines(explanation.text(showsTimes: times, store: store)) + "\n" }
        return String(decoding: try explanation.json, as: UTF8.self) + "\n"
    }
}
