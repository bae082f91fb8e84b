import Foundation
import Loam
import Synchronization
import Testing

@Suite("Saving by itself")
struct AutosaveTests {
    let container: ModelContainer

    init() throws {
        container = try memoryContainer(Country.self)
    }

    private func storedNames() throws -> [String] {
        try ModelContext(container).fetch(FetchDescriptor<City>(sortBy: [SortDescriptor(\.name)])).map(\.name)
    }

    @MainActor private func mainContext(_ clock: ManualClock) -> ModelContext {
        let context = container.mainContext
        context.autosaveClock = clock
        return context
    }

    @Test("the first turn after a pause is saved at its end; those that follow at once wait for the next pause")
    @MainActor func quietInterval() async throws {
        let clock = ManualClock()
        let context = mainContext(clock)
        context.insert(City("A"))
        #expect(context.hasChanges)
        await turnIsOver()
        #expect(try storedNames() == ["A"])
        for name in ["B", "C"] {
            clock.advance(by: .milliseconds(100))
            context.insert(City(name))
            await turnIsOver()
        }
        #expect(try storedNames() == ["A"])
        clock.advance(by: .milliseconds(200))
        await turnIsOver()
        #expect(try storedNames() == ["A"])
        clock.advance(by: .milliseconds(50))
        await turnIsOver()
        #expect(try storedNames() == ["A", "B", "C"])
        #expect(!context.hasChanges)
        clock.advance(by: .milliseconds(300))
        context.insert(City("D"))
        await turnIsOver()
        #expect(try storedNames() == ["A", "B", "C", "D"])
    }

    @Test("a stream of changes costs a commit a second, not one a turn")
    @MainActor func stream() async throws {
        let clock = ManualClock()
        let context = mainContext(clock)
        let saves = Counter(ModelContext.didSave, of: context)
        let city = City("Oslo")
        context.insert(city)
        await turnIsOver()
        #expect(saves.count == 1)
        for _ in 0..<300 {
            clock.advance(by: .milliseconds(10))
            city.population += 1
            await turnIsOver()
        }
        #expect(saves.count == 3)
        clock.advance(by: .milliseconds(250))
        await turnIsOver()
        #expect(saves.count == 4)
        #expect(try ModelContext(container).fetch(FetchDescriptor<City>()).map(\.population) == [300])
    }

    @Test("changes of a model that is changed already are heard of")
    @MainActor func changedAgain() async throws {
        let clock = ManualClock()
        let context = mainContext(clock)
        context.autosaveEnabled = false
        let city = City("Oslo")
        context.insert(city)
        try context.save()
        city.population = 1
        await turnIsOver()
        #expect(context.hasChanges)
        clock.advance(by: .seconds(1))
        context.autosaveEnabled = true
        await turnIsOver()
        #expect(!context.hasChanges)
    }

    @Test("what fails is tried again after the next change, and told to the next fetch unless that worked")
    @MainActor func failure() async throws {
        let clock = ManualClock()
        let context = mainContext(clock)
        let other = ModelContext(container)
        other.mergePolicy = .throwOnConflict
        let city = City("Oslo")
        context.insert(city)
        await turnIsOver()
        context.mergePolicy = .throwOnConflict
        let theirs = try #require(other.model(for: city.persistentModelID) as? City)
        theirs.population = 5
        city.population = 7
        try other.save()
        clock.advance(by: .seconds(1))
        await turnIsOver()
        #expect(context.hasChanges)
        #expect(throws: SwiftDataError.conflict) { try context.fetch(FetchDescriptor<City>()) }
        #expect(try context.fetchCount(FetchDescriptor<City>()) == 1)
        clock.advance(by: .seconds(1))
        city.name = "Kristiania"
        await turnIsOver()
        #expect(context.hasChanges)
        clock.advance(by: .seconds(1))
        context.mergePolicy = .memoryWins
        city.name = "Oslo"
        await turnIsOver()
        #expect(!context.hasChanges)
        #expect(try context.fetchCount(FetchDescriptor<City>()) == 1)
    }

    @Test("what failed is told to nobody once nothing is left to save")
    @MainActor func failureTakenBack() async throws {
        let platforms = try memoryContainer(Platform.self)
        let others = ModelContext(platforms)
        others.insert(Platform("A", 1))
        others.insert(Platform("B", 2))
        try others.save()
        let clock = ManualClock()
        let context = platforms.mainContext
        context.autosaveClock = clock
        // The platform would have to be two rows, so that the save fails.
        let both = Platform("A", 2)
        context.insert(both)
        await turnIsOver()
        #expect(context.hasChanges)
        clock.advance(by: .seconds(1))
        context.delete(both)
        await turnIsOver()
        #expect(!context.hasChanges)
        #expect(try context.fetchCount(FetchDescriptor<Platform>()) == 2)
    }

    @Test("an error that is kept for the next fetch does not stop what can be saved")
    @MainActor func keptError() async throws {
        let clock = ManualClock()
        let context = mainContext(clock)
        let other = ModelContext(container)
        let theirs = City("Bergen")
        other.insert(theirs)
        context.insert(theirs)
        context.insert(City("Oslo"))
        await turnIsOver()
        #expect(try storedNames() == ["Oslo"])
        #expect(!context.hasChanges)
        #expect(throws: SwiftDataError.modelValidationFailure) { try context.fetch(FetchDescriptor<City>()) }
        #expect(try context.fetchCount(FetchDescriptor<City>()) == 1)
    }

