import Foundation
import SeededRandom
import Testing

@testable import Loam

@Model private final class Tally {
    #Index<Tally>([\.count])
    var name: String
    var count: Int

    init(_ name: String, _ count: Int) { (self.name, self.count) = (name, count) }
}

@Suite("Unsaved changes, turn by turn")
@MainActor
struct UnsavedTurnsTests {
    private let context: ModelContext

    init() throws {
        let container = try ModelContainer(
            for: Tally.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        context = ModelContext(container)
        context.autosaveEnabled = false
        for number in 0..<300 { context.insert(Tally("t\(number)", number % 40)) }
        try context.save()
    }

    /// By an index, by an unindexed property, and a window of the index.
    private func descriptor(_ kind: Int) -> FetchDescriptor<Tally> {
        var descriptor = FetchDescriptor<Tally>(sortBy: [kind == 1 ? SortDescriptor(\.name) : SortDescriptor(\.count)])
        if kind == 2 { (descriptor.fetchLimit, descriptor.fetchOffset) = (20, 90) }
        return descriptor
    }

    @Test("cost what each turn changes, however much is unsaved", arguments: 0..<2)
    func turns(kind: Int) throws {
        let observer = try ResultsObserver<Tally, Never>(
            fetchDescriptor: descriptor(kind), modelContext: context)
        let tallies = try context.fetch(FetchDescriptor<Tally>(sortBy: [SortDescriptor(\.name)]))
        for (turn, tally) in tallies.enumerated() {
            tally.count = (turn * 7) % 45
            if turn % 10 == 0 { context.insert(Tally("u\(turn)", turn % 50)) }
            observer.refresh()
            if turn % 50 == 49 { #expect(Array(observer.results) == (try context.fetch(descriptor(kind)))) }
        }
        // 300 changed ones and 30 new ones: each was looked at when it was changed, and no more.
        #expect((300...330).contains(observer.looks))
        try context.save()
        observer.refresh()
        #expect(Array(observer.results) == (try context.fetch(descriptor(kind))))
    }

    @Test("show what a fetch gives after each of them", arguments: 0..<3, 0..<6 as Range<UInt64>)
    func schedule(kind: Int, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let descriptor = descriptor(kind)
        let observer = try ResultsObserver<Tally, Int>(
            following: descriptor, sectionBy: kind == 1 ? nil : \Tally.count, in: context)
        let other = ModelContext(context.container)
        for step in 0..<120 {
            let tallies = try context.fetch(FetchDescriptor<Tally>(sortBy: [SortDescriptor(\.name)]))
            let tally = try #require(tallies.randomElement(using: &random))
            switch Int.random(in: 0..<20, using: &random) {
            case 0: try? context.save()
            case 1: context.rollback()
            case 2..<5: context.insert(Tally("s\(step)", Int.random(in: 0..<45, using: &random)))
            case 5..<8: context.delete(tally)
            case 8 where kind < 2:
                let others = try other.fetch(FetchDescriptor<Tally>(sortBy: [SortDescriptor(\.name)]))
                others.randomElement(using: &random)?.count = Int.random(in: 0..<45, using: &random)
                try? other.save()
            case 9: tally.name = "n\(step)"
            default: tally.count = Int.random(in: 0..<45, using: &random)
            }
            observer.refresh()
            let fetched = try context.fetch(descriptor)
            try #require(Array(observer.results) == fetched, "seed \(seed), step \(step)")
            try #require(observer.sections.map { $0.flatMap { Array($0) } } ?? fetched == fetched)
        }
    }
}
