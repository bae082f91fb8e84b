import Foundation
import Observation
import Synchronization
import Testing

@testable import Loam

@Suite("Models of results that are read together")
@MainActor
struct ResultBatchTests {
    private func fill(_ count: Int) throws -> Race {
        let race = try Race()
        let writer = ModelContext(race.container)
        for id in 0..<count { writer.insert(Runner(id: id, name: "r\(id)", team: "t\(id / 1_000)")) }
        try writer.save()
        return race
    }

    @Test("are read once for each batch, forwards and backwards, in sections and without")
    func scrolling() throws {
        let count = 10_000
        let race = try fill(count)
        let batches = (count + ResultBatch.size - 1) / ResultBatch.size
        let plain = try ResultsObserver<Runner, Never>(sortBy: [SortDescriptor(\.id)], modelContext: race.context)
        for (position, runner) in plain.results.enumerated() { try #require(runner.id == position) }
        #expect(plain.batch.reads == batches)
        for position in plain.results.indices.reversed() { try #require(plain.results[position].id == position) }
        // The last batch is still there.
        #expect(plain.batch.reads == 2 * batches - 1)
        let sectioned = try ResultsObserver(
            sortBy: [SortDescriptor(\Runner.id)], sectionBy: \Runner.team,
            modelContext: ModelContext(race.container))
        let ids = try #require(sectioned.sections).flatMap { $0.map(\.id) }
        #expect(ids == Array(0..<count) && sectioned.batch.reads == batches)
    }

    @Test("are one where one is asked for far from the last, and more where one goes on")
    func jumping() throws {
        let race = try fill(2_000)
        let observer = try ResultsObserver<Runner, Never>(sortBy: [SortDescriptor(\.id)], modelContext: race.context)
        /// How often records are read for some positions.
        func reads(_ positions: some Sequence<Int>) throws -> Int {
            let before = observer.batch.reads
            for position in positions { try #require(observer.results[position].id == position) }
            return observer.batch.reads - before
        }
        // The first read has those around, whichever it is.
        #expect(try reads([100]) == 1 && reads(64..<128) == 0)
        // Each further one stands alone.
        #expect(try reads([1_000, 500, 1_500, 1_000, 500]) == 5)
        // Who goes on has 4, 16 and 64 more, forwards and backwards.
        #expect(try reads([1_200]) == 1 && reads(1_201..<1_205) == 1 && reads(1_205..<1_221) == 1)
        #expect(try reads(1_221..<1_285) == 1 && reads(1_285..<1_349) == 1)
        #expect(try reads([800]) == 1 && reads((796..<800).reversed()) == 1)
        #expect(try reads((780..<796).reversed()) == 1 && reads((716..<780).reversed()) == 1)
        // What is about to be shown is read together.
        observer.results.expect(300..<350)
        #expect(try reads([300, 349]) == 2 && reads(300..<350) == 2)
        #expect(try reads([1_999]) == 1 && reads([0]) == 1 && reads(1..<5) == 1)
    }

    @Test("cost no read where they were read before, and are as new as the context")
    func known() throws {
        let race = try fill(200)
        let observer = try ResultsObserver<Runner, Never>(sortBy: [SortDescriptor(\.id)], modelContext: race.context)
        let fetched = try race.context.fetch(FetchDescriptor<Runner>(sortBy: [SortDescriptor(\.id)]))
        #expect(observer.results.map(\.name) == fetched.map(\.name) && observer.batch.reads == 0)
        race.context.insert(Runner(id: 999, name: "unsaved"))
        observer.refresh()
        #expect(observer.results.last?.name == "unsaved" && observer.batch.reads == 0)
        let other = try ResultsObserver<Runner, Never>(sortBy: [SortDescriptor(\.id)], modelContainer: race.container)
        #expect(other.results[70].name == "r70" && other.batch.reads == 1)
        try race.save { _, runners in runners["r71"]?.name = "changed" }
        other.refresh()
        #expect(other.results[71].name == "changed" && other.batch.reads == 1)
    }

    @Test("have the relationships with them that the descriptor prefetches")
    func prefetching() throws {
        let race = try Race()
        let writer = ModelContext(race.container)
        for id in 0..<100 { writer.insert(Runner(id: id, name: "r\(id)", squad: Squad(id: id, name: "s\(id)"))) }
        try writer.save()
        var descriptor = FetchDescriptor<Runner>(sortBy: [SortDescriptor(\.id)])
        descriptor.relationshipKeyPathsForPrefetching = [\.squad]
        let controller = FetchedResultsController<Runner, Never>(
            fetchDescriptor: descriptor, modelContext: race.context)
        try controller.performFetch()
        let runner = try #require(controller.object(at: [0, 3]))
        // Their records came along, so that the models are there without the store.
        let squads = (0..<ResultBatch.size).compactMap { controller.object(at: [0, $0])?.squad }
        #expect(squads.count == ResultBatch.size && squads.allSatisfy { $0._$backing?.record != nil })
        #expect(runner.squad?.name == "s3" && controller.observer?.batch.reads == 1)
        descriptor.relationshipKeyPathsForPrefetching = [\.name]
        #expect(throws: SwiftDataError.unsupportedKeyPath) {
            _ = try ResultsObserver<Runner, Never>(fetchDescriptor: descriptor, modelContext: race.context)
        }
    }

    @Test("have their last values before a change is told that takes them away, whoever deleted them")
    func lastValues() throws {
        let race = try fill(5)
        let controller = try race.byID()
        let recorder = Recorder<Never>()
        controller.delegate = recorder
        var seen: [String] = []
        recorder.onCall = { controller, line in
            guard line == "will" else { return }
            seen = controller.fetchedObjects?.map(\.name) ?? []
        }
        try race.save { context, runners in
            runners["r2"]?.name = "last"
            if let runner = runners["r1"] { context.delete(runner) }
        }
        try race.save { context, runners in if let runner = runners["last"] { context.delete(runner) } }
        // The context hears of it before the controller does, while there is no object of theirs.
        _ = try race.context.fetchCount(FetchDescriptor<Runner>())
        controller.refresh()
        #expect(seen == ["r0", "r1", "last", "r3", "r4"])
        #expect(recorder.heard.contains("delete [0, 1] r1") && recorder.heard.contains("delete [0, 2] last"))
        #expect(controller.fetchedObjects?.map(\.name) == ["r0", "r3", "r4"])
    }
}

@Suite("What tracks results")
@MainActor
struct ResultTrackingTests {
    /// Counts how often a closure's reads are told of, from one refresh to the next.
    private func told(_ read: () -> Void, while change: () throws -> Void) rethrows -> Int {
        let told = Mutex(0)
        withObservationTracking(read) { told.withLock { $0 += 1 } }
        try change()
        return told.withLock { $0 }
    }

    @Test("hears of models that come, go and move, and not of values that change in their place")
    func places() throws {
        let race = try Race([("a", "x"), ("b", "x"), ("c", "y")])
        let observer = try ResultsObserver(
            sortBy: [SortDescriptor(\Runner.id)], sectionBy: \Runner.team, modelContext: race.context)
        let reads: [() -> Void] = [{ _ = observer.results.count }, { _ = observer.sections?.sectionTitles }]
        for read in reads {
            func told(_ change: (ModelContext, [String: Runner]) throws -> Void) throws -> Int {
                try self.told(read) {
                    try race.save(change)
                    observer.refresh()
                }
            }
            #expect(try told { $1["a"]?.description = "another" } == 0)
            #expect(try told { $1["a"]?.id = 10 } == 1)
            #expect(try told { $1["a"]?.id = 1 } == 1)
            #expect(try told { context, _ in context.insert(Runner(id: 4, name: "d", team: "y")) } == 1)
            #expect(try told { context, runners in if let d = runners["d"] { context.delete(d) } } == 1)
            #expect(try told { $1["c"]?.team = "x" } == 1)
            #expect(try told { $1["c"]?.team = "y" } == 1)
        }
        // A value that was read of a model is told by the model.
        let shown = try told({ _ = observer.results.first?.description }) {
            try race.save { $1["a"]?.description = "once more" }
            observer.refresh()
        }
        #expect(shown == 1 && observer.results.first?.description == "once more")
    }

    @Test("of sections is never told of results without sections, nor errors of results")
    func apart() throws {
        let race = try Race([("a", nil)])
        let observer = try ResultsObserver<Runner, Never>(sortBy: [SortDescriptor(\.id)], modelContext: race.context)
        let reads: [() -> Void] = [{ _ = observer.sections }, { _ = observer.fetchError }]
        for read in reads {
            let told = try told(read) {
                try race.save { context, _ in context.insert(Runner(id: 2, name: "b")) }
                observer.refresh()
            }
            #expect(told == 0)
        }
    }
}
