import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Loam
@testable import LoamLive

/// Where elements were made: true for the main queue.
private final class Places: Sendable {
    private let places = Mutex<[Bool]>([])
    private let key = DispatchSpecificKey<Bool>()

    init() { DispatchQueue.main.setSpecific(key: key, value: true) }

    func note() {
        let isMain = DispatchQueue.getSpecific(key: key) ?? false
        places.withLock { $0.append(isMain) }
    }

    var all: [Bool] { places.withLock { $0 } }
}

@Suite("Sequences of an observer's changes")
@MainActor
struct ResultsStreamTests {
    private let container: ModelContainer
    private let observer: ResultsObserver<Stop, Never>

    init() throws {
        container = try ModelContainer(
            for: Stop.self, configurations: ModelConfiguration(UUID().uuidString, isStoredInMemoryOnly: true))
        observer = try ResultsObserver(sortBy: [SortDescriptor(\.name)], modelContainer: container)
    }

    private func save(_ count: Int, _ name: String) throws {
        let context = ModelContext(container)
        for number in 0..<count { context.insert(Stop("\(name) \(number)", line: 1)) }
        try context.save()
        observer.refresh()
    }

    @Test("are heard on the observer's isolation before anything that comes after the change")
    func turn() async throws {
        let (heard, words) = AsyncStream.makeStream(of: String.self)
        let differences = observer.makeDifferences()
        let reader = Task {
            for await difference in differences { words.yield("\(difference.insertions.count)") }
        }
        var arrivals = heard.makeAsyncIterator()
        for count in 1...20 {
            // The reader is at its wait: else the second word might come first.
            while !observer.feeds.contains(where: { $0.feed?.isAwaited ?? false }) { await Task.yield() }
            try save(count, "stop \(count)")
            Task { words.yield("later") }
            let both = [await arrivals.next(isolation: #isolation), await arrivals.next(isolation: #isolation)]
            #expect(both == ["\(count)", "later"])
        }
        reader.cancel()
        await reader.value
    }

    @Test("are made where they are read, and elsewhere if they tell of many rows")
    func place() async throws {
        let (feed, places) = (DifferenceFeed(), Places())
        observer.feeds.append(WeakFeed(feed))
        var changes = ResultsStream(feed) { step in
            places.note()
            return step.update.new.count
        }
        .makeAsyncIterator()
        try save(1, "one")
        #expect(await changes.next(isolation: #isolation) == 1)
        try save(1_001, "many")
        #expect(await changes.next(isolation: #isolation) == 1_002)
        try save(2, "two")
        #expect(await changes.next() == 1_004)
        #expect(places.all == [true, false, false])
    }

    @Test("go to one of several readers each, whatever their isolation")
    func share() async throws {
        let changes = observer.changes
        let counts = AsyncStream.makeStream(of: Int.self)
        let readers = (0..<4).map { _ in
            Task.detached {
                for await change in changes { counts.continuation.yield(change.snapshot.numberOfItems) }
            }
        }
        var arrivals = counts.stream.makeAsyncIterator()
        for number in 1...20 {
            try save(1, "stop \(number)")
            #expect(await arrivals.next() == number)
        }
        for reader in readers { reader.cancel() }
        for reader in readers { await reader.value }
    }

    @Test("end where the task that waits is cancelled, on an actor and on none")
    func cancel() async throws {
        let differences = observer.makeDifferences()
        let here = Task { for await _ in differences { Issue.record("Nothing was saved.") } }
        let elsewhere = Task.detached { for await _ in differences { Issue.record("Nothing was saved.") } }
        await Task.yield()
        here.cancel()
        elsewhere.cancel()
        await here.value
        await elsewhere.value
        try save(1, "stop")
        var iterator = differences.makeAsyncIterator()
        #expect(await iterator.next()?.insertions.count == 1)
    }

    @Test("have no elements where nothing is followed")
    func ended() async {
        var iterator = ResultsStream<Int>.ended.makeAsyncIterator()
        #expect(await iterator.next() == nil)
        #expect(await iterator.next(isolation: #isolation) == nil)
    }
}
