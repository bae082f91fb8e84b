import Foundation
import LoamQuery
import SeededRandom
import Testing

@testable import Loam

/// Freights of which a quarter is not saved, and what predicates find among them.
@MainActor
struct FreightAnswers {
    let context: ModelContext
    let all: [Freight]

    init() throws {
        var random = SeededGenerator(seed: 7)
        context = ModelContext(try memoryContainer(Freight.self))
        var made: [Freight] = []
        for id in 0..<80 {
            let freight = Freight(id, &random)
            context.insert(freight)
            freight.next = made.randomElement(using: &random)
            made.append(freight)
            if id == 60 { try context.save() }
        }
        all = made
    }

    func fetch(_ predicate: Predicate<Freight>) throws -> [Int] {
        try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.id)])).map(\.id)
    }

    /// The fetch finds what the closure says in memory, and so does the format that the predicate prints.
    func expect(_ predicate: Predicate<Freight>, _ line: Int = #line) throws {
        let expected = try all.filter { try predicate.evaluate($0) }.map(\.id)
        #expect(try fetch(predicate) == expected, "line \(line)")
        let text = try predicate.predicateFormat
        #expect(try fetch(Predicate<Freight>(format: text)) == expected, "line \(line): \(text)")
    }

    func refuses(_ predicate: Predicate<Freight>, _ part: String, _ line: Int = #line) {
        do {
            _ = try fetch(predicate)
            Issue.record("line \(line): nothing was thrown")
        } catch {
            #expect(error as? SwiftDataError == .unsupportedPredicate, "line \(line)")
            #expect("\(error)".contains(part), "line \(line): \(error)")
        }
    }
}
