import ArgumentParser
import Foundation
import RandomPredicates

/// Compares fetches with asking every model in memory.
struct PredicatesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "predicates", abstract: "Compare fetches by random predicates with asking every model.",
        discussion: """
            Predicates are made of the nodes that #Predicate writes, over models with relationships, with limits, \
            offsets and orders, in contexts with changes that are not saved. Each fetch has to give the models for \
            which the predicate's evaluate(_:) is true, in the order of the sort descriptors' compare(_:_:). What fails \
            is made smaller and printed with the round's seed, which --seed takes with --rounds 1.

            A row never raises an error, where Swift would stop. So evaluate(_:) is not asked, but an evaluator in \
            plain Swift, where an integer result leaves its type, where an integer is divided by zero, and where nil is \
            unwrapped: there is nil. Nor is it asked for the first and the last of related rows, which a fetch finds by \
            their identifiers and evaluate(_:) in the order of memory. Left out are subscripts of captured collections \
            that are not there (nil in a fetch, an error in evaluate), NaN in sort keys (last in a fetch, in no order \
            for SortDescriptor), and comparisons of whole lists and structures, which a fetch refuses.
            """)

    @OptionGroup var options: RoundOptions

    func run() throws {
        try options.run("predicates") { seed -> PredicateCounts in
            do {
                return try PredicateRound(seed: seed).run { say($0) }
            } catch {
                say("seed \(seed): \(error)")
                var counts = PredicateCounts()
                counts.faults = 1
                return counts
            }
        }
    }
}

extension PredicateCounts: RoundCounts {
    var idleChecks: [String] {
        // A twentieth at least: usual are a seventh and two thirds.
        [("judged by plain Swift", judgedBySwift), ("one that finds a model", found)]
            .filter { $0.1 * 20 < cases }.map(\.0)
    }

    var text: String { "\(cases) cases (\(found) find any model, \(judgedBySwift) judged by plain Swift)" }
}
