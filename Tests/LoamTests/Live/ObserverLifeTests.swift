import Foundation
import LoamQuery
import LoamStorage
import Observation
import Synchronization
import Testing

@testable import Loam
@testable import LoamLive

@Model private final class Ticket {
    #Index<Ticket>([\.id])
    var id: Int
    var name: String
    var details: String

    init(id: Int, name: String) {
        (self.id, self.name, details) = (id, name, "")
    }
}

private actor Board {
    private var observer: ResultsObserver<Ticket, Never>?

    func open(_ container: ModelContainer) throws -> ResultsStream<ResultsDifference<Never>> {
        let observer = try ResultsObserver<Ticket, Never>(sortBy: [SortDescriptor(\.id)], modelContainer: container)
        self.observer = observer
        return observer.makeDifferences()
    }

    var names: [String] { observer?.results.map(\.name) ?? [] }
}

@Suite("An observer's life")
@MainActor
struct ObserverLifeTests {
    private let folder: TemporaryFolder
    private let container: ModelContainer

    init() throws {
        folder = try TemporaryFolder()
        container = try ModelContainer(
            for: Ticket.self, configurations: ModelConfiguration(url: folder.url.appending(path: "tickets.store")))
    }

    private func save(_ id: Int, _ name: String) throws {
        let context = ModelContext(container)
        context.insert(Ticket(id: id, name: name))
        try context.save()
    }

    @Test("ends without its rows being written out, which is done for those who still show them")
    func end() throws {
        for id in 0..<50 { try save(id, "ticket \(id)") }
        let context = ModelContext(container)
        func open() throws -> ResultsObserver<Ticket, Never> {
            try ResultsObserver(sortBy: [SortDescriptor(\.id)], modelContext: context)
        }
        var observer: ResultsObserver? = try open()
        let engine = try #require(observer?.live?.engine)
        /// The result may have been followed meanwhile, and ends on the queue then, which its snapshots do after it.
        func waitForEnd() { for _ in 0..<2 { engine.queue.sync {} } }
        for turn in 0..<3 {
            #expect(observer?.live?.kind.description.hasPrefix("virtual") == true)
            #expect(observer?.results.count == 50)
            // The engine may not have come to it, or have followed a save.
            if turn > 0 { observer?.refresh() }
            if turn > 1 { try save(turn, "again") }
            observer = nil
            waitForEnd()
            #expect(engine.leases.listedRows == 0 && engine.leases.count == 0)
            observer = try open()
        }
        let kept = try #require(observer?.results)
        observer = nil
        waitForEnd()
        #expect(engine.leases.listedRows == 51 && engine.leases.count == 0)
        #expect(kept.count == 51)
    }

    @Test("does not keep the actor that owns it, which gets its changes while it is there")
    func doesNotKeepItsActor() async throws {
        weak var gone: Board?
        let stream: ResultsStream<ResultsDifference<Never>>
        do {
            let board = Board()
            gone = board
            stream = try await board.open(container)
            try save(1, "front")
            var differences = stream.makeAsyncIterator()
            #expect(await differences.next()?.insertions.count == 1)
            #expect(await board.names == ["front"])
        }
        // The sequence ends with the observer, which only the actor has kept.
        for await _ in stream {}
        #expect(gone == nil)
        try save(2, "back")
    }

    @Test("tells of a failed read until the next one succeeds, though it finds nothing new")
    func takesItsErrorBack() throws {
        let observer = try ResultsObserver<Ticket, Never>(
            filterBy: #Predicate { $0.id > 5 }, sortBy: [SortDescriptor(\.id)], modelContainer: container)
        for id in 1...3 {
            try withoutReaderSlots {
                observer.refresh()
                #expect(observer.fetchError != nil)
            }
            try save(id, "not shown")
            observer.refresh()
            #expect(observer.fetchError == nil && observer.results.isEmpty)
        }
    }

    @Test("keeps the error of a descriptor that cannot be run, whatever its former results go on to show")
    func keepsTheDescriptorsError() throws {
        let observer = try ResultsObserver<Ticket, Never>(sortBy: [SortDescriptor(\.id)], modelContainer: container)
        observer.fetchDescriptor.fetchLimit = -1
        #expect(observer.fetchError != nil)
        try save(1, "front")
        observer.refresh()
        #expect(observer.results.map(\.name) == ["front"] && observer.fetchError != nil)
        observer.fetchDescriptor.fetchLimit = nil
        #expect(observer.fetchError == nil)
    }

    @Test("follows a new descriptor as soon as the store can be read again")
    func triesItsDescriptorAgain() throws {
        for id in 1...3 { try save(id, "n\(id)") }
        let observer = try ResultsObserver<Ticket, Never>(sortBy: [SortDescriptor(\.id)], modelContainer: container)
        try withoutReaderSlots {
            observer.sortBy = [SortDescriptor(\.id, order: .reverse)]
            #expect(observer.fetchError != nil)
            observer.refresh()
            #expect(observer.fetchError != nil)
        }
        observer.refresh()
        #expect(observer.fetchError == nil && observer.results.identifiers.count == 3)
        #expect(observer.results.map(\.id) == [3, 2, 1])
    }

    @Test("does not try a new descriptor without end while the store cannot be read")
    func triesNotWithoutEnd() throws {
        try save(1, "first")
        let observer = try ResultsObserver<Ticket, Never>(sortBy: [SortDescriptor(\.id)], modelContainer: container)
        let tries = Mutex(0)
        nonisolated(unsafe) let observed = observer
        @Sendable func observe() {
            withObservationTracking {
                _ = observed.fetchError
            } onChange: {
                tries.withLock { $0 += 1 }
                if tries.withLock(\.self) < 50 { observe() }
            }
        }
        observe()
        try withoutReaderSlots {
            observer.sortBy = [SortDescriptor(\.id, order: .reverse)]
            for _ in 0..<10 { observer.takeDeliveries() }
        }
        #expect(observer.fetchError != nil && tries.withLock(\.self) <= 4)
        observer.refresh()
        #expect(observer.fetchError == nil && observer.results.map(\.id) == [1])
    }

    @Test("shows the newest results, though it is asked for them while it begins to show others")
    func isAskedInBetween() throws {
        let observer = try ResultsObserver<Ticket, Never>(sortBy: [SortDescriptor(\.id)], modelContainer: container)
        nonisolated(unsafe) let observed = observer
        withObservationTracking {
            _ = observer.results.count
        } onChange: { [self] in
            MainActor.assumeIsolated {
                #expect(throws: Never.self) { try save(2, "second") }
                observed.refresh()
            }
        }
        try save(1, "first")
        observer.refresh()
        #expect(observer.results.map(\.name) == ["first", "second"])
    }

    /// Calls the closure when the process has as many reads of the store open as there can be.
    private func withoutReaderSlots(_ body: () throws -> Void) throws {
        var isReading = false
        do {
            try container.store.read { _ in
                isReading = true
                try withoutReaderSlots(body)
            }
        } catch {
            guard !isReading else { throw error }
            try body()
        }
    }
}