    @Test("a model actor's context saves by itself where it is asked to, also what its actor leaves behind")
    func modelActor() async throws {
        let clock = ManualClock()
        let saves = Counter(ModelContext.didSave)
        do {
            let writer = CityWriter(modelContainer: container)
            await writer.begin(clock)
            await writer.add("A")
            await writer.turnIsOver()
            #expect(try storedNames() == ["A"])
            clock.advance(by: .milliseconds(1))
            await writer.add("B")
            await writer.turnIsOver()
            #expect(try storedNames() == ["A"])
        }
        clock.advance(by: .milliseconds(250))
        for _ in 0..<1_000_000 {
            if saves.count(in: container) == 2 { break }
            await Task.yield()
        }
        #expect(try storedNames() == ["A", "B"])
    }

    @Test("a plain context that was made on the main actor saves by itself once it is asked to")
    @MainActor func plainOnMainActor() async throws {
        let clock = ManualClock()
        let context = ModelContext(container)
        context.insert(City("A"))
        await turnIsOver()
        #expect(context.hasChanges)
        context.autosaveEnabled = true
        context.autosaveClock = clock
        await turnIsOver()
        #expect(try storedNames() == ["A"])
        clock.advance(by: .seconds(1))
        context.insert(City("B"))
        await turnIsOver()
        #expect(try storedNames() == ["A", "B"])
        context.autosaveEnabled = false
        context.insert(City("C"))
        await turnIsOver()
        #expect(context.hasChanges)
    }

    @Test(
        "a plain context that was made on an actor saves by itself, also what its actor leaves behind, and keeps nobody"
    )
    func plainOnActor() async throws {
        weak var gone: Keeper?
        do {
            let keeper = Keeper()
            gone = keeper
            await keeper.begin(container)
            await keeper.add("A")
        }
        for _ in 0..<1_000_000 {
            if try storedNames() == ["A"], gone == nil { break }
            await Task.yield()
        }
        #expect(try storedNames() == ["A"])
        #expect(gone == nil)
    }

    @Test("the main context's container is the one that it was asked of, and neither keeps the other for ever")
    @MainActor func mainContainer() throws {
        #expect(container.mainContext.container === container)
        weak var gone: ModelContainer?
        let context: ModelContext
        do {
            let made = try memoryContainer(Country.self)
            gone = made
            context = made.mainContext
            #expect(context.container === made)
        }
        #expect(gone == nil)
        context.insert(City("A"))
        try context.save()
        #expect(context.container.mainContext === context)
        #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<City>()) == 1)
    }

    @Test("a context of unknown isolation is never saved by itself")
    func unknownIsolation() throws {
        let context = ModelContext(container)
        context.autosaveEnabled = true
        context.insert(City("A"))
        #expect(context.autosaveClock == nil)
        #expect(context.hasChanges)
    }
}

/// Returns after everything that the main actor has to do already.
@MainActor private func turnIsOver() async {
    for _ in 0..<3 { await Task { @MainActor in }.value }
}

/// An actor as people write them, with a context that it makes itself.
private actor Keeper {
    private var context: ModelContext?

    func begin(_ container: ModelContainer) {
        context = ModelContext(container)
        context?.autosaveEnabled = true
    }

    func add(_ name: String) { context?.insert(City(name)) }
}

@ModelActor private actor CityWriter {
    func begin(_ clock: ManualClock) {
        modelContext.autosaveClock = clock
        modelContext.autosaveEnabled = true
    }

    func add(_ name: String) { modelContext.insert(City(name)) }

    nonisolated func turnIsOver() async {
        // The call is a job of its own: calls of one task that follow each other directly can be one job.
        await Task { await self.runOnQueue() }.value
    }

    private func runOnQueue() { preconditionIsolated() }
}

/// A clock that tests move.
final class ManualClock: AutosaveClock {
    private struct State {
        var now = ContinuousClock.now
        var wakes: [(time: ContinuousClock.Instant, body: @Sendable () -> Void)] = []
    }

    private let state = Mutex(State())

    var now: ContinuousClock.Instant { state.withLock(\.now) }

    func wake(at time: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.wakes.append((time, body)) }
    }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            defer { state.wakes.removeAll { $0.time <= state.now } }
            return state.wakes.filter { $0.time <= state.now }
        }
        for wake in due { wake.body() }
    }
}

/// Counts notifications.
private final class Counter: Sendable {
    private let stores = Mutex<[String]>([])
    nonisolated(unsafe) private var observer: (any NSObjectProtocol)?

    init(_ name: Notification.Name, of context: ModelContext? = nil) {
        observer = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
            [weak self] note in
            guard let context = note.object as? ModelContext else { return }
            let name = context.container.configurations.first?.name ?? ""
            self?.stores.withLock { $0.append(name) }
        }
    }

    deinit { observer.map(NotificationCenter.default.removeObserver) }

    var count: Int { stores.withLock(\.count) }

    func count(in container: ModelContainer) -> Int {
        stores.withLock { $0.count { $0 == container.configurations.first?.name } }
    }
}
